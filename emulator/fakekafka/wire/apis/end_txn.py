"""EndTxn (key 26): commit or abort a transaction.

v0   0.11.0   first version (KIP-98)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.7      PRODUCER_FENCED instead of INVALID_PRODUCER_EPOCH (KIP-588)
v3   2.8      flexible (KIP-482)
v4   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
v5   4.0      the epoch rises with every transaction; response: producer id and epoch to go on with (KIP-890 part 2)
"""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, string


class EndTxnRequest(Request, key=26, versions="0-5", flexible="3+"):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    committed: boolean = field("0+")  # False: abort


class EndTxnResponse(Response, key=26, versions="0-5", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    producer_id: int64 = field("5+", default=-1)
    producer_epoch: int16 = field("5+", default=-1)
