"""DeleteTopics (key 20): delete topics.

v0 is gone from 4.0 on (KIP-896).

v0   0.10.1   first version (KIP-4)
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.1      TOPIC_DELETION_DISABLED instead of a timeout where deletion is switched off (KIP-322)
v4   2.4      flexible (KIP-482)
v5   2.7      error message; THROTTLING_QUOTA_EXCEEDED may be answered (KIP-599)
v6   2.8      topics by name or by id (KIP-516)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string, uuid


class DeleteTopicState(Struct):
    name: string | None = field("6+", default=None)  # null: by id
    topic_id: uuid = field("6+")


class DeleteTopicsRequest(Request, key=20, versions="0-6", flexible="4+"):
    topic_names: list[string] = field("0-5")
    topics: list[DeleteTopicState] = field("6+")
    timeout_ms: int32 = field("0+")


class DeletableTopicResult(Struct):
    name: string | None = field("0+", nullable="6+")  # null: unknown id
    topic_id: uuid = field("6+")
    error_code: int16 = field("0+")
    error_message: string | None = field("5+", default=None)


class DeleteTopicsResponse(Response, key=20, versions="0-6", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    responses: list[DeletableTopicResult] = field("0+")
