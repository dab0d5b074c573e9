"""ListConfigResources (key 74): resources that have their own configuration.

v0   3.7      client metrics only, as ListClientMetricsResources (KIP-1000)
v1   4.1      any type of resource (KIP-1142)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class ListConfigResourcesRequest(Request, key=74, versions="0-1", flexible="0+"):
    resource_types: list[int8] = field("1+")  # empty: all


class ConfigResource(Struct):
    resource_name: string = field("0+")
    resource_type: int8 = field("1+", default=16)  # 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group


class ListConfigResourcesResponse(Response, key=74, versions="0-1", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    config_resources: list[ConfigResource] = field("0+")
