"""DeleteGroups (key 42)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class DeleteGroupsRequest(Request, key=42, versions="0-3", flexible="2+"):
    groups_names: list[string] = field("0+")


class DeletableGroupResult(Struct):
    group_id: string = field("0+")
    error_code: int16 = field("0+")
    error_message: string | None = field("3+", default=None)


class DeleteGroupsResponse(Response, key=42, versions="0-3", flexible="2+"):
    throttle_time_ms: int32 = field("0+")
    results: list[DeletableGroupResult] = field("0+")
