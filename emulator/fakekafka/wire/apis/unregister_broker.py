"""UnregisterBroker (key 64)."""

from fakekafka.wire.message import Request, Response, field, int16, int32, string


class UnregisterBrokerRequest(Request, key=64, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")


class UnregisterBrokerResponse(Response, key=64, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
