"""API changes of 4.0 and later: KRaft only, and, for the first time, old versions are removed (KIP-896).

4.4 is read from its release branch of August 2026; it may still change.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.ids import ApiKey as K
from fakekafka.releases.history.step import KRAFT, ApiStep

STEPS: Final[Mapping[str, tuple[ApiStep, ...]]] = {
    "4.0": (
        ApiStep("KIP-896: versions that clients before 2.1 needed (Produce: see `history.accepted`)", low={
            K.FETCH: 4, K.LIST_OFFSETS: 1, K.OFFSET_COMMIT: 2, K.OFFSET_FETCH: 1, K.JOIN_GROUP: 2, K.CREATE_TOPICS: 2,
            K.DELETE_TOPICS: 1, K.OFFSET_FOR_LEADER_EPOCH: 2, K.WRITE_TXN_MARKERS: 1, K.DESCRIBE_ACLS: 1,
            K.CREATE_ACLS: 1, K.DELETE_ACLS: 1, K.DESCRIBE_CONFIGS: 1, K.ALTER_REPLICA_LOG_DIRS: 1,
            K.DESCRIBE_LOG_DIRS: 1, K.CREATE_DELEGATION_TOKEN: 1, K.RENEW_DELEGATION_TOKEN: 1,
            K.EXPIRE_DELEGATION_TOKEN: 1, K.DESCRIBE_DELEGATION_TOKEN: 1,
        }),
        ApiStep("KAFKA-14563, KAFKA-14562, KIP-890: transactions without AddPartitionsToTxn", up={
            K.PRODUCE: 12, K.END_TXN: 5, K.TXN_OFFSET_COMMIT: 5,
        }),
        ApiStep("KAFKA-15859, KIP-1075: a time limit", up={K.LIST_OFFSETS: 10}),
        ApiStep("KAFKA-17885, KIP-1102: an error of the whole answer", up={K.METADATA: 13}),
        ApiStep("KAFKA-17550, KIP-1043: an error for groups that are not there", up={K.DESCRIBE_GROUPS: 6}),
        ApiStep("KAFKA-16308: dry runs that check", up={K.UPDATE_FEATURES: 2}),
        ApiStep("KAFKA-17094, KIP-1073: fenced brokers", up={K.DESCRIBE_CLUSTER: 2}),
        ApiStep("KAFKA-17592, KIP-848, KIP-1082: regular expressions; member ids made by clients", up={
            K.CONSUMER_GROUP_HEARTBEAT: 1,
        }),
        ApiStep("KAFKA-17750, KIP-848: types of members", up={K.CONSUMER_GROUP_DESCRIBE: 1}),
    ),
    "4.0.1": (
        ApiStep("KAFKA-19444: JoinGroup 0 and 1 are back, librdkafka needs to see them", reopened={K.JOIN_GROUP: 0}),
    ),
    "4.1": (
        ApiStep("KAFKA-10551, KIP-516: topic ids instead of names", up={K.PRODUCE: 13}),
        ApiStep("KAFKA-14145, KIP-1166: high watermarks of the quorum", up={K.FETCH: 18}),
        ApiStep("KAFKA-14121, KIP-860: the replication factor may be kept", up={K.ALTER_PARTITION_REASSIGNMENTS: 1}),
        ApiStep("KAFKA-19073, KIP-1152: transactions by pattern of their ids", up={K.LIST_TRANSACTIONS: 2}),
        ApiStep("KAFKA-18904, KIP-1142: all kinds of config resources", up={K.LIST_CONFIG_RESOURCES: 1}),
        ApiStep("KAFKA-16713, KIP-932: share groups; version 0 was early access and is gone", only=KRAFT,
                new={K.SHARE_GROUP_HEARTBEAT: 1, K.SHARE_GROUP_DESCRIBE: 1, K.SHARE_FETCH: 1, K.SHARE_ACKNOWLEDGE: 1},
                low={K.SHARE_GROUP_HEARTBEAT: 1, K.SHARE_GROUP_DESCRIBE: 1, K.SHARE_FETCH: 1, K.SHARE_ACKNOWLEDGE: 1}),
        ApiStep("KAFKA-16950, KIP-932: state of share groups, between coordinators", only=KRAFT, new={
            K.INITIALIZE_SHARE_GROUP_STATE: 0, K.READ_SHARE_GROUP_STATE: 0, K.WRITE_SHARE_GROUP_STATE: 0,
            K.DELETE_SHARE_GROUP_STATE: 0, K.READ_SHARE_GROUP_STATE_SUMMARY: 0,
        }),
        ApiStep("KAFKA-16720, KAFKA-16717, KAFKA-16718, KIP-932: offsets of share groups", only=KRAFT, new={
            K.DESCRIBE_SHARE_GROUP_OFFSETS: 0, K.ALTER_SHARE_GROUP_OFFSETS: 0, K.DELETE_SHARE_GROUP_OFFSETS: 0,
        }),
        ApiStep("KIP-939: transactions with two phases, not yet stable", unstable={K.INIT_PRODUCER_ID: 6}),
        ApiStep("KAFKA-19186, KIP-848: commits by topic id, not yet stable", unstable={
            K.OFFSET_COMMIT: 10, K.OFFSET_FETCH: 10,
        }),
        ApiStep("KIP-1071: streams groups, early access", only=KRAFT, unstable={
            K.STREAMS_GROUP_HEARTBEAT: 0, K.STREAMS_GROUP_DESCRIBE: 0,
        }),
    ),
    "4.2": (
        ApiStep("KAFKA-17108, KIP-1023: the earliest offset not yet uploaded", up={K.LIST_OFFSETS: 11}),
        ApiStep("KAFKA-19186, KIP-848: commits by topic id", up={K.OFFSET_COMMIT: 10, K.OFFSET_FETCH: 10}),
        ApiStep("KAFKA-19446, KIP-1228: the transaction version", up={K.WRITE_TXN_MARKERS: 2}),
        ApiStep("KAFKA-19814, KIP-1206, KIP-1222: strict limits; locks renewed", up={
            K.SHARE_FETCH: 2, K.SHARE_ACKNOWLEDGE: 2,
        }),
        ApiStep("KAFKA-19400, KIP-1186: the voter joins by itself", up={K.ADD_RAFT_VOTER: 1}),
        ApiStep("KAFKA-19797, KAFKA-19799, KAFKA-19800, KIP-1226: the lag of share groups", up={
            K.WRITE_SHARE_GROUP_STATE: 1, K.READ_SHARE_GROUP_STATE_SUMMARY: 1, K.DESCRIBE_SHARE_GROUP_OFFSETS: 1,
        }),
        ApiStep("KAFKA-19869, KIP-1071: streams groups", only=KRAFT, new={
            K.STREAMS_GROUP_HEARTBEAT: 0, K.STREAMS_GROUP_DESCRIBE: 0,
        }),
    ),
    "4.3": (
        ApiStep("KIP-1066: cordoned log directories", up={K.DESCRIBE_LOG_DIRS: 5}),
    ),
    "4.4": (
        ApiStep("KAFKA-20246, KIP-1242: connections that went to the wrong broker", up={K.API_VERSIONS: 5}),
        ApiStep("KAFKA-20444, KIP-1319: topic ids", up={K.TXN_OFFSET_COMMIT: 6}),
        ApiStep("KAFKA-20620, KIP-1331: a message with each error", up={K.DELETE_GROUPS: 3}),
        ApiStep("KAFKA-20620, KIP-1331: descriptions of topologies", only=KRAFT,
                up={K.STREAMS_GROUP_HEARTBEAT: 1, K.STREAMS_GROUP_DESCRIBE: 1},
                new={K.STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE: 0}),
        ApiStep("KAFKA-20395: controllers taken off the cluster", only=KRAFT, new={K.UNREGISTER_CONTROLLER: 0}),
    ),
}  # fmt: skip
