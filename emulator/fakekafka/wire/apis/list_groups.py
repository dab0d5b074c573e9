"""ListGroups (key 16): the groups that a broker coordinates.

v0   0.9.0    first version
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.4      flexible (KIP-482)
v4   2.6      filter by state; response: state (KIP-518)
v5   3.8      filter by type; response: type, as "classic" or "consumer" (KIP-848)
"""

from fakekafka.wire.message import Request, Response, Struct, field, int16, int32, string


class ListGroupsRequest(Request, key=16, versions="0-5", flexible="3+"):
    states_filter: list[string] = field("4+")  # empty: all
    types_filter: list[string] = field("5+")  # empty: all


class ListedGroup(Struct):
    group_id: string = field("0+")
    protocol_type: string = field("0+")
    group_state: string = field("4+")
    group_type: string = field("5+")


class ListGroupsResponse(Response, key=16, versions="0-5", flexible="3+"):
    throttle_time_ms: int32 = field("1+")
    error_code: int16 = field("0+")
    groups: list[ListedGroup] = field("0+")
