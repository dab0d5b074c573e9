"""DescribeLogDirs (key 35)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, int64, string


class DescribableLogDirTopic(Struct):
    topic: string = field("0+")
    partitions: list[int32] = field("0+")


class DescribeLogDirsRequest(Request, key=35, versions="0-5", flexible="2+"):
    topics: list[DescribableLogDirTopic] | None = field("0+")


class DescribeLogDirsPartition(Struct):
    partition_index: int32 = field("0+")
    partition_size: int64 = field("0+")
    offset_lag: int64 = field("0+")
    is_future_key: boolean = field("0+")


class DescribeLogDirsTopic(Struct):
    name: string = field("0+")
    partitions: list[DescribeLogDirsPartition] = field("0+")


class DescribeLogDirsResult(Struct):
    error_code: int16 = field("0+")
    log_dir: string = field("0+")
    topics: list[DescribeLogDirsTopic] = field("0+")
    total_bytes: int64 = field("4+", default=-1)
    usable_bytes: int64 = field("4+", default=-1)
    is_cordoned: boolean = field("5+")


class DescribeLogDirsResponse(Response, key=35, versions="0-5", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("3+")
    results: list[DescribeLogDirsResult] = field("0+")
