"""DeleteShareGroupOffsets (key 92): delete start offsets of an empty share group.

v0   4.1      first version (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class DeleteShareGroupOffsetsRequestTopic(Struct):
    topic_name: string = field("0+")


class DeleteShareGroupOffsetsRequest(Request, key=92, versions="0", flexible="0+"):
    group_id: string = field("0+")
    topics: list[DeleteShareGroupOffsetsRequestTopic] = field("0+")


class DeleteShareGroupOffsetsResponseTopic(Struct):
    topic_name: string = field("0+")
    topic_id: uuid = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)


class DeleteShareGroupOffsetsResponse(Response, key=92, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+", default=None)
    responses: list[DeleteShareGroupOffsetsResponseTopic] = field("0+")
