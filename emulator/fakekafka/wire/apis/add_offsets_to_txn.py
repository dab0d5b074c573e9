"""AddOffsetsToTxn (key 25): add a group's partition of __consumer_offsets to a transaction.

v0   0.11.0   first version (KIP-98)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.7      PRODUCER_FENCED instead of INVALID_PRODUCER_EPOCH (KIP-588)
v3   2.8      flexible (KIP-482)
v4   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
"""

from fakekafka.wire.message import Request, Response, field, int16, int32, int64, string


class AddOffsetsToTxnRequest(Request, key=25, versions="0-4", flexible="3+"):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    producer_epoch: int16 = field("0+")
    group_id: string = field("0+")


class AddOffsetsToTxnResponse(Response, key=25, versions="0-4", flexible="3+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
