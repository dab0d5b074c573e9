"""DeleteTopics (key 20)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class DeleteTopicState(Struct):
    name: string | None = field("6+", default=None)
    topic_id: uuid = field("6+")


class DeleteTopicsRequest(Request, key=20, versions="0-6", flexible="4+"):
    topic_names: list[string] = field("0-5")
    topics: list[DeleteTopicState] = field("6+")
    timeout_ms: int32 = field("0+")


class DeletableTopicResult(Struct):
    name: string | None = field("0+", nullable="6+")
    topic_id: uuid = field("6+")
    error_code: int16 = field("0+")
    error_message: string | None = field("5+", default=None)


class DeleteTopicsResponse(Response, key=20, versions="0-6", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    responses: list[DeletableTopicResult] = field("0+")
