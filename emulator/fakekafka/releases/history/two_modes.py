"""API changes of 2.8 to 3.9, when a broker ran with ZooKeeper or without.

A version number means the same in both modes; only the set of keys differs. A step without `only` is for both.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.ids import ApiKey as K
from fakekafka.releases.history.step import KRAFT, ZK, ApiStep

STEPS: Final[Mapping[str, tuple[ApiStep, ...]]] = {
    "2.8": (
        ApiStep("KAFKA-12365, KIP-500: what an early-access KRaft broker serves of the keys so far", only=KRAFT, joins=(
            K.PRODUCE, K.FETCH, K.LIST_OFFSETS, K.METADATA, K.OFFSET_COMMIT, K.OFFSET_FETCH, K.FIND_COORDINATOR,
            K.JOIN_GROUP, K.HEARTBEAT, K.LEAVE_GROUP, K.SYNC_GROUP, K.DESCRIBE_GROUPS, K.LIST_GROUPS, K.SASL_HANDSHAKE,
            K.API_VERSIONS, K.CREATE_TOPICS, K.DELETE_TOPICS, K.DELETE_RECORDS, K.OFFSET_FOR_LEADER_EPOCH,
            K.WRITE_TXN_MARKERS, K.DESCRIBE_CONFIGS, K.ALTER_REPLICA_LOG_DIRS, K.DESCRIBE_LOG_DIRS, K.SASL_AUTHENTICATE,
            K.DELETE_GROUPS, K.INCREMENTAL_ALTER_CONFIGS, K.OFFSET_DELETE, K.ALTER_CLIENT_QUOTAS,
        )),
        ApiStep("KAFKA-10492, KIP-595: the metadata quorum", only=KRAFT, new={K.DESCRIBE_QUORUM: 0}),
        ApiStep("KAFKA-10181, KIP-590: requests passed on to the controller", only=KRAFT, new={K.ENVELOPE: 0}),
        ApiStep("KAFKA-12249, KIP-631: brokers taken off the cluster", only=KRAFT, new={K.UNREGISTER_BROKER: 0}),
        ApiStep("KAFKA-10729, KIP-482: flexible versions", up={
            K.PRODUCE: 9, K.LIST_OFFSETS: 6, K.OFFSET_FOR_LEADER_EPOCH: 4, K.ADD_PARTITIONS_TO_TXN: 3,
            K.ADD_OFFSETS_TO_TXN: 3, K.END_TXN: 3, K.WRITE_TXN_MARKERS: 1, K.DESCRIBE_CONFIGS: 4, K.ALTER_CONFIGS: 2,
            K.ALTER_REPLICA_LOG_DIRS: 2, K.DESCRIBE_CLIENT_QUOTAS: 1, K.ALTER_CLIENT_QUOTAS: 1,
        }),
        ApiStep("KAFKA-10547, KAFKA-10545, KAFKA-10764, KIP-516: topic ids", up={
            K.METADATA: 10, K.UPDATE_METADATA: 7, K.LEADER_AND_ISR: 5, K.CREATE_TOPICS: 7, K.DELETE_TOPICS: 6,
        }),
        ApiStep("KAFKA-12204, KIP-700: the cluster has a request of its own", new={K.DESCRIBE_CLUSTER: 0}),
        ApiStep("KAFKA-12212, KIP-700: authorized operations of the cluster leave Metadata", up={K.METADATA: 11}),
        ApiStep("KAFKA-12238, KIP-664: producers", new={K.DESCRIBE_PRODUCERS: 0}),
    ),
    "3.0": (
        ApiStep("KAFKA-12267, KAFKA-12369, KIP-664: transactions can be looked at", new={
            K.DESCRIBE_TRANSACTIONS: 0, K.LIST_TRANSACTIONS: 0,
        }),
        ApiStep("KAFKA-12620, KIP-730: producer ids from the controller", only=ZK, new={K.ALLOCATE_PRODUCER_IDS: 0}),
        ApiStep("KAFKA-12620, KIP-730: KRaft brokers hand out producer ids", only=KRAFT, joins=(
            K.INIT_PRODUCER_ID, K.ADD_PARTITIONS_TO_TXN, K.ADD_OFFSETS_TO_TXN, K.END_TXN, K.TXN_OFFSET_COMMIT,
        )),
        ApiStep("KAFKA-13057: requests a KRaft broker passes on", only=KRAFT, leaves=(K.UNREGISTER_BROKER,), joins=(
            K.DESCRIBE_ACLS, K.CREATE_ACLS, K.DELETE_ACLS, K.ALTER_CONFIGS, K.CREATE_PARTITIONS, K.ELECT_LEADERS,
            K.ALTER_PARTITION_REASSIGNMENTS, K.LIST_PARTITION_REASSIGNMENTS,
        )),
        ApiStep("KAFKA-12406: quotas in KRaft", only=KRAFT, joins=(K.DESCRIBE_CLIENT_QUOTAS,)),
        ApiStep("KAFKA-12541, KIP-734: offset of the largest timestamp", up={K.LIST_OFFSETS: 7}),
        ApiStep("KAFKA-12663, KIP-699: several coordinators at once", up={K.FIND_COORDINATOR: 4}),
        ApiStep("KAFKA-12234, KIP-709: offsets of several groups", up={K.OFFSET_FETCH: 8}),
    ),
    "3.1": (
        ApiStep("KAFKA-10580, KAFKA-10744, KIP-516: topic ids instead of names", up={K.FETCH: 13, K.METADATA: 12}),
    ),
    "3.2": (
        ApiStep("KAFKA-13495, KAFKA-13496, KIP-800: why a member joins or leaves",
                up={K.JOIN_GROUP: 8, K.LEAVE_GROUP: 5}),
        ApiStep("KAFKA-13435, KIP-814: static leaders may skip the assignment", up={K.JOIN_GROUP: 9}),
        ApiStep("KAFKA-13527, KIP-784: an error of the whole answer", up={K.DESCRIBE_LOG_DIRS: 3}),
        ApiStep("KAFKA-13587, KIP-704: leaders after an unclean election",
                up={K.LEADER_AND_ISR: 6, K.ALTER_PARTITION: 1}),
        ApiStep("KAFKA-13823, KIP-778: the controller can update features", only=KRAFT, joins=(K.UPDATE_FEATURES,)),
        ApiStep("KAFKA-12278: a KRaft broker takes no envelopes", only=KRAFT, leaves=(K.ENVELOPE,)),
    ),
    "3.3": (
        ApiStep("KAFKA-13823, KIP-778: feature levels", up={K.UPDATE_FEATURES: 1}),
        ApiStep("KAFKA-13958, KIP-827: free and total bytes", up={K.DESCRIBE_LOG_DIRS: 4}),
        ApiStep("KIP-841: fenced brokers stay out of the in-sync set", up={K.ALTER_PARTITION: 2}),
        ApiStep("KAFKA-6945, KIP-373: tokens for other users", up={
            K.DESCRIBE_ACLS: 3, K.CREATE_ACLS: 3, K.DELETE_ACLS: 3, K.CREATE_DELEGATION_TOKEN: 3,
            K.DESCRIBE_DELEGATION_TOKEN: 3,
        }),
        ApiStep("KIP-836: fetch times of the quorum", up={K.DESCRIBE_QUORUM: 1}),
        ApiStep("KIP-631: UnregisterBrokerRequest.json is back on the broker's listener", only=KRAFT,
                joins=(K.UNREGISTER_BROKER,)),
    ),
    "3.4": (
        ApiStep("KAFKA-14304, KIP-866: the way from ZooKeeper to KRaft", up={
            K.LEADER_AND_ISR: 7, K.STOP_REPLICA: 4, K.UPDATE_METADATA: 8,
        }),
        ApiStep("KAFKA-14446, KIP-866: ZooKeeper brokers pass requests on", only=ZK, joins=(K.ENVELOPE,)),
    ),
    "3.5": (
        ApiStep("KAFKA-13369, KIP-405: tiered storage", up={K.FETCH: 14, K.LIST_OFFSETS: 8}),
        ApiStep("KAFKA-14617, KIP-903: replicas with broker epochs", up={K.FETCH: 15, K.ALTER_PARTITION: 3}),
        ApiStep("KAFKA-14084: SCRAM in KRaft", only=KRAFT, joins=(
            K.DESCRIBE_USER_SCRAM_CREDENTIALS, K.ALTER_USER_SCRAM_CREDENTIALS,
        )),
        ApiStep("KAFKA-14402, KIP-890: several transactions at once, not yet stable", unstable={
            K.ADD_PARTITIONS_TO_TXN: 4,
        }),
        ApiStep("KAFKA-14391, KIP-848: the new group protocol, not yet stable",
                unstable={K.CONSUMER_GROUP_HEARTBEAT: 0}),
    ),
    "3.6": (
        ApiStep("KAFKA-14402, KIP-890: several transactions at once", up={K.ADD_PARTITIONS_TO_TXN: 4}),
        ApiStep("KAFKA-15219: delegation tokens in KRaft", only=KRAFT, joins=(
            K.CREATE_DELEGATION_TOKEN, K.RENEW_DELEGATION_TOKEN, K.EXPIRE_DELEGATION_TOKEN, K.DESCRIBE_DELEGATION_TOKEN,
        )),
        ApiStep("KIP-848: commits of the new group protocol, not yet stable",
                unstable={K.OFFSET_COMMIT: 9}),
    ),
    "3.7": (
        ApiStep("KAFKA-15661, KIP-951: the new leader comes with the error", up={K.PRODUCE: 10, K.FETCH: 16}),
        ApiStep("KAFKA-14499, KIP-848: commits of the new group protocol", up={K.OFFSET_COMMIT: 9, K.OFFSET_FETCH: 9}),
        ApiStep("KAFKA-14391, KIP-848: the new group protocol", new={K.CONSUMER_GROUP_HEARTBEAT: 0}),
        ApiStep("KAFKA-14509, KIP-848: groups of the new protocol, not yet stable", unstable={
            K.CONSUMER_GROUP_DESCRIBE: 0,
        }),
        ApiStep("KAFKA-15368, KIP-919: the controllers describe the cluster, too", up={K.DESCRIBE_CLUSTER: 1}),
        ApiStep("KAFKA-15604, KIP-714: metrics of clients, where a receiver is configured", only=KRAFT, new={
            K.GET_TELEMETRY_SUBSCRIPTIONS: 0, K.PUSH_TELEMETRY: 0,
        }),
        ApiStep("KAFKA-15831, KIP-1000: names of client metrics resources", only=KRAFT,
                new={K.LIST_CONFIG_RESOURCES: 0}),
    ),
    "3.8": (
        ApiStep("KAFKA-16314, KIP-890: an error that asks for an abort", up={
            K.PRODUCE: 11, K.FIND_COORDINATOR: 5, K.INIT_PRODUCER_ID: 5, K.ADD_PARTITIONS_TO_TXN: 5,
            K.ADD_OFFSETS_TO_TXN: 4, K.END_TXN: 4, K.TXN_OFFSET_COMMIT: 4,
        }),
        ApiStep("KAFKA-15460, KIP-848: groups by type", up={K.LIST_GROUPS: 5}),
        ApiStep("KAFKA-14509, KIP-848: groups of the new protocol", new={K.CONSUMER_GROUP_DESCRIBE: 0}),
        ApiStep("KAFKA-16265, KIP-994: transactions by duration", up={K.LIST_TRANSACTIONS: 1}),
        ApiStep("KAFKA-15585, KIP-966: partitions page by page", only=KRAFT, new={K.DESCRIBE_TOPIC_PARTITIONS: 0}),
    ),
    "3.9": (
        ApiStep("KAFKA-16527, KIP-853: directory ids of replicas", up={K.FETCH: 17}),
        ApiStep("KIP-1005: the latest offset in tiered storage", up={K.LIST_OFFSETS: 9}),
        ApiStep("KAFKA-16713, KIP-932: coordinators of share groups", up={K.FIND_COORDINATOR: 6}),
        ApiStep("KAFKA-17011: features with minimum level 0", up={K.API_VERSIONS: 4}),
        ApiStep("KAFKA-16520, KIP-853: the quorum's directories and listeners", up={K.DESCRIBE_QUORUM: 2}),
        ApiStep("KAFKA-16535, KIP-853: voters come and go", only=KRAFT,
                new={K.ADD_RAFT_VOTER: 0, K.REMOVE_RAFT_VOTER: 0}),
        ApiStep("KAFKA-16713, KIP-932: share groups, early access", only=KRAFT, unstable={
            K.SHARE_GROUP_HEARTBEAT: 0, K.SHARE_GROUP_DESCRIBE: 0, K.SHARE_FETCH: 0, K.SHARE_ACKNOWLEDGE: 0,
            K.INITIALIZE_SHARE_GROUP_STATE: 0, K.READ_SHARE_GROUP_STATE: 0, K.WRITE_SHARE_GROUP_STATE: 0,
            K.DELETE_SHARE_GROUP_STATE: 0, K.READ_SHARE_GROUP_STATE_SUMMARY: 0,
        }),
    ),
}  # fmt: skip
