"""CreateAcls (key 30)."""

from fakekafka.wire.message import Request, Response, Struct, field, int8, int16, int32, string


class AclCreation(Struct):
    resource_type: int8 = field("0+")
    resource_name: string = field("0+")
    resource_pattern_type: int8 = field("1+", default=3)
    principal: string = field("0+")
    host: string = field("0+")
    operation: int8 = field("0+")
    permission_type: int8 = field("0+")


class CreateAclsRequest(Request, key=30, versions="0-3", flexible="2+"):
    creations: list[AclCreation] = field("0+")


class AclCreationResult(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("0+")


class CreateAclsResponse(Response, key=30, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    results: list[AclCreationResult] = field("0+")
