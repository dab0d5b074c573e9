"""CreateAcls (key 30): add access control entries.

v0 is gone from 4.0 on (KIP-896).

v0   0.11.0   first version (KIP-140)
v1   2.0      pattern type: prefixes (KIP-290); a client over its quota is answered at once and then muted (KIP-219)
v2   2.5      flexible (KIP-482)
v3   3.3      resource type user (KIP-373): same layout
"""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class AclCreation(Struct):
    # 1 any, 2 topic, 3 group, 4 cluster, 5 transactional id, 6 delegation token, 7 user
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    resource_pattern_type: int8 = field("1+", default=3)  # 1 any, 2 match, 3 literal, 4 prefixed
    principal: string = field("0+")  # "User:alice"
    host: string = field("0+")  # "*": any
    operation: int8 = field("0+")  # AclOperation: 1 any, 2 all, 3 read, 4 write, 5 create, …
    permission_type: int8 = field("0+")  # 1 any, 2 deny, 3 allow


class CreateAclsRequest(Request, key=30, versions="0-3", flexible="2+"):
    creations: list[AclCreation] = field("0+")


class AclCreationResult(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")


class CreateAclsResponse(Response, key=30, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    results: list[AclCreationResult] = field("0+")
