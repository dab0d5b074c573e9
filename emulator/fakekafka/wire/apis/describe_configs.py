"""DescribeConfigs (key 32)."""

from fakekafka.wire.message import Request, Response, Struct, boolean, field, int8, int16, int32, string


class DescribeConfigsResource(Struct):
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    configuration_keys: list[string] | None = field("0+")


class DescribeConfigsRequest(Request, key=32, versions="0-4", flexible="4+"):
    resources: list[DescribeConfigsResource] = field("0+")
    include_synonyms: boolean = field("1+")
    include_documentation: boolean = field("3+")


class DescribeConfigsSynonym(Struct):
    name: string = field("1+")
    value: string | None = field("1+")
    source: int8 = field("1+")


class DescribeConfigsResourceResult(Struct):
    name: string = field("0+")
    value: string | None = field("0+")
    read_only: boolean = field("0+")
    is_default: boolean = field("0")
    config_source: int8 = field("1+", default=-1)
    is_sensitive: boolean = field("0+")
    synonyms: list[DescribeConfigsSynonym] = field("1+")
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
