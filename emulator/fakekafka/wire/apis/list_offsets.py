"""ListOffsets (key 2): look up offsets by timestamp, or the ends of a log.

Named ListOffset up to 2.7. v0 is gone from 4.0 on (KIP-896).

v0   0.8.0    answers a list of up to max_num_offsets segment offsets before the timestamp
v1   0.10.1   answers one offset, with its timestamp (KIP-79)
v2   0.11.0   isolation level; response: throttle time (KIP-98)
v3   2.0      a client over its quota is answered at once and then muted (KIP-219)
v4   2.1      leader epochs (KIP-320)
v5   2.2      OFFSET_NOT_AVAILABLE may be answered after an election (KIP-207)
v6   2.8      flexible (KIP-482)
v7   3.0      timestamp -3: record with the largest timestamp (KIP-734)
v8   3.5      timestamp -4: earliest offset on the local disk (KIP-405)
v9   3.9      timestamp -5: last offset in tiered storage (KIP-1005)
v10  4.0      timeout for look-ups in tiered storage (KIP-1075)
v11  4.2      timestamp -6: earliest offset that waits for its upload (KIP-1023)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, int64, string


class ListOffsetsPartition(Struct):
    partition_index: int32 = field("0+")
    current_leader_epoch: int32 = field("4+", default=-1)  # -1: not checked
    timestamp: int64 = field("0+")  # -1 latest, -2 earliest; below that see the versions
    max_num_offsets: int32 = field("0", default=1)


class ListOffsetsTopic(Struct):
    name: string = field("0+")
    partitions: list[ListOffsetsPartition] = field("0+")


class ListOffsetsRequest(Request, key=2, versions="0-11", flexible="6+"):
    replica_id: int32 = field("0+")  # -1 consumer, -2 debugging consumer
    isolation_level: int8 = field("2+")  # 0 read uncommitted, 1 read committed
    topics: list[ListOffsetsTopic] = field("0+")
    timeout_ms: int32 = field("10+")


class ListOffsetsPartitionResponse(Struct):
    partition_index: int32 = field("0+")
    error_code: int16 = field("0+")
    old_style_offsets: list[int64] = field("0")  # descending
    timestamp: int64 = field("1+", default=-1)  # -1: none, also for the ends of the log
    offset: int64 = field("1+", default=-1)  # -1: no record is recent enough
    leader_epoch: int32 = field("4+", default=-1)


class ListOffsetsTopicResponse(Struct):
    name: string = field("0+")
    partitions: list[ListOffsetsPartitionResponse] = field("0+")


class ListOffsetsResponse(Response, key=2, versions="0-11", flexible="6+"):
    throttle_time_ms: int32 = field("2+")
    topics: list[ListOffsetsTopicResponse] = field("0+")
