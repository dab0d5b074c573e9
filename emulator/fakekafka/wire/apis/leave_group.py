"""LeaveGroup (key 13): leave a classic group, without waiting for the session timeout.

v0   0.9.0    one member
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.4      several members, by member id or group instance id, each with its error (KIP-345)
v4   2.4      flexible (KIP-482)
v5   3.2      reason for leaving (KIP-800)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class MemberIdentity(Struct):
    member_id: string = field("3+")  # empty: found by its group instance id
    group_instance_id: string | None = field("3+", default=None)
    reason: string | None = field("5+", default=None)


class LeaveGroupRequest(Request, key=13, versions="0-5", flexible="4+"):
    group_id: string = field("0+")
    member_id: string = field("0-2")
    members: list[MemberIdentity] = field("3+")


class MemberResponse(Struct):
    member_id: string = field("3+")
    group_instance_id: string | None = field("3+")
    error_code: int16 = field("3+")


class LeaveGroupResponse(Response, key=13, versions="0-5", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
    members: list[MemberResponse] = field("3+")
