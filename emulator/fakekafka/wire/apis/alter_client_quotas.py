"""AlterClientQuotas (key 49): change client quotas.

v0   2.6      first version (KIP-546)
v1   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, float64, int16, int32, string


class EntityData(Struct):
    entity_type: string = field("0+")  # "user", "client-id" or "ip"
    entity_name: string | None = field("0+")  # null: the default


class OpData(Struct):
    key: string = field("0+")
    value: float64 = field("0+")
    remove: boolean = field("0+")  # if true, the value does not matter


class EntryData(Struct):
    entity: list[EntityData] = field("0+")
    ops: list[OpData] = field("0+")


class AlterClientQuotasRequest(Request, key=49, versions="0-1", flexible="1+"):
    entries: list[EntryData] = field("0+")
    validate_only: boolean = field("0+")


class ResponseEntryData(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    entity: list[EntityData] = field("0+")


class AlterClientQuotasResponse(Response, key=49, versions="0-1", flexible="1+"):
    throttle_time_ms: int32 = field("0+")
    entries: list[ResponseEntryData] = field("0+")
