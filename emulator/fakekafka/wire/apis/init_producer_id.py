"""InitProducerId (key 22)."""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, string


class InitProducerIdRequest(Request, key=22, versions="0-6", flexible="2+"):
    transactional_id: string | None = field("0+")
    transaction_timeout_ms: int32 = field("0+")
    producer_id: int64 = field("3+", default=-1)
    producer_epoch: int16 = field("3+", default=-1)
    enable2_pc: boolean = field("6+")
    keep_prepared_txn: boolean = field("6+")


class InitProducerIdResponse(Response, key=22, versions="0-6", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    producer_id: int64 = field("0+", default=-1)
    producer_epoch: int16 = field("0+")
    ongoing_txn_producer_id: int64 = field("6+", default=-1)
    ongoing_txn_producer_epoch: int16 = field("6+", default=-1)
