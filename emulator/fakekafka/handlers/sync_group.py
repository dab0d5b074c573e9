"""SyncGroup, key 14: the leader hands in the assignment, every member gets its part.

Behaviour: `coordinators.groups.classic`; followers are answered when the leader's assignment has been written.
Versions: 0 - 5; instance ids from 3 on, protocol type and name from 5 on.
"""

from typing import Final

from fakekafka.coordinators.groups.classic.member import Identity, Reply, SyncRequest, SyncResult
from fakekafka.coordinators.groups.classic.membership import sync
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Wait
from fakekafka.wire.apis.sync_group import SyncGroupRequest, SyncGroupResponse

FIRST_WITH_PROTOCOL: Final = 5
"""KIP-559."""


def handle(request: SyncGroupRequest, call: Call) -> SyncGroupResponse | Wait:
    """Hand in the leader's assignment, and wait for the member's own part."""
    asked = SyncRequest(
        group_id=request.group_id,
        generation=request.generation_id,
        identity=Identity(request.member_id, request.group_instance_id),
        protocol_type=request.protocol_type,
        protocol_name=request.protocol_name,
        assignments={a.member_id: bytes(a.assignment) for a in request.assignments},
    )
    if call.version >= FIRST_WITH_PROTOCOL and (asked.protocol_type is None or asked.protocol_name is None):
        return SyncGroupResponse(error_code=ErrorCode.INCONSISTENT_GROUP_PROTOCOL, assignment=b"")
    return _answer(sync(call.groups, asked))


def _answer(reply: Reply[SyncResult]) -> SyncGroupResponse | Wait:
    result = reply.value
    if result is None:
        return Wait((reply,), None, lambda call, expired: _answer(reply))
    return SyncGroupResponse(
        error_code=result.error,
        protocol_type=result.protocol_type,
        protocol_name=result.protocol_name,
        assignment=result.assignment,
    )
