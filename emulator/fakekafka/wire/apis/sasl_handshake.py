"""SaslHandshake (key 17): choose a SASL mechanism.

Never flexible: clients up to 2.4 negotiate the version wrongly (KAFKA-9577).

v0   0.10.0   the mechanism's tokens follow as frames without headers (KIP-43)
v1   1.0      the tokens follow in SaslAuthenticate requests (KIP-152)
"""

from fakekafka.wire.message import Request, Response, field, int16, string


class SaslHandshakeRequest(Request, key=17, versions="0-1"):
    mechanism: string = field("0+")


class SaslHandshakeResponse(Response, key=17, versions="0-1"):
    error_code: int16 = field("0+")
    mechanisms: list[string] = field("0+")  # what the broker offers, even after an error
