"""JoinGroup (key 11): become a member of a classic group, or join its next generation.

The 0.8.2 broker parses another layout of v0 and answers nothing.

v0   0.9.0    the session timeout bounds the rebalance too
v1   0.10.1   separate rebalance timeout (KIP-62)
v2   0.11.0   throttle time (KIP-124)
v3   2.0      a client over its quota is answered at once and then muted (KIP-219)
v4   2.2      a new member is first told its id: MEMBER_ID_REQUIRED (KIP-394)
v5   2.3      group instance id: static members (KIP-345)
v6   2.4      flexible (KIP-482)
v7   2.5      response: protocol type; the protocol name may be null (KIP-559)
v8   3.2      reason for joining (KIP-800)
v9   3.2      response: a static leader that comes back may be told to skip the assignment (KIP-814)
"""

from fakekafka.wire.message import Request, Response, Struct, binary, boolean, field, int16, int32, string


class JoinGroupRequestProtocol(Struct):
    name: string = field("0+")
    metadata: binary = field("0+")  # a ConsumerProtocolSubscription, if the type is "consumer"


class JoinGroupRequest(Request, key=11, versions="0-9", flexible="6+"):
    group_id: string = field("0+")
    session_timeout_ms: int32 = field("0+")
    rebalance_timeout_ms: int32 = field("1+", default=-1)  # -1: the session timeout
    member_id: string = field("0+")  # empty: a new member
    group_instance_id: string | None = field("5+", default=None)  # null: not a static member
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
    generation_id: int32 = field("0+", default=-1)  # -1 after an error
    protocol_type: string | None = field("7+", default=None)
    protocol_name: string | None = field("0+", nullable="7+")
    leader: string = field("0+")
    skip_assignment: boolean = field("9+")
    member_id: string = field("0+")
    members: list[JoinGroupResponseMember] = field("0+")  # only for the leader; empty for the others
