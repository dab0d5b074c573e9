"""AlterConfigs (key 33): replace the whole configuration of resources. Superseded by IncrementalAlterConfigs.

Settings that are not named go back to their default.

v0   0.11.0   first version (KIP-133)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class AlterableConfig(Struct):
    name: string = field("0+")
    value: string | None = field("0+")


class AlterConfigsResource(Struct):
    resource_type: int8 = field("0+")  # 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group
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
