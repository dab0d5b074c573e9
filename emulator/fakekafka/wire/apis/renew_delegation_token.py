"""RenewDelegationToken (key 39): extend the life of a delegation token.

v0 is gone from 4.0 on (KIP-896).

v0   1.1      first version (KIP-48)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, binary, field, int16, int32, int64


class RenewDelegationTokenRequest(Request, key=39, versions="0-2", flexible="2+"):
    hmac: binary = field("0+")
    renew_period_ms: int64 = field("0+")  # -1: the broker's default


class RenewDelegationTokenResponse(Response, key=39, versions="0-2", flexible="2+"):
    error_code: int16 = field("0+")
    expiry_timestamp_ms: int64 = field("0+")
    throttle_time_ms: int32 = field("0+")
