"""Rights for consumer groups of the classic protocol."""

from typing import Any, Final

from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result
from fakekafka.handlers.rights import Handle
from fakekafka.handlers.rights.parts import (
    CLUSTER_ERROR,
    GROUP_ERROR,
    NONE,
    TRANSACTION_ERROR,
    may_group,
    may_transact,
    on_group,
    refuse,
    split,
    then,
)
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.apis.join_group import JoinGroupResponse
from fakekafka.wire.message import Response

heartbeat = leave_group = sync_group = on_group(Operation.READ)

FIRST_WITH_NULL_PROTOCOL: Final = 7
"""JoinGroup (KIP-559)."""
FIRST_WITH_SEVERAL_KEYS: Final = 4
GROUP, TRANSACTION, SHARE = 0, 1, 2
NO_NODE: Final = -1


def join_group(request: Any, call: Call, handle: Handle) -> Result:
    """Read on the group."""
    if may_group(call, Operation.READ, request.group_id):
        return handle(request, call)
    protocol_name = None if call.version >= FIRST_WITH_NULL_PROTOCOL else ""
    return JoinGroupResponse(error_code=GROUP_ERROR, protocol_name=protocol_name)


def find_coordinator(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on the resource that the key names."""
    if call.version >= FIRST_WITH_SEVERAL_KEYS:

        def fill_key(row: Any) -> None:
            row.node_id, row.host, row.port, row.error_message = NO_NODE, "", NO_NODE, ""

        def refusal_of(key: str) -> ErrorCode:
            return _coordinator_refusal(call, request.key_type, key)

        def in_order(response: Any) -> Response:
            places = {key: n for n, key in reversed(list(enumerate(request.coordinator_keys)))}
            response.coordinators.sort(key=lambda row: places[row.key])
            return response  # type: ignore[no-any-return]

        result = split(request, call, handle, "coordinator_keys", "coordinators", refusal_of, refused_row=fill_key)
        return then(result, in_order)
    error = _coordinator_refusal(call, request.key_type, request.key)
    if error is NONE:
        return handle(request, call)
    answer: Any = refuse(request, call, error)
    answer.node_id = answer.port = NO_NODE
    return answer  # type: ignore[no-any-return]


def _coordinator_refusal(call: Call, kind: int, key: str) -> ErrorCode:
    if kind == GROUP:
        return NONE if may_group(call, Operation.DESCRIBE, key) else GROUP_ERROR
    if kind == TRANSACTION:
        return NONE if may_transact(call, Operation.DESCRIBE, key) else TRANSACTION_ERROR
    if kind == SHARE:
        return NONE if call.authorized_on_cluster(Operation.CLUSTER_ACTION) else CLUSTER_ERROR
    return NONE


def describe_groups(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on each group."""
    rules = call.profile.authorization

    def empty(row: Any) -> None:
        row.authorized_operations = rules.operations_of_refused_group
        row.group_state = row.protocol_type = row.protocol_data = ""

    def finish(response: Any) -> Response:
        for row in response.groups if request.include_authorized_operations else ():
            if row.error_code == NONE:
                row.authorized_operations = call.operations(ResourceType.GROUP, row.group_id)
        return response  # type: ignore[no-any-return]

    def refusal_of(group_id: str) -> ErrorCode:
        return NONE if may_group(call, Operation.DESCRIBE, group_id) else GROUP_ERROR

    return then(split(request, call, handle, "groups", "groups", refusal_of, refused_row=empty), finish)


def list_groups(request: Any, call: Call, handle: Handle) -> Result:
    """Describe on the cluster shows all; later, without it, those that may be described are listed."""
    if call.authorized_on_cluster(Operation.DESCRIBE):
        return handle(request, call)
    if call.profile.authorization.group_list == "refused":
        return refuse(request, call, CLUSTER_ERROR)

    def finish(response: Any) -> Response:
        response.groups = [row for row in response.groups if call.sees(ResourceType.GROUP, row.group_id)]
        return response  # type: ignore[no-any-return]

    return then(handle(request, call), finish)


def delete_groups(request: Any, call: Call, handle: Handle) -> Result:
    """Delete on each group."""

    def refusal_of(group_id: str) -> ErrorCode:
        return NONE if may_group(call, Operation.DELETE, group_id) else GROUP_ERROR

    return split(request, call, handle, "groups_names", "results", refusal_of)
