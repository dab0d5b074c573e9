"""LeaveGroup, key 13: leave a classic group without waiting for the session timeout.

Behaviour: `coordinators.groups.classic.membership`.
Versions: 0 - 5; several members, each with its error, from 3 on.
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.aside import aside
from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.coordinators.groups.classic.membership import leave
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.leave_group import LeaveGroupRequest, LeaveGroupResponse, MemberResponse

FIRST_WITH_SEVERAL_MEMBERS: Final = 3
"""KIP-345."""


@stepwise
def handle(request: LeaveGroupRequest, call: Call) -> Stepwise[Result]:
    """Let members go, all in one step."""
    several, size = call.version >= FIRST_WITH_SEVERAL_MEMBERS, len(request.members)
    asked = yield from aside(lambda: [Identity(m.member_id, m.group_instance_id) for m in request.members], size)
    leaving = asked if several else [Identity(request.member_id)]
    error, errors = leave(call.groups, request.group_id, leaving)
    if not several:
        refused = call.profile.groups.leave_refused_as or error
        return LeaveGroupResponse(error_code=errors[0] if error is ErrorCode.NONE else refused)
    return (yield from aside(lambda: _response(error, zip(leaving, errors)), size))


def _response(error: ErrorCode, members: Iterable[tuple[Identity, ErrorCode]]) -> LeaveGroupResponse:
    return LeaveGroupResponse(
        error_code=error,
        members=[
            MemberResponse(member_id=who.member_id, group_instance_id=who.instance_id, error_code=e)
            for who, e in members
        ],
    )
