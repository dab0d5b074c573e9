"""DeleteAcls (key 31)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class DeleteAclsFilter(Struct):
    resource_type_filter: int8 = field("0+")
    resource_name_filter: string | None = field("0+")
    pattern_type_filter: int8 = field("1+", default=3)
    principal_filter: string | None = field("0+")
    host_filter: string | None = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class DeleteAclsRequest(Request, key=31, versions="0-3", flexible="2+"):
    filters: list[DeleteAclsFilter] = field("0+")


class DeleteAclsMatchingAcl(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    pattern_type: int8 = field("1+", default=3)
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class DeleteAclsFilterResult(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    matching_acls: list[DeleteAclsMatchingAcl] = field("0+")


class DeleteAclsResponse(Response, key=31, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    filter_results: list[DeleteAclsFilterResult] = field("0+")
