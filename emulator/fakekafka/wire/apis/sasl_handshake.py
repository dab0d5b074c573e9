"""SaslHandshake (key 17)."""

from fakekafka.wire.message import Request, Response, field, int16, string


class SaslHandshakeRequest(Request, key=17, versions="0-1"):
    mechanism: string = field("0+")


class SaslHandshakeResponse(Response, key=17, versions="0-1"):
    error_code: int16 = field("0+")
    mechanisms: list[string] = field("0+")
