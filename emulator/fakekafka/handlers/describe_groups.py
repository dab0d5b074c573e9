"""DescribeGroups, key 15: state and members of classic groups.

Behaviour: an unknown group is "Dead", or error 69 from version 6 on; members' metadata only while the group is stable.
Versions: 0 - 6; authorized operations from 3 on.
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.coordinators.groups.administration import state_name
from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.handlers.refusal import refusal
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.describe_groups import (
    DescribedGroup,
    DescribedGroupMember,
    DescribeGroupsRequest,
    DescribeGroupsResponse,
)

FIRST_WITH_INSTANCE_ID: Final = 4
"""KIP-345."""
FIRST_WITH_NOT_FOUND: Final = 6
"""KIP-1043."""


@stepwise
def handle(request: DescribeGroupsRequest, call: Call) -> Stepwise[Result]:
    """Describe each group."""
    rules = call.profile.groups
    asked = request.include_authorized_operations
    named = dict.fromkeys(request.groups)
    rows = dict(zip(named, (yield from in_turn(lambda group_id: _described(call, group_id), named))))
    for described in rows.values():
        plain = described.error_code == ErrorCode.NONE
        operations = rules.group_operations if asked and plain else rules.operations_not_asked_for
        described.authorized_operations = operations
    if call.version < FIRST_WITH_INSTANCE_ID and rules.static_members_fail_descriptions and _any_static(rows.values()):
        return refusal(request, call.version, ErrorCode.UNSUPPORTED_VERSION)
    each = rules.described_twice == "each"
    return DescribeGroupsResponse(groups=[rows[group_id] for group_id in request.groups] if each else [*rows.values()])


def _any_static(groups: Iterable[DescribedGroup]) -> bool:
    return any(member.group_instance_id is not None for group in groups for member in group.members)


def _described(call: Call, group_id: str) -> DescribedGroup:
    coordinator = call.groups
    status = coordinator.status(group_id)
    if status is not ErrorCode.NONE:
        return DescribedGroup(error_code=status, group_id=group_id)
    group = coordinator.classic_groups.find(group_id)
    if group is not None:
        return _present(call, group)
    if call.version >= FIRST_WITH_NOT_FOUND:
        return DescribedGroup(
            error_code=ErrorCode.GROUP_ID_NOT_FOUND,
            error_message=f"Group {group_id} {_absence(call, group_id)}.",
            group_id=group_id,
            group_state=State.DEAD.value,
        )
    return DescribedGroup(error_code=ErrorCode.NONE, group_id=group_id, group_state=State.DEAD.value)


def _absence(call: Call, group_id: str) -> str:
    return "is not a classic group" if call.groups.is_modern(group_id) else "not found"


def _present(call: Call, group: Group) -> DescribedGroup:
    coordinator = call.groups
    stable = group.state is State.STABLE
    protocol = group.protocol_name or "" if stable else ""
    rules = call.profile.groups
    shows_assignment = rules.described_metadata == "assignment"
    members = []
    for m in group.members.values():
        assignment = m.assignment if stable or rules.described_assignment == "always" else b""
        metadata = b"" if not stable else assignment if shows_assignment else m.metadata(protocol)
        members.append(
            DescribedGroupMember(
                member_id=m.id,
                group_instance_id=m.instance_id,
                client_id=m.client_id,
                client_host=m.client_host,
                member_metadata=metadata,
                member_assignment=assignment,
            )
        )
    return DescribedGroup(
        error_code=ErrorCode.NONE,
        group_id=group.id,
        group_state=state_name(coordinator, group.state),
        protocol_type=group.protocol_type or "",
        protocol_data=protocol,
        members=members,
    )
