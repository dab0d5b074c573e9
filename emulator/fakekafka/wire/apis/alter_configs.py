"""AlterConfigs (key 33)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class AlterableConfig(Struct):
    name: string = field("0+")
    value: string | None = field("0+")


class AlterConfigsResource(Struct):
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    configs: list[AlterableConfig] = field("0+")


class AlterConfigsRequest(Request, key=33, versions="0-2", flexible="2+"):
    resources: list[AlterConfigsResource] = field("0+")
    validate_only: boolean = field("0+")


class AlterConfigsResourceResponse(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")


class AlterConfigsResponse(Response, key=33, versions="0-2", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    responses: list[AlterConfigsResourceResponse] = field("0+")
