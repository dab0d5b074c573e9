"""The kinds of numbers and names that Kafka distinguishes, and the API keys.

The kinds are plain aliases: they say in a signature what a number means (`Offset`, not `int`). They are not `NewType`s,
because arithmetic on a `NewType` gives back a bare `int`, and wrapping each sum again costs a call on the hot path. -1
stands for a missing value of every kind: see the constants.
"""

from enum import IntEnum, IntFlag
from typing import Final, TypeAlias

Offset: TypeAlias = int
"""Number of a record in its partition. Not a `Position`."""
Position: TypeAlias = int
"""Byte position in a segment file."""
TimestampMs: TypeAlias = int
"""Milliseconds since 1970 on the broker's wall clock."""
DurationMs: TypeAlias = int
LeaderEpoch: TypeAlias = int
"""Number of a leader's reign over a partition. Not a `ProducerEpoch`."""
ProducerId: TypeAlias = int
ProducerEpoch: TypeAlias = int
Sequence: TypeAlias = int
"""Number of a record among those of one producer and partition, modulo 2**31."""
GenerationId: TypeAlias = int
BrokerId: TypeAlias = int
TopicName: TypeAlias = str
PartitionIndex: TypeAlias = int
Magic: TypeAlias = int
"""Message format: 0, 1 or 2."""
CodecId: TypeAlias = int
"""Compression codec: 0 none, 1 gzip, 2 snappy, 3 lz4, 4 zstd."""
Uuid: TypeAlias = bytes
"""16 bytes, as on the wire."""
TopicPartition: TypeAlias = tuple[TopicName, PartitionIndex]
TopicIdPartition: TypeAlias = tuple[Uuid, PartitionIndex]

Buffer: TypeAlias = bytes | bytearray | memoryview

NO_OFFSET: Final = -1
NO_TIMESTAMP: Final = -1
NO_EPOCH: Final = -1
NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
ZERO_UUID: Final = bytes(16)
MAX_INT32: Final = 2**31 - 1
"""The number of bytes that means no limit."""
OPERATIONS_NOT_ASKED_FOR: Final = -(2**31)
"""Stands for a set of `Operations` that the client did not ask for (KIP-430)."""


class Operations(IntFlag):
    """What a principal may do with a resource: bit n stands for operation n (AclOperation, KIP-430)."""

    READ = 1 << 3
    WRITE = 1 << 4
    CREATE = 1 << 5
    DELETE = 1 << 6
    ALTER = 1 << 7
    DESCRIBE = 1 << 8
    CLUSTER_ACTION = 1 << 9
    DESCRIBE_CONFIGS = 1 << 10
    ALTER_CONFIGS = 1 << 11
    IDEMPOTENT_WRITE = 1 << 12
    CREATE_TOKENS = 1 << 13
    DESCRIBE_TOKENS = 1 << 14


class ApiKey(IntEnum):
    """Every API key that any release knows, under Kafka's newest name."""

    PRODUCE = 0
    FETCH = 1
    LIST_OFFSETS = 2
    METADATA = 3
    LEADER_AND_ISR = 4
    STOP_REPLICA = 5
    UPDATE_METADATA = 6
    CONTROLLED_SHUTDOWN = 7
    OFFSET_COMMIT = 8
    OFFSET_FETCH = 9
    FIND_COORDINATOR = 10
    JOIN_GROUP = 11
    HEARTBEAT = 12
    LEAVE_GROUP = 13
    SYNC_GROUP = 14
    DESCRIBE_GROUPS = 15
    LIST_GROUPS = 16
    SASL_HANDSHAKE = 17
    API_VERSIONS = 18
    CREATE_TOPICS = 19
    DELETE_TOPICS = 20
    DELETE_RECORDS = 21
    INIT_PRODUCER_ID = 22
    OFFSET_FOR_LEADER_EPOCH = 23
    ADD_PARTITIONS_TO_TXN = 24
    ADD_OFFSETS_TO_TXN = 25
    END_TXN = 26
    WRITE_TXN_MARKERS = 27
    TXN_OFFSET_COMMIT = 28
    DESCRIBE_ACLS = 29
    CREATE_ACLS = 30
    DELETE_ACLS = 31
    DESCRIBE_CONFIGS = 32
    ALTER_CONFIGS = 33
    ALTER_REPLICA_LOG_DIRS = 34
    DESCRIBE_LOG_DIRS = 35
    SASL_AUTHENTICATE = 36
    CREATE_PARTITIONS = 37
    CREATE_DELEGATION_TOKEN = 38
    RENEW_DELEGATION_TOKEN = 39
    EXPIRE_DELEGATION_TOKEN = 40
    DESCRIBE_DELEGATION_TOKEN = 41
    DELETE_GROUPS = 42
    ELECT_LEADERS = 43
    INCREMENTAL_ALTER_CONFIGS = 44
    ALTER_PARTITION_REASSIGNMENTS = 45
    LIST_PARTITION_REASSIGNMENTS = 46
    OFFSET_DELETE = 47
    DESCRIBE_CLIENT_QUOTAS = 48
    ALTER_CLIENT_QUOTAS = 49
    DESCRIBE_USER_SCRAM_CREDENTIALS = 50
    ALTER_USER_SCRAM_CREDENTIALS = 51
    VOTE = 52
    BEGIN_QUORUM_EPOCH = 53
    END_QUORUM_EPOCH = 54
    DESCRIBE_QUORUM = 55
    ALTER_PARTITION = 56
    UPDATE_FEATURES = 57
    ENVELOPE = 58
    FETCH_SNAPSHOT = 59
    DESCRIBE_CLUSTER = 60
    DESCRIBE_PRODUCERS = 61
    BROKER_REGISTRATION = 62
    BROKER_HEARTBEAT = 63
    UNREGISTER_BROKER = 64
    DESCRIBE_TRANSACTIONS = 65
    LIST_TRANSACTIONS = 66
    ALLOCATE_PRODUCER_IDS = 67
    CONSUMER_GROUP_HEARTBEAT = 68
    CONSUMER_GROUP_DESCRIBE = 69
    CONTROLLER_REGISTRATION = 70
    GET_TELEMETRY_SUBSCRIPTIONS = 71
    PUSH_TELEMETRY = 72
    ASSIGN_REPLICAS_TO_DIRS = 73
    LIST_CONFIG_RESOURCES = 74
    DESCRIBE_TOPIC_PARTITIONS = 75
    SHARE_GROUP_HEARTBEAT = 76
    SHARE_GROUP_DESCRIBE = 77
    SHARE_FETCH = 78
    SHARE_ACKNOWLEDGE = 79
    ADD_RAFT_VOTER = 80
    REMOVE_RAFT_VOTER = 81
    UPDATE_RAFT_VOTER = 82
    INITIALIZE_SHARE_GROUP_STATE = 83
    READ_SHARE_GROUP_STATE = 84
    WRITE_SHARE_GROUP_STATE = 85
    DELETE_SHARE_GROUP_STATE = 86
    READ_SHARE_GROUP_STATE_SUMMARY = 87
    STREAMS_GROUP_HEARTBEAT = 88
    STREAMS_GROUP_DESCRIBE = 89
    DESCRIBE_SHARE_GROUP_OFFSETS = 90
    ALTER_SHARE_GROUP_OFFSETS = 91
    DELETE_SHARE_GROUP_OFFSETS = 92
    STREAMS_GROUP_TOPOLOGY_DESCRIPTION_UPDATE = 93
    UNREGISTER_CONTROLLER = 94
