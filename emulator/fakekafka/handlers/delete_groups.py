"""DeleteGroups, key 42: delete groups without members, with their offsets.

Behaviour: `coordinators.groups.administration`; tombstones for what is deleted.
Versions: 0 - 3.
"""

from fakekafka.coordinators.groups.administration import delete_groups
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.delete_groups import DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse


def handle(request: DeleteGroupsRequest, call: Call) -> DeleteGroupsResponse:
    """Delete each group once, however often it is named."""
    asked = list(dict.fromkeys(request.groups_names))
    errors = delete_groups(call.groups, asked)
    return DeleteGroupsResponse(
        results=[DeletableGroupResult(group_id=g, error_code=error) for g, error in zip(asked, errors)]
    )
