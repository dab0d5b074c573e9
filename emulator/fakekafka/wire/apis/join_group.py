"""JoinGroup (key 11)."""

from fakekafka.wire.message import Request, Response, Struct, binary, boolean, field, int16, int32, string


class JoinGroupRequestProtocol(Struct):
    name: string = field("0+")
    metadata: binary = field("0+")


class JoinGroupRequest(Request, key=11, versions="0-9", flexible="6+"):
    group_id: string = field("0+")
    session_timeout_ms: int32 = field("0+")
    rebalance_timeout_ms: int32 = field("1+", default=-1)
    member_id: string = field("0+")
    group_instance_id: string | None = field("5+", default=None)
    protocol_type: string = field("0+")
    protocols: list[JoinGroupRequestProtocol] = field("0+")
    reason: string | None = field("8+", default=None)


class JoinGroupResponseMember(Struct):
    member_id: string = field("0+")
    group_instance_id: string | None = field("5+", default=None)
    metadata: binary = field("0+")


class JoinGroupResponse(Response, key=11, versions="0-9", flexible="6+"):
    throttle_time_ms: int32 = field("2+")
    error_code: int16 = field("0+")
    generation_id: int32 = field("0+", default=-1)
    protocol_type: string | None = field("7+", default=None)
    protocol_name: string | None = field("0+", nullable="7+")
    leader: string = field("0+")
    skip_assignment: boolean = field("9+")
    member_id: string = field("0+")
    members: list[JoinGroupResponseMember] = field("0+")
