"""Heartbeat (key 12)."""

from fakekafka.wire.message import Request, Response, field, int16, int32, string


class HeartbeatRequest(Request, key=12, versions="0-4", flexible="4+"):
    group_id: string = field("0+")
    generation_id: int32 = field("0+")
    member_id: string = field("0+")
    group_instance_id: string | None = field("3+", default=None)


class HeartbeatResponse(Response, key=12, versions="0-4", flexible="4+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
