"""API changes of 0.8.0 to 2.7: one controller mode, ZooKeeper, and versions that only ever grew.

Each line names the ticket or KIP and, where the name of the API does not say it, what the version brought. Up to 0.9
there is no ApiVersions: the table says what the broker accepts.
"""

from collections.abc import Mapping
from typing import Final

from fakekafka.ids import ApiKey as K
from fakekafka.releases.history.step import ZK, ApiStep

STEPS: Final[Mapping[str, tuple[ApiStep, ...]]] = {
    "0.8.0": (
        ApiStep("RequestKeys.scala: the first protocol with replication (KAFKA-50)", only=ZK, new={
            K.PRODUCE: 0, K.FETCH: 0, K.LIST_OFFSETS: 0, K.METADATA: 0,
            K.LEADER_AND_ISR: 0, K.STOP_REPLICA: 0, K.UPDATE_METADATA: 0, K.CONTROLLED_SHUTDOWN: 0,
        }),
    ),
    "0.8.1": (
        ApiStep("KAFKA-965: offsets in ZooKeeper through the broker", only=ZK, new={
            K.OFFSET_COMMIT: 0, K.OFFSET_FETCH: 0,
        }),
    ),
    "0.8.2": (
        ApiStep("KAFKA-1462: commits with generation and member", up={K.OFFSET_COMMIT: 1}),
        ApiStep("KAFKA-1841: version 1 reads the broker's own offsets, version 0 ZooKeeper's", up={K.OFFSET_FETCH: 1}),
        ApiStep("KAFKA-1012: a group's offsets have a broker to ask", only=ZK, new={K.FIND_COORDINATOR: 0}),
    ),
    "0.9.0": (
        ApiStep("KAFKA-2136, KIP-13: throttle time in the answer", up={K.PRODUCE: 1, K.FETCH: 1}),
        ApiStep("KAFKA-2411: end points by security protocol; client id", up={
            K.UPDATE_METADATA: 1, K.CONTROLLED_SHUTDOWN: 1,
        }),
        ApiStep("KAFKA-1634: one retention time instead of commit times", up={K.OFFSET_COMMIT: 2}),
        ApiStep("KAFKA-2464: groups coordinated by a broker", only=ZK, new={
            K.JOIN_GROUP: 0, K.HEARTBEAT: 0, K.LEAVE_GROUP: 0, K.SYNC_GROUP: 0,
        }),
        ApiStep("KAFKA-2687: groups can be looked at", only=ZK, new={K.DESCRIBE_GROUPS: 0, K.LIST_GROUPS: 0}),
    ),
    "0.10.0": (
        ApiStep("KAFKA-3025, KIP-31, KIP-32: message format 1, with timestamps", up={K.PRODUCE: 2, K.FETCH: 2}),
        ApiStep("KAFKA-3306, KIP-4: racks, controller, internal topics; null asks for all topics", up={K.METADATA: 1}),
        ApiStep("KAFKA-1215, KIP-36: racks", up={K.UPDATE_METADATA: 2}),
        ApiStep("KAFKA-3149, KIP-43: SASL mechanism chosen by the client", only=ZK, new={K.SASL_HANDSHAKE: 0}),
        ApiStep("KAFKA-3307, KIP-35: the broker says what it serves", only=ZK, new={K.API_VERSIONS: 0}),
        ApiStep("KAFKA-3307: Protocol.java advertises ControlledShutdown from version 1",
                low={K.CONTROLLED_SHUTDOWN: 1}),
    ),
    "0.10.1": (
        ApiStep("KAFKA-2063, KIP-74: a limit for the whole answer", up={K.FETCH: 3}),
        ApiStep("KAFKA-4148, KIP-79: offset by timestamp", up={K.LIST_OFFSETS: 1}),
        ApiStep("KAFKA-4093, KIP-78: cluster id", up={K.METADATA: 2}),
        ApiStep("KAFKA-3888, KIP-62: rebalance timeout", up={K.JOIN_GROUP: 1}),
        ApiStep("KAFKA-2945, KAFKA-2946, KIP-4: topics made by request", only=ZK, new={
            K.CREATE_TOPICS: 0, K.DELETE_TOPICS: 0,
        }),
    ),
    "0.10.2": (
        ApiStep("KAFKA-4565, KIP-103: listeners with names", up={K.UPDATE_METADATA: 3}),
        ApiStep("KAFKA-3853, KIP-88: all offsets of a group; an error of the whole", up={K.OFFSET_FETCH: 2}),
        ApiStep("KAFKA-4591, KIP-108: validate only; messages with errors", up={K.CREATE_TOPICS: 1}),
    ),
    "0.11.0": (
        ApiStep("KAFKA-4816, KIP-98: message format 2, transactional id, isolation level",
                up={K.PRODUCE: 3, K.FETCH: 4}),
        ApiStep("KAFKA-4586, KIP-107: log start offset, records deleted by request", only=ZK, up={K.FETCH: 5},
                new={K.DELETE_RECORDS: 0}),
        ApiStep("KAFKA-5043, KIP-98: coordinators of transactions", up={K.FIND_COORDINATOR: 1}),
        ApiStep("KAFKA-4817, KIP-98: producer ids", only=ZK, new={K.INIT_PRODUCER_ID: 0}),
        ApiStep("KAFKA-1211, KIP-101: truncation by leader epoch", only=ZK, new={K.OFFSET_FOR_LEADER_EPOCH: 0}),
        ApiStep("KAFKA-4990, KIP-98: transactions", only=ZK, new={
            K.ADD_PARTITIONS_TO_TXN: 0, K.ADD_OFFSETS_TO_TXN: 0, K.END_TXN: 0, K.WRITE_TXN_MARKERS: 0,
            K.TXN_OFFSET_COMMIT: 0,
        }),
        ApiStep("KAFKA-3266, KIP-140: access control lists", only=ZK, new={
            K.DESCRIBE_ACLS: 0, K.CREATE_ACLS: 0, K.DELETE_ACLS: 0,
        }),
        ApiStep("KAFKA-3267, KIP-133: configs", only=ZK, new={K.DESCRIBE_CONFIGS: 0, K.ALTER_CONFIGS: 0}),
        ApiStep("KAFKA-4954, KIP-124: throttle time in every answer", up={
            K.LIST_OFFSETS: 2, K.METADATA: 3, K.OFFSET_COMMIT: 3, K.OFFSET_FETCH: 3, K.JOIN_GROUP: 2, K.HEARTBEAT: 1,
            K.LEAVE_GROUP: 1, K.SYNC_GROUP: 1, K.DESCRIBE_GROUPS: 1, K.LIST_GROUPS: 1, K.API_VERSIONS: 1,
            K.CREATE_TOPICS: 2, K.DELETE_TOPICS: 1,
        }),
        ApiStep("KAFKA-5291: metadata without creating topics", up={K.METADATA: 4}),
    ),
    "1.0": (
        ApiStep("KAFKA-4763, KIP-112: broken log directories", up={
            K.PRODUCE: 4, K.FETCH: 6, K.METADATA: 5, K.LEADER_AND_ISR: 1, K.UPDATE_METADATA: 4,
        }),
        ApiStep("KAFKA-5793: log start offset, to tell a lost producer from a gap", up={K.PRODUCE: 5}),
        ApiStep("KAFKA-4764, KIP-152: SASL tokens inside of requests", only=ZK, up={K.SASL_HANDSHAKE: 1},
                new={K.SASL_AUTHENTICATE: 0}),
        ApiStep("KAFKA-5694, KIP-113: log directories", only=ZK, new={
            K.ALTER_REPLICA_LOG_DIRS: 0, K.DESCRIBE_LOG_DIRS: 0,
        }),
        ApiStep("KAFKA-5856, KIP-195: more partitions", only=ZK, new={K.CREATE_PARTITIONS: 0}),
        ApiStep("ControlledShutdownRequest.java: version 0 is on the list again", reopened={K.CONTROLLED_SHUTDOWN: 0}),
    ),
    "1.1": (
        ApiStep("KAFKA-6254, KIP-227: fetch sessions", up={K.FETCH: 7}),
        ApiStep("KAFKA-6241, KIP-226: sources and synonyms of configs", up={K.DESCRIBE_CONFIGS: 1}),
        ApiStep("KAFKA-4541, KIP-48: delegation tokens", only=ZK, new={
            K.CREATE_DELEGATION_TOKEN: 0, K.RENEW_DELEGATION_TOKEN: 0, K.EXPIRE_DELEGATION_TOKEN: 0,
            K.DESCRIBE_DELEGATION_TOKEN: 0,
        }),
        ApiStep("KAFKA-6275, KIP-229: delete groups", only=ZK, new={K.DELETE_GROUPS: 0}),
    ),
    "2.0": (
        ApiStep("KAFKA-6028, KIP-219: the answer comes at once, the client waits out the throttle time", up={
            K.PRODUCE: 6, K.FETCH: 8, K.LIST_OFFSETS: 3, K.METADATA: 6, K.OFFSET_COMMIT: 4, K.OFFSET_FETCH: 4,
            K.FIND_COORDINATOR: 2, K.JOIN_GROUP: 3, K.HEARTBEAT: 2, K.LEAVE_GROUP: 2, K.SYNC_GROUP: 2,
            K.DESCRIBE_GROUPS: 2, K.LIST_GROUPS: 2, K.API_VERSIONS: 2, K.CREATE_TOPICS: 3, K.DELETE_TOPICS: 2,
            K.DELETE_RECORDS: 1, K.INIT_PRODUCER_ID: 1, K.ADD_PARTITIONS_TO_TXN: 1, K.ADD_OFFSETS_TO_TXN: 1,
            K.END_TXN: 1, K.TXN_OFFSET_COMMIT: 1, K.DESCRIBE_CONFIGS: 2, K.ALTER_CONFIGS: 1,
            K.ALTER_REPLICA_LOG_DIRS: 1, K.DESCRIBE_LOG_DIRS: 1, K.CREATE_PARTITIONS: 1, K.CREATE_DELEGATION_TOKEN: 1,
            K.RENEW_DELEGATION_TOKEN: 1, K.EXPIRE_DELEGATION_TOKEN: 1, K.DESCRIBE_DELEGATION_TOKEN: 1,
            K.DELETE_GROUPS: 1,
        }),
        ApiStep("KAFKA-6841, KIP-290: rules for prefixes of names", up={
            K.DESCRIBE_ACLS: 1, K.CREATE_ACLS: 1, K.DELETE_ACLS: 1,
        }),
        ApiStep("KAFKA-6361, KIP-279: the epoch comes with the offset", up={K.OFFSET_FOR_LEADER_EPOCH: 1}),
    ),
    "2.1": (
        ApiStep("KAFKA-4682, KIP-211: no retention time in a commit", up={K.OFFSET_COMMIT: 5}),
        ApiStep("KAFKA-5975, KIP-322: an error for switched-off deletion", up={K.DELETE_TOPICS: 3}),
        ApiStep("KAFKA-7333, KIP-320: clients check leader epochs", up={
            K.FETCH: 9, K.LIST_OFFSETS: 4, K.METADATA: 7, K.OFFSET_COMMIT: 6, K.OFFSET_FETCH: 5,
            K.OFFSET_FOR_LEADER_EPOCH: 2, K.TXN_OFFSET_COMMIT: 2,
        }),
        ApiStep("KAFKA-4514, KIP-110: zstd", up={K.PRODUCE: 7, K.FETCH: 10}),
    ),
    "2.2": (
        ApiStep("KAFKA-2334, KIP-207: an error while a new leader does not know its high watermark", up={
            K.LIST_OFFSETS: 5,
        }),
        ApiStep("KAFKA-7824, KIP-394: a member id is needed to join", up={K.JOIN_GROUP: 4}),
        ApiStep("KAFKA-7352, KIP-368: SASL sessions end", up={K.SASL_AUTHENTICATE: 1}),
        ApiStep("KAFKA-7235, KIP-380: broker epochs", up={
            K.LEADER_AND_ISR: 2, K.STOP_REPLICA: 1, K.UPDATE_METADATA: 5, K.CONTROLLED_SHUTDOWN: 2,
        }),
        ApiStep("KAFKA-5692, KIP-183: preferred leaders", only=ZK, new={K.ELECT_LEADERS: 0}),
    ),
    "2.3": (
        ApiStep("KAFKA-7922, KIP-430: authorized operations", up={K.METADATA: 8, K.DESCRIBE_GROUPS: 3}),
        ApiStep("KAFKA-8365, KIP-392: fetch from the nearest replica", up={K.FETCH: 11, K.OFFSET_FOR_LEADER_EPOCH: 3}),
        ApiStep("KAFKA-7862, KIP-345: static members", up={
            K.JOIN_GROUP: 5, K.OFFSET_COMMIT: 7, K.HEARTBEAT: 3, K.SYNC_GROUP: 3,
        }),
        ApiStep("KAFKA-7466, KIP-339: configs one by one", only=ZK, new={K.INCREMENTAL_ALTER_CONFIGS: 0}),
    ),
    "2.4": (
        ApiStep("KAFKA-8345, KIP-455: replicas being added and removed", only=ZK, up={K.LEADER_AND_ISR: 3},
                new={K.ALTER_PARTITION_REASSIGNMENTS: 0, K.LIST_PARTITION_REASSIGNMENTS: 0}),
        ApiStep("KAFKA-8538, KAFKA-8221, KIP-345: instance ids shown; several members leave", up={
            K.DESCRIBE_GROUPS: 4, K.LEAVE_GROUP: 3,
        }),
        ApiStep("KAFKA-8305, KIP-464: -1 means the broker's defaults", up={K.CREATE_TOPICS: 4}),
        ApiStep("KAFKA-8286, KIP-460: unclean elections", up={K.ELECT_LEADERS: 1}),
        ApiStep("KAFKA-8730, KIP-496: offsets deleted by request", only=ZK, new={K.OFFSET_DELETE: 0}),
        ApiStep("KAFKA-8885, KIP-482: flexible versions (with KIP-511 for ApiVersions, KIP-525 for CreateTopics)", up={
            K.METADATA: 9, K.LEADER_AND_ISR: 4, K.STOP_REPLICA: 2, K.UPDATE_METADATA: 6, K.CONTROLLED_SHUTDOWN: 3,
            K.OFFSET_COMMIT: 8, K.OFFSET_FETCH: 6, K.FIND_COORDINATOR: 3, K.JOIN_GROUP: 6, K.HEARTBEAT: 4,
            K.LEAVE_GROUP: 4, K.SYNC_GROUP: 4, K.DESCRIBE_GROUPS: 5, K.LIST_GROUPS: 3, K.API_VERSIONS: 3,
            K.CREATE_TOPICS: 5, K.DELETE_TOPICS: 4, K.INIT_PRODUCER_ID: 2, K.CREATE_DELEGATION_TOKEN: 2,
            K.DELETE_GROUPS: 2, K.ELECT_LEADERS: 2, K.INCREMENTAL_ALTER_CONFIGS: 1,
        }),
        ApiStep("KAFKA-8729, KIP-467: errors of single records", up={K.PRODUCE: 8}),
    ),
    "2.5": (
        ApiStep("KAFKA-8710, KIP-360: a producer gets its epoch bumped", up={K.INIT_PRODUCER_ID: 3}),
        ApiStep("KAFKA-9346, KAFKA-9365, KIP-447: stable offsets; commits check the member", up={
            K.OFFSET_FETCH: 7, K.TXN_OFFSET_COMMIT: 3,
        }),
        ApiStep("KAFKA-9420, KIP-482: flexible versions", up={
            K.SASL_AUTHENTICATE: 2, K.CREATE_PARTITIONS: 2, K.RENEW_DELEGATION_TOKEN: 2, K.EXPIRE_DELEGATION_TOKEN: 2,
            K.DESCRIBE_DELEGATION_TOKEN: 2,
        }),
        ApiStep("KAFKA-9026, KAFKA-9027, KAFKA-9028, KIP-482: flexible versions", up={
            K.DESCRIBE_ACLS: 2, K.CREATE_ACLS: 2, K.DELETE_ACLS: 2,
        }),
        ApiStep("KAFKA-9437, KIP-559: protocol type and name", up={K.JOIN_GROUP: 7, K.SYNC_GROUP: 5}),
    ),
    "2.6": (
        ApiStep("KAFKA-8768, KAFKA-9435, KIP-482: flexible versions", up={K.DELETE_RECORDS: 2, K.DESCRIBE_LOG_DIRS: 2}),
        ApiStep("KAFKA-7740, KIP-546: quotas by request", only=ZK, new={
            K.DESCRIBE_CLIENT_QUOTAS: 0, K.ALTER_CLIENT_QUOTAS: 0,
        }),
        ApiStep("KAFKA-9539, KIP-570: leader epochs", up={K.STOP_REPLICA: 3}),
        ApiStep("KAFKA-9130, KIP-518: groups by state", up={K.LIST_GROUPS: 4}),
        ApiStep("KAFKA-9494, KIP-569: types and documentation of configs", up={K.DESCRIBE_CONFIGS: 3}),
    ),
    "2.7": (
        ApiStep("KAFKA-10163, KIP-599: a quota of topic changes", up={
            K.CREATE_PARTITIONS: 3, K.CREATE_TOPICS: 6, K.DELETE_TOPICS: 5,
        }),
        ApiStep("KAFKA-9911, KIP-588: fenced producers get an error of their own", up={
            K.INIT_PRODUCER_ID: 4, K.ADD_PARTITIONS_TO_TXN: 2, K.ADD_OFFSETS_TO_TXN: 2, K.END_TXN: 2,
        }),
        ApiStep("KAFKA-10259, KIP-554: SCRAM credentials", only=ZK, new={
            K.DESCRIBE_USER_SCRAM_CREDENTIALS: 0, K.ALTER_USER_SCRAM_CREDENTIALS: 0,
        }),
        ApiStep("KAFKA-10435, KIP-595: diverging epochs; flexible", up={K.FETCH: 12}),
        ApiStep("KAFKA-8836, KIP-497: leaders report their in-sync replicas", only=ZK, new={K.ALTER_PARTITION: 0}),
        ApiStep("KAFKA-10028, KIP-584: features", only=ZK, new={K.UPDATE_FEATURES: 0}),
    ),
}  # fmt: skip
