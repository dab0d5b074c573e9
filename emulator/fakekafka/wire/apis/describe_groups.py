"""DescribeGroups (key 15): state and members of classic groups.

v0   0.9.0    first version
v1   0.11.0   throttle time (KIP-124)
v2   2.0      a client over its quota is answered at once and then muted (KIP-219)
v3   2.3      authorized operations, when asked for (KIP-430)
v4   2.4      group instance id of static members (KIP-345)
v5   2.4      flexible (KIP-482)
v6   4.0      error message; GROUP_ID_NOT_FOUND instead of a dead group (KIP-1043)
"""

from fakekafka.ids import OPERATIONS_NOT_ASKED_FOR
from fakekafka.wire.message import Request, Response, Struct, binary, boolean, field, int16, int32, string


class DescribeGroupsRequest(Request, key=15, versions="0-6", flexible="5+"):
    groups: list[string] = field("0+")
    include_authorized_operations: boolean = field("3+")


class DescribedGroupMember(Struct):
    member_id: string = field("0+")
    group_instance_id: string | None = field("4+", default=None)
    client_id: string = field("0+")
    client_host: string = field("0+")
    member_metadata: binary = field("0+")
    member_assignment: binary = field("0+")


class DescribedGroup(Struct):
    error_code: int16 = field("0+")
    error_message: string | None = field("6+", default=None)
    group_id: string = field("0+")
    group_state: string = field("0+")  # an unknown group is "Dead", without an error, up to v5
    protocol_type: string = field("0+")
    protocol_data: string = field("0+")  # name of the chosen assignor
    members: list[DescribedGroupMember] = field("0+")
    # bit n: AclOperation n; lowest int32: not asked for
    authorized_operations: int32 = field("3+", default=OPERATIONS_NOT_ASKED_FOR)


class DescribeGroupsResponse(Response, key=15, versions="0-6", flexible="5+"):
    throttle_time_ms: int32 = field("1+")
    groups: list[DescribedGroup] = field("0+")
