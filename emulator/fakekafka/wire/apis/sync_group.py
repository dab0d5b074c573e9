"""SyncGroup (key 14)."""

from fakekafka.wire.message import Request, Response, Struct, binary, field, int16, int32, string


class SyncGroupRequestAssignment(Struct):
    member_id: string = field("0+")
    assignment: binary = field("0+")


class SyncGroupRequest(Request, key=14, versions="0-5", flexible="4+"):
    group_id: string = field("0+")
    generation_id: int32 = field("0+")
    member_id: string = field("0+")
    group_instance_id: string | None = field("3+", default=None)
    protocol_type: string | None = field("5+", default=None)
    protocol_name: string | None = field("5+", default=None)
    assignments: list[SyncGroupRequestAssignment] = field("0+")


class SyncGroupResponse(Response, key=14, versions="0-5", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
    protocol_type: string | None = field("5+", default=None)
    protocol_name: string | None = field("5+", default=None)
    assignment: binary = field("0+")
