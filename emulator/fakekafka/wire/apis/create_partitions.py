"""CreatePartitions (key 37): add partitions to topics.

v0   1.0      first version (KIP-195)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
v3   2.7      THROTTLING_QUOTA_EXCEEDED may be answered (KIP-599)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int16, int32, string


class CreatePartitionsAssignment(Struct):
    broker_ids: list[int32] = field("0+")


class CreatePartitionsTopic(Struct):
    name: string = field("0+")
    count: int32 = field("0+")  # partitions in all, not only the new ones
    # null: the broker assigns; otherwise one for each new partition
    assignments: list[CreatePartitionsAssignment] | None = field("0+")


class CreatePartitionsRequest(Request, key=37, versions="0-3", flexible="2+"):
    topics: list[CreatePartitionsTopic] = field("0+")
    timeout_ms: int32 = field("0+")
    validate_only: boolean = field("0+")


class CreatePartitionsTopicResult(Struct):
    name: string = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class CreatePartitionsResponse(Response, key=37, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    results: list[CreatePartitionsTopicResult] = field("0+")
