"""BrokerHeartbeat (key 63)."""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, uuid


class BrokerHeartbeatRequest(Request, key=63, versions="0-2", flexible="0+"):
    broker_id: int32 = field("0+")
    broker_epoch: int64 = field("0+", default=-1)
    current_metadata_offset: int64 = field("0+")
    want_fence: boolean = field("0+")
    want_shut_down: boolean = field("0+")
    offline_log_dirs: list[uuid] = field("1+", tag=0)
    cordoned_log_dirs: list[uuid] | None = field("2+", default=None, tag=1)


class BrokerHeartbeatResponse(Response, key=63, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    is_caught_up: boolean = field("0+")
    is_fenced: boolean = field("0+", default=True)
    should_shut_down: boolean = field("0+")
