"""Heartbeat, key 12: a member of a classic group says that it is alive, and learns of rebalances.

Behaviour: `coordinators.groups.classic`.
Versions: 0 - 4; instance ids from 3 on.
"""

from fakekafka.coordinators.groups.classic.membership import Identity, heartbeat
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse


def handle(request: HeartbeatRequest, call: Call) -> HeartbeatResponse:
    """Prolong the member's session."""
    who = Identity(request.member_id, request.group_instance_id)
    return HeartbeatResponse(error_code=heartbeat(call.groups, request.group_id, request.generation_id, who))
