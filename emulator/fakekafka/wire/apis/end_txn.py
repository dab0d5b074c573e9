"""EndTxn (key 26)."""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, string


class EndTxnRequest(Request, key=26, versions="0-5", flexible="3+"):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    committed: boolean = field("0+")


class EndTxnResponse(Response, key=26, versions="0-5", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    producer_id: int64 = field("5+", default=-1)
    producer_epoch: int16 = field("5+", default=-1)
