"""SaslAuthenticate (key 36)."""

from fakekafka.wire.message import Request, Response, binary, field, int16, int64, string


class SaslAuthenticateRequest(Request, key=36, versions="0-2", flexible="2+"):
    auth_bytes: binary = field("0+")


class SaslAuthenticateResponse(Response, key=36, versions="0-2", flexible="2+"):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    auth_bytes: binary = field("0+")
    session_lifetime_ms: int64 = field("1+")
