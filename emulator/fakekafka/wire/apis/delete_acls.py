"""DeleteAcls (key 31): remove the access control entries that match filters.

v0 is gone from 4.0 on (KIP-896).

v0   0.11.0   first version (KIP-140)
v1   2.0      pattern type: prefixes (KIP-290); a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
v3   3.3      resource type user (KIP-373): same layout
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class DeleteAclsFilter(Struct):
    # 1 any, 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7 user
    resource_type_filter: int8 = field("0+")
    resource_name_filter: string | None = field("0+")  # null: any
    pattern_type_filter: int8 = field("1+", default=3)  # 1 any, 2 match, 3 literal, 4 prefixed
    principal_filter: string | None = field("0+")  # null: any
    host_filter: string | None = field("0+")  # null: any
    operation: int8 = field("0+")  # AclOperation: 1 any, 2 all, 3 read, 4 write, 5 create, …
    permission_type: int8 = field("0+")  # 1 any, 2 deny, 3 allow


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
