"""InitProducerId (key 22): hand out a producer id; for a transactional id, also end what its predecessor left open.

v0   0.11.0   first version (KIP-98)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.4      flexible (KIP-482)
v3   2.5      the producer's id and epoch, to go on after an error (KIP-360)
v4   2.7      PRODUCER_FENCED instead of INVALID_PRODUCER_EPOCH (KIP-588)
v5   3.8      TRANSACTION_ABORTABLE may be answered (KIP-890)
v6   4.1      two-phase commit (KIP-939); only ever served with unstable.api.versions.enable, from 4.1 on
"""

from fakekafka.wire.message import Request, Response, boolean, field, int16, int32, int64, string


class InitProducerIdRequest(Request, key=22, versions="0-6", flexible="2+"):
    transactional_id: string | None = field("0+")  # null: idempotent only
    transaction_timeout_ms: int32 = field("0+")
    producer_id: int64 = field("3+", default=-1)  # -1: a new one
    producer_epoch: int16 = field("3+", default=-1)
    enable2_pc: boolean = field("6+")
    keep_prepared_txn: boolean = field("6+")


class InitProducerIdResponse(Response, key=22, versions="0-6", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    producer_id: int64 = field("0+", default=-1)  # -1 after an error
    producer_epoch: int16 = field("0+")
    ongoing_txn_producer_id: int64 = field("6+", default=-1)  # -1: no transaction is open
    ongoing_txn_producer_epoch: int16 = field("6+", default=-1)
