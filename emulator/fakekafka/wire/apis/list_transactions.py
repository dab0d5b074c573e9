"""ListTransactions (key 66)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class ListTransactionsRequest(Request, key=66, versions="0-2", flexible="0+"):
    state_filters: list[string] = field("0+")
    producer_id_filters: list[int64] = field("0+")
    duration_filter: int64 = field("1+", default=-1)
    transactional_id_pattern: string | None = field("2+", default=None)


class TransactionState(Struct):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    transaction_state: string = field("0+")


class ListTransactionsResponse(Response, key=66, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    unknown_state_filters: list[string] = field("0+")
    transaction_states: list[TransactionState] = field("0+")
