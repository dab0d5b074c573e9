"""Heartbeat, key 12: a member of a classic group says that it is alive, and learns of rebalances.

Behaviour: `coordinators.groups.classic.membership`.
Versions: 0 - 4; instance ids from 3 on.
"""

from fakekafka.coordinators.groups.classic.member import Identity
from fakekafka.coordinators.groups.classic.membership import heartbeat
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse


def handle(request: HeartbeatRequest, call: Call) -> HeartbeatResponse:
    """Prolong the member's session."""
    identity = Identity(request.member_id, request.group_instance_id)
    error = heartbeat(call.groups, request.group_id, request.generation_id, identity)
    return HeartbeatResponse(error_code=error)
