"""JoinGroup, key 11: become a member of a classic group, or join its next generation.

Behaviour: `coordinators.groups.classic.joining`; answered when the rebalance is over.
Versions: 0 - 9; from 4 on a new member gets its id first, from 9 on a static leader may skip the assignment.
"""

from typing import Final, assert_never

from fakekafka.coordinators.groups.classic.joining import join
from fakekafka.coordinators.groups.classic.member import JoinRequest, JoinResult, Reply
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Outcome, Result, Wait
from fakekafka.handlers.refusal import refusal
from fakekafka.ids import DurationMs
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupResponse, JoinGroupResponseMember

FIRST_WITH_REBALANCE_TIMEOUT: Final = 1
"""KIP-62."""
FIRST_WITH_KNOWN_ID: Final = 4
"""KIP-394."""
FIRST_WITH_INSTANCE_ID: Final = 5
"""KIP-345."""
FIRST_WITH_NULL_PROTOCOL: Final = 7
"""KIP-559."""
FIRST_THAT_SKIPS_ASSIGNMENT: Final = 9
"""KIP-814."""
UNKNOWN_TO_FAILURES: Final = 6
"""See `GroupsBehaviour.failed_join_6`."""
NO_TIMEOUT_MS: Final = -1


def handle(request: JoinGroupRequest, call: Call) -> Result:
    """Join, and wait until the group has its next generation."""
    try:
        reply = join(call.groups, _asked(request, call))
    except LookupError:  # the broker does not expect members without a protocol
        error = call.profile.groups.join_without_protocols
        return Outcome.HANG if error is None else refusal(request, call.version, error)
    except ApiError as failed:
        is_lost = call.version == UNKNOWN_TO_FAILURES and call.profile.groups.failed_join_6 == "never answered"
        return Outcome.HANG if is_lost else _response(JoinResult(failed.code, ""), call)
    return _answer(reply, call)


def _asked(request: JoinGroupRequest, call: Call) -> JoinRequest:
    instance_id = request.group_instance_id
    return JoinRequest(
        group_id=request.group_id,
        member_id=request.member_id,
        instance_id=instance_id,
        client_id=call.client_id or "",
        client_host=f"/{call.client_host}",
        rebalance_timeout_ms=_rebalance_timeout_ms(request, call),
        session_timeout_ms=request.session_timeout_ms,
        protocol_type=request.protocol_type,
        protocols=tuple((p.name, bytes(p.metadata)) for p in request.protocols),
        needs_known_id=call.version >= FIRST_WITH_KNOWN_ID and instance_id is None,
        has_room_for_instances=call.version >= FIRST_WITH_INSTANCE_ID,
        can_skip_assignment=call.version >= FIRST_THAT_SKIPS_ASSIGNMENT,
    )


def _rebalance_timeout_ms(request: JoinGroupRequest, call: Call) -> DurationMs:
    if call.version >= FIRST_WITH_REBALANCE_TIMEOUT:
        return request.rebalance_timeout_ms
    match call.profile.groups.join_0_rebalance_timeout:
        case "session timeout":
            return request.session_timeout_ms
        case "none":
            return NO_TIMEOUT_MS
        case rule:
            assert_never(rule)


def _answer(reply: Reply[JoinResult], call: Call) -> JoinGroupResponse | Wait:
    if reply.value is None:
        return Wait((reply,), None, lambda call, expired: _answer(reply, call))
    has_no_room = call.version < FIRST_WITH_INSTANCE_ID and call.profile.groups.static_members_fail_joins
    if has_no_room and any(member.instance_id is not None for member in reply.value.members):
        return _response(JoinResult(ErrorCode.UNSUPPORTED_VERSION, ""), call)
    return _response(reply.value, call)


def _response(result: JoinResult, call: Call) -> JoinGroupResponse:
    failed = result.error is not ErrorCode.NONE
    generation = call.profile.groups.join_error_generation if result.generation is None else result.generation
    protocol = result.protocol_name
    if protocol is None and (call.version < FIRST_WITH_NULL_PROTOCOL or not failed):
        protocol = ""
    return JoinGroupResponse(
        error_code=result.error,
        generation_id=generation,
        protocol_type=result.protocol_type,
        protocol_name=protocol,
        leader=result.leader,
        skip_assignment=result.skip_assignment,
        member_id=result.member_id,
        members=[
            JoinGroupResponseMember(member_id=m.id, group_instance_id=m.instance_id, metadata=metadata)
            for m, metadata in zip(result.members, result.metadata)
        ],
    )
