"""DescribeConfigs (key 32): configuration of topics, brokers and other resources.

v0 is gone from 4.0 on (KIP-896).

v0   0.11.0   first version (KIP-133)
v1   1.1      synonyms, and where a value comes from instead of whether it is the default (KIP-226)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.6      type and documentation of each setting (KIP-569)
v4   2.8      flexible (KIP-482)
"""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class DescribeConfigsResource(Struct):
    resource_type: int8 = field("0+")  # 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group
    resource_name: string = field("0+")
    configuration_keys: list[string] | None = field("0+")  # null: all


class DescribeConfigsRequest(Request, key=32, versions="0-4", flexible="4+"):
    resources: list[DescribeConfigsResource] = field("0+")
    include_synonyms: boolean = field("1+")
    include_documentation: boolean = field("3+")


class DescribeConfigsSynonym(Struct):
    name: string = field("1+")
    value: string | None = field("1+")
    source: int8 = field("1+")  # as config_source


class DescribeConfigsResourceResult(Struct):
    name: string = field("0+")
    value: string | None = field("0+")  # null: sensitive, or not set
    read_only: boolean = field("0+")
    is_default: boolean = field("0")
    # 1 topic, 2 dynamic broker, 3 its default, 4 static, 5 default, 6 logger, …
    config_source: int8 = field("1+", default=-1)
    is_sensitive: boolean = field("0+")
    synonyms: list[DescribeConfigsSynonym] = field("1+")
    # 1 boolean, 2 string, 3 int, 4 short, 5 long, 6 double, 7 list, 8 class, 9 password
    config_type: int8 = field("3+")
    documentation: string | None = field("3+")


class DescribeConfigsResult(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    configs: list[DescribeConfigsResourceResult] = field("0+")


class DescribeConfigsResponse(Response, key=32, versions="0-4", flexible="4+"):
    throttle_time_ms: int32 = field("0+")
    results: list[DescribeConfigsResult] = field("0+")
