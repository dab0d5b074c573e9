"""Heartbeat (key 12): a member of a classic group says that it is alive, and learns of rebalances.

v0   0.9.0    first version
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.3      group instance id: static members (KIP-345)
v4   2.4      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, string


class HeartbeatRequest(Request, key=12, versions="0-4", flexible="4+"):
    group_id: string = field("0+")
    generation_id: int32 = field("0+")
    member_id: string = field("0+")
    group_instance_id: string | None = field("3+", default=None)


class HeartbeatResponse(Response, key=12, versions="0-4", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
