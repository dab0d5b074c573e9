"""FindCoordinator (key 10)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class FindCoordinatorRequest(Request, key=10, versions="0-6", flexible="3+"):
    key: string = field("0-3")
    key_type: int8 = field("1+")
    coordinator_keys: list[string] = field("4+")


class Coordinator(Struct):
    key: string = field("4+")
    node_id: int32 = field("4+")
    host: string = field("4+")
    port: int32 = field("4+")
    error_code: int16 = field("4+")
    error_message: string | None = field("4+")


class FindCoordinatorResponse(Response, key=10, versions="0-6", flexible="3+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0-3")
    error_message: string | None = field("1-3")
    node_id: int32 = field("0-3")
    host: string = field("0-3")
    port: int32 = field("0-3")
    coordinators: list[Coordinator] = field("4+")
