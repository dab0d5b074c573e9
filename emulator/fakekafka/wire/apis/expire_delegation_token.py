"""ExpireDelegationToken (key 40)."""

from fakekafka.wire.message import Request, Response, binary, field, int16, int32, int64


class ExpireDelegationTokenRequest(Request, key=40, versions="0-2", flexible="2+"):
    hmac: binary = field("0+")
    expiry_time_period_ms: int64 = field("0+")


class ExpireDelegationTokenResponse(Response, key=40, versions="0-2", flexible="2+"):
    error_code: int16 = field("0+")
    expiry_timestamp_ms: int64 = field("0+")
    throttle_time_ms: int32 = field("0+")
