"""DescribeClientQuotas (key 48)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, float64, int8, int16, int32, string


class ComponentData(Struct):
    entity_type: string = field("0+")
    match_type: int8 = field("0+")
    match: string | None = field("0+")


class DescribeClientQuotasRequest(Request, key=48, versions="0-1", flexible="1+"):
    components: list[ComponentData] = field("0+")
    strict: boolean = field("0+")


class EntityData(Struct):
    entity_type: string = field("0+")
    entity_name: string | None = field("0+")


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
    entries: list[EntryData] | None = field("0+")
