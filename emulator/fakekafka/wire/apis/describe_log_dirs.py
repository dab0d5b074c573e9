"""DescribeLogDirs (key 35): log directories of a broker, with the sizes of their partitions.

v0 is gone from 4.0 on (KIP-896).

v0   1.0      first version (KIP-113)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.6      flexible (KIP-482)
v3   3.2      error code for the whole response (KAFKA-13527)
v4   3.3      size and free space of each directory (KIP-827)
v5   4.3      whether a directory is cordoned (KIP-1066)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class DescribableLogDirTopic(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class DescribeLogDirsRequest(Request, key=35, versions="0-5", flexible="2+"):
    topics: list[DescribableLogDirTopic] | None = field("0+")  # null: all


class DescribeLogDirsPartition(Struct):
    partition_index: int32 = field("0+")
    partition_size: int64 = field("0+")  # bytes
    offset_lag: int64 = field("0+")  # behind the high watermark; for a future log, behind the current one
    is_future_key: boolean = field("0+")  # made by AlterReplicaLogDirs, not yet in use


class DescribeLogDirsTopic(Struct):
    name: string = field("0+")
    partitions: list[DescribeLogDirsPartition] = field("0+")


class DescribeLogDirsResult(Struct):
    error_code: int16 = field("0+")
    log_dir: string = field("0+")
    topics: list[DescribeLogDirsTopic] = field("0+")
    total_bytes: int64 = field("4+", default=-1)  # -1: unknown
    usable_bytes: int64 = field("4+", default=-1)  # -1: unknown
    is_cordoned: boolean = field("5+")


class DescribeLogDirsResponse(Response, key=35, versions="0-5", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("3+")
    results: list[DescribeLogDirsResult] = field("0+")
