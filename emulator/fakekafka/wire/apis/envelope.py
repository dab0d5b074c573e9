"""Envelope (key 58): a request that a broker forwards to the controller, in the name of its client.

Answered by controllers; on a client listener up to 3.9, in ZooKeeper mode.

v0   2.8      first version (KIP-590)
"""

from fakekafka.wire.message import Request, Response, binary, field, int16


class EnvelopeRequest(Request, key=58, versions="0", flexible="0+"):
    request_data: binary = field("0+")  # header and body
    # a DefaultPrincipalData after its version, or in the broker's own format
    request_principal: binary | None = field("0+")
    client_host_address: binary = field("0+")  # 4 or 16 bytes


class EnvelopeResponse(Response, key=58, versions="0", flexible="0+"):
    response_data: binary | None = field("0+", default=None)  # null after an error of the envelope itself
    error_code: int16 = field("0+")
