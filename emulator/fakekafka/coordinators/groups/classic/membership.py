"""SyncGroup, Heartbeat and LeaveGroup of members that speak the classic protocol."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.classic.member import Identity, Reply, SyncRequest, SyncResult
from fakekafka.coordinators.groups.classic.rebalance import Rebalance
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import GenerationId

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.classic_protocol.members import ClassicMembers
    from fakekafka.coordinators.groups.consumer.group import ConsumerGroup


def _of_consumer_group(groups: GroupRegistry, group: "ConsumerGroup") -> "ClassicMembers":
    """The members of a consumer group that speak the classic protocol."""
    from fakekafka.coordinators.groups.consumer.classic_protocol.members import ClassicMembers  # few groups have both

    return ClassicMembers(groups.consumer_groups, group)


# ---- SyncGroup


def sync(groups: GroupRegistry, request: SyncRequest) -> Reply[SyncResult]:
    """Carry out a SyncGroup. The reply holds the answer at once, or when the leader has sent the assignment."""
    reply: Reply[SyncResult] = Reply(groups.waiters)
    classic, identity = groups.classic_groups, request.identity
    status = classic.member_status(request.group_id)
    if classic.refuses(identity.instance_id):
        status = ErrorCode.UNSUPPORTED_VERSION
    if status is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        status = ErrorCode.REBALANCE_IN_PROGRESS  # what the members agreed on is lost: they must join again
    modern = groups.consumer_group(request.group_id)
    if status is ErrorCode.NONE and modern is not None:
        reply.give(_of_consumer_group(groups, modern).sync(request))
        return reply
    group = classic.find(request.group_id)
    if status is ErrorCode.NONE:
        status = ErrorCode.UNKNOWN_MEMBER_ID if group is None else _refusal_of_sync(classic, group, request)
    if status is not ErrorCode.NONE:
        reply.give(SyncResult(status))
        return reply
    assert group is not None
    rebalance, member = Rebalance(classic, group), group.members[identity.member_id]
    group.awaited_syncs.discard(member.id)
    if not group.awaited_syncs:
        rebalance.stop_awaiting_syncs()
    if group.state is State.STABLE:
        reply.give(SyncResult(ErrorCode.NONE, member.assignment, group.protocol_type, group.protocol_name))
        rebalance.keep_alive(member)
    else:
        member.sync_reply = reply
        if group.leader == member.id:
            _take_assignment(classic, rebalance, request.assignments)
    return reply


def _refusal_of_sync(classic: ClassicGroups, group: Group, request: SyncRequest) -> ErrorCode:
    error = classic.validate_member(group, request.identity)
    if error is not ErrorCode.NONE:
        return error
    if request.generation != group.generation:
        return ErrorCode.ILLEGAL_GENERATION
    if request.protocol_type not in (None, group.protocol_type) or request.protocol_name not in (
        None,
        group.protocol_name,
    ):
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    return ErrorCode.REBALANCE_IN_PROGRESS if group.state is State.PREPARING_REBALANCE else ErrorCode.NONE


def _take_assignment(classic: ClassicGroups, rebalance: Rebalance, assignments: dict[str, bytes]) -> None:
    """Store the leader's assignment, then give all members their parts."""
    group = rebalance.group
    shares = {member_id: assignments.get(member_id, b"") for member_id in group.members}
    error = classic.store(group, shares)
    if error is not ErrorCode.NONE:
        rebalance.propagate_error(error)
        rebalance.prepare_if_possible()
        return
    for member in group.members.values():
        member.assignment = shares[member.id]
    rebalance.propagate_assignment()
    group.become(State.STABLE, classic.now)


# ---- Heartbeat


def heartbeat(groups: GroupRegistry, group_id: str, generation: GenerationId, identity: Identity) -> ErrorCode:
    """A member says that it is alive; the answer says whether it has to join again."""
    classic = groups.classic_groups
    if classic.refuses(identity.instance_id):
        return ErrorCode.UNSUPPORTED_VERSION
    status = classic.member_status(group_id)
    if status is not ErrorCode.NONE:
        return ErrorCode.NONE if status is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS else status
    modern = groups.consumer_group(group_id)
    if modern is not None:
        return _of_consumer_group(groups, modern).heartbeat(generation, identity)
    group = classic.find(group_id)
    if group is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    rules = groups.rules
    if rules.heartbeat_order == "state first" and group.state is not State.STABLE:
        return ErrorCode.REBALANCE_IN_PROGRESS
    error = classic.validate_member(group, identity)
    if error is not ErrorCode.NONE:
        return error
    awaiting_sync = group.state is State.COMPLETING_REBALANCE
    if generation != group.generation:
        return rules.old_generation_awaiting_sync if awaiting_sync else ErrorCode.ILLEGAL_GENERATION
    if awaiting_sync and rules.heartbeat_awaiting_sync is not ErrorCode.NONE:
        return rules.heartbeat_awaiting_sync
    Rebalance(classic, group).keep_alive(group.members[identity.member_id])
    return ErrorCode.REBALANCE_IN_PROGRESS if group.state is State.PREPARING_REBALANCE else ErrorCode.NONE


# ---- LeaveGroup


def leave(groups: GroupRegistry, group_id: str, leaving: Sequence[Identity]) -> tuple[ErrorCode, list[ErrorCode]]:
    """Let members leave. Returns the error of the whole request, and the error of each member."""
    classic = groups.classic_groups
    status = classic.member_status(group_id)
    if status is not ErrorCode.NONE:
        return status, []
    modern = groups.consumer_group(group_id)
    if modern is not None:
        return ErrorCode.NONE, _of_consumer_group(groups, modern).leave(leaving)
    group = classic.find(group_id)
    if group is None:
        return ErrorCode.NONE, [ErrorCode.UNKNOWN_MEMBER_ID for _ in leaving]
    try:
        return ErrorCode.NONE, [_leave(classic, group, identity) for identity in leaving]
    except ApiError as failed:
        return failed.code, []


def _leave(classic: ClassicGroups, group: Group, identity: Identity) -> ErrorCode:
    """Let a member leave. Raises `ApiError` if that fails the whole request."""
    if identity.member_id in group.pending_ids:
        return _give_back(classic, group, identity)
    if not identity.member_id and identity.instance_id is not None:  # as administrators do (KIP-345)
        identity = Identity(group.static_ids.get(identity.instance_id, ""), identity.instance_id)
    error = classic.validate_member(group, identity)
    if error is ErrorCode.NONE:
        Rebalance(classic, group).remove_member(group.members[identity.member_id])
    return error


def _give_back(classic: ClassicGroups, group: Group, identity: Identity) -> ErrorCode:
    """Forget an id that was only given out; see `GroupsBehaviour.given_id_leaves`."""
    rebalance = Rebalance(classic, group)
    match classic.rules.given_id_leaves:
        case "without instance" if group.is_fenced(identity):
            return ErrorCode.FENCED_INSTANCE_ID
        case "without instance" if identity.instance_id is not None:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        case "without instance" | "quietly":
            group.forget_pending(identity.member_id)
            rebalance.complete_join_if_ready()
        case "as a member":
            group.forget_pending(identity.member_id)
            rebalance.go_on_without_it()
        case rule:
            assert_never(rule)
    return ErrorCode.NONE
