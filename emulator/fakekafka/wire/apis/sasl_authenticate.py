"""SaslAuthenticate (key 36): one message of the SASL exchange that SaslHandshake v1 began.

v0   1.0      first version (KIP-152)
v1   2.2      response: how long the session lasts (KIP-368)
v2   2.5      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, binary, field, int16, int64, string


class SaslAuthenticateRequest(Request, key=36, versions="0-2", flexible="2+"):
    auth_bytes: binary = field("0+")


class SaslAuthenticateResponse(Response, key=36, versions="0-2", flexible="2+"):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    auth_bytes: binary = field("0+")
    session_lifetime_ms: int64 = field("1+")  # 0: it does not end
