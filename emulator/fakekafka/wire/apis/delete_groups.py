"""DeleteGroups (key 42): delete empty groups with their offsets.

v3 is not released yet: known from the branch of 4.4.

v0   1.1      first version (KIP-229)
v1   2.0      a client over its quota is answered at once and then muted (KIP-219)
v2   2.4      flexible (KIP-482)
v3   4.4      error message (KIP-1331)
"""

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
