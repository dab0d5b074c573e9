"""UnregisterBroker (key 64): remove a broker's registration from KRaft.

v0   2.8      first version (KIP-631)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, string


class UnregisterBrokerRequest(Request, key=64, versions="0", flexible="0+"):
    broker_id: int32 = field("0+")


class UnregisterBrokerResponse(Response, key=64, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
