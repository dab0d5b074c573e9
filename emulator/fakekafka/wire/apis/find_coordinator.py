"""FindCoordinator (key 10): which broker coordinates a group or a transactional id.

Named ConsumerMetadata in 0.8.2, GroupCoordinator up to 0.10.2.

v0   0.8.2    groups only
v1   0.11.0   key type: transactional ids too (KIP-98); throttle time, error message
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.4      flexible (KIP-482)
v4   3.0      several keys in one request (KIP-699)
v5   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
v6   3.9      key type 2: share groups (KIP-932)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class FindCoordinatorRequest(Request, key=10, versions="0-6", flexible="3+"):
    key: string = field("0-3")
    key_type: int8 = field("1+")  # 0 group, 1 transaction, 2 share (keys are group:topic id:partition)
    coordinator_keys: list[string] = field("4+")


class Coordinator(Struct):
    key: string = field("4+")
    node_id: int32 = field("4+")  # -1 after an error
    host: string = field("4+")
    port: int32 = field("4+")
    error_code: int16 = field("4+")
    error_message: string | None = field("4+")


class FindCoordinatorResponse(Response, key=10, versions="0-6", flexible="3+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0-3")
    error_message: string | None = field("1-3")
    node_id: int32 = field("0-3")  # -1 after an error
    host: string = field("0-3")
    port: int32 = field("0-3")
    coordinators: list[Coordinator] = field("4+")
