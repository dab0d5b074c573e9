"""ListGroups, key 16: the groups that a broker coordinates.

Behaviour: all of them, or those in the states and of the types asked for.
Versions: 0 - 5; filter by state from 4 on, by type from 5 on.
"""

from fakekafka.coordinators.groups.administration import listed
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.list_groups import ListedGroup, ListGroupsRequest, ListGroupsResponse


def handle(request: ListGroupsRequest, call: Call) -> ListGroupsResponse:
    """List the groups."""
    coordinator = call.groups
    groups = listed(coordinator, request.states_filter, request.types_filter)
    return ListGroupsResponse(
        error_code=ErrorCode.COORDINATOR_LOAD_IN_PROGRESS if coordinator.loading else ErrorCode.NONE,
        groups=[
            ListedGroup(group_id=g.id, protocol_type=g.protocol_type, group_state=g.state, group_type=g.kind)
            for g in groups
        ],
    )
