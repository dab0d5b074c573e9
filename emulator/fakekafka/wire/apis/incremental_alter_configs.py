"""IncrementalAlterConfigs (key 44): change single settings of resources.

v0   2.3      first version (KIP-339)
v1   2.4      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class AlterableConfig(Struct):
    name: string = field("0+")
    config_operation: int8 = field("0+")  # 0 set, 1 delete, 2 append, 3 subtract
    value: string | None = field("0+")


class AlterConfigsResource(Struct):
    resource_type: int8 = field("0+")  # 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group
    resource_name: string = field("0+")
    configs: list[AlterableConfig] = field("0+")


class IncrementalAlterConfigsRequest(Request, key=44, versions="0-1", flexible="1+"):
    resources: list[AlterConfigsResource] = field("0+")
    validate_only: boolean = field("0+")


class AlterConfigsResourceResponse(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")


class IncrementalAlterConfigsResponse(Response, key=44, versions="0-1", flexible="1+"):
    throttle_time_ms: int32 = field("0+")
    responses: list[AlterConfigsResourceResponse] = field("0+")
