"""ListGroups (key 16)."""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class ListGroupsRequest(Request, key=16, versions="0-5", flexible="3+"):
    states_filter: list[string] = field("4+")
    types_filter: list[string] = field("5+")


class ListedGroup(Struct):
    group_id: string = field("0+")
    protocol_type: string = field("0+")
    group_state: string = field("4+")
    group_type: string = field("5+")


class ListGroupsResponse(Response, key=16, versions="0-5", flexible="3+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
    groups: list[ListedGroup] = field("0+")
