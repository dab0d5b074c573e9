"""DeleteGroups, key 42: delete groups without members, with their offsets.

Behaviour: `coordinators.groups.administration`; tombstones for what is deleted.
Versions: 0 - 3.
"""

from collections.abc import Iterable

from fakekafka.aside import aside
from fakekafka.coordinators.groups.administration import delete_groups, refusals_of_deletion
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.delete_groups import DeletableGroupResult, DeleteGroupsRequest, DeleteGroupsResponse


@stepwise
def handle(request: DeleteGroupsRequest, call: Call) -> Stepwise[Result]:
    """Delete each group once, however often it is named. All that can be deleted is deleted in one step."""
    asked, size = list(dict.fromkeys(request.groups_names)), len(request.groups_names)
    refused = yield from aside(lambda: refusals_of_deletion(call.groups, asked), size)
    errors = delete_groups(call.groups, asked, refused)
    return (yield from aside(lambda: _response(asked, errors), size))


def _response(asked: Iterable[str], errors: Iterable[ErrorCode]) -> DeleteGroupsResponse:
    return DeleteGroupsResponse(
        results=[DeletableGroupResult(group_id=g, error_code=error) for g, error in zip(asked, errors)]
    )
