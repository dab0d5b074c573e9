"""DescribeAcls (key 29)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class DescribeAclsRequest(Request, key=29, versions="0-3", flexible="2+"):
    resource_type_filter: int8 = field("0+")
    resource_name_filter: string | None = field("0+")
    pattern_type_filter: int8 = field("1+", default=3)
    principal_filter: string | None = field("0+")
    host_filter: string | None = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class AclDescription(Struct):
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class DescribeAclsResource(Struct):
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    pattern_type: int8 = field("1+", default=3)
    acls: list[AclDescription] = field("0+")


class DescribeAclsResponse(Response, key=29, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")
    resources: list[DescribeAclsResource] = field("0+")
