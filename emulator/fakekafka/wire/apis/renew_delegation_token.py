"""RenewDelegationToken (key 39)."""

from fakekafka.wire.message import Request, Response, binary, field, int16, int32, int64


class RenewDelegationTokenRequest(Request, key=39, versions="0-2", flexible="2+"):
    hmac: binary = field("0+")
    renew_period_ms: int64 = field("0+")


class RenewDelegationTokenResponse(Response, key=39, versions="0-2", flexible="2+"):
    error_code: int16 = field("0+")
    expiry_timestamp_ms: int64 = field("0+")
    throttle_time_ms: int32 = field("0+")
