"""DescribeClientQuotas (key 48): list client quotas.

v0   2.6      first version (KIP-546)
v1   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, float64, int8, int16, int32, string


class ComponentData(Struct):
    entity_type: string = field("0+")  # "user", "client-id" or "ip"
    match_type: int8 = field("0+")  # 0 this name, 1 the default, 2 any name
    match: string | None = field("0+")  # null unless a name is given


class DescribeClientQuotasRequest(Request, key=48, versions="0-1", flexible="1+"):
    components: list[ComponentData] = field("0+")
    strict: boolean = field("0+")  # leave out entities with more components than asked for


class EntityData(Struct):
    entity_type: string = field("0+")
    entity_name: string | None = field("0+")  # null: the default


class ValueData(Struct):
    key: string = field("0+")
    value: float64 = field("0+")


class EntryData(Struct):
    entity: list[EntityData] = field("0+")
    values: list[ValueData] = field("0+")


class DescribeClientQuotasResponse(Response, key=48, versions="0-1", flexible="1+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    entries: list[EntryData] | None = field("0+")  # null after an error
