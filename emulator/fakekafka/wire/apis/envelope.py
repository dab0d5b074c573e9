"""Envelope (key 58)."""

from fakekafka.wire.message import Request, Response, binary, field, int16


class EnvelopeRequest(Request, key=58, versions="0", flexible="0+"):
    request_data: binary = field("0+")
    request_principal: binary | None = field("0+")
    client_host_address: binary = field("0+")


class EnvelopeResponse(Response, key=58, versions="0", flexible="0+"):
    response_data: binary | None = field("0+", default=None)
    error_code: int16 = field("0+")
