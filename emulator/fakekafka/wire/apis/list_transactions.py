"""ListTransactions (key 66): transactions that a coordinator knows.

v0   3.0      first version (KIP-664)
v1   3.8      filter by age (KIP-994)
v2   4.1      filter by pattern of the transactional id (KIP-1152)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, int64, string


class ListTransactionsRequest(Request, key=66, versions="0-2", flexible="0+"):
    state_filters: list[string] = field("0+")  # empty: all
    producer_id_filters: list[int64] = field("0+")  # empty: all
    duration_filter: int64 = field("1+", default=-1)  # milliseconds; negative: all
    transactional_id_pattern: string | None = field("2+", default=None)  # regular expression; null or empty: all


class TransactionState(Struct):
    transactional_id: string = field("0+")
    producer_id: int64 = field("0+")
    transaction_state: string = field("0+")


class ListTransactionsResponse(Response, key=66, versions="0-2", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    unknown_state_filters: list[string] = field("0+")
    transaction_states: list[TransactionState] = field("0+")
