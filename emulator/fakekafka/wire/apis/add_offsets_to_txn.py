"""AddOffsetsToTxn (key 25)."""

from fakekafka.wire.message import Request, Response, field, int16, int32, int64, string


class AddOffsetsToTxnRequest(Request, key=25, versions="0-4", flexible="3+"):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    group_id: string = field("0+")


class AddOffsetsToTxnResponse(Response, key=25, versions="0-4", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
