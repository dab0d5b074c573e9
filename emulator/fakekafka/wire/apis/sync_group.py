"""SyncGroup (key 14): the leader of a classic group hands in the assignment, every member gets its part.

v0   0.9.0    first version
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.3      group instance id: static members (KIP-345)
v4   2.4      flexible (KIP-482)
v5   2.5      protocol type and name: INCONSISTENT_GROUP_PROTOCOL if they are not the group's (KIP-559)
"""

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
    assignments: list[SyncGroupRequestAssignment] = field("0+")  # only from the leader


class SyncGroupResponse(Response, key=14, versions="0-5", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
    protocol_type: string | None = field("5+", default=None)
    protocol_name: string | None = field("5+", default=None)
    assignment: binary = field("0+")
