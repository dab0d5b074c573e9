"""DescribeAcls (key 29): list access control entries that match a filter.

v0 is gone from 4.0 on (KIP-896).

v0   0.11.0   first version (KIP-140)
v1   2.0      pattern type: prefixes (KIP-290); a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
v3   3.3      resource type user (KIP-373): same layout
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class DescribeAclsRequest(Request, key=29, versions="0-3", flexible="2+"):
    # 1 any, 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7 user
    resource_type_filter: int8 = field("0+")
    resource_name_filter: string | None = field("0+")  # null: any
    pattern_type_filter: int8 = field("1+", default=3)  # 1 any, 2 match, 3 literal, 4 prefixed
    principal_filter: string | None = field("0+")  # null: any
    host_filter: string | None = field("0+")  # null: any
    operation: int8 = field("0+")  # AclOperation: 1 any, 2 all, 3 read, 4 write, 5 create, …
    permission_type: int8 = field("0+")  # 1 any, 2 deny, 3 allow


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
