"""SyncGroup, Heartbeat and LeaveGroup of a classic group."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.member import SyncResult
from fakekafka.coordinators.groups.classic.rebalance import (
    complete_join_if_ready,
    keep_alive,
    propagate_assignment,
    propagate_error,
    rebalance_if_possible,
    remove_member,
    stop_awaiting_syncs,
)
from fakekafka.coordinators.groups.classic.reply import Reply
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer import classic_members
from fakekafka.errors import ErrorCode
from fakekafka.ids import GenerationId

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator


class Identity(NamedTuple):
    """Who a member says it is."""

    member_id: str
    instance_id: str | None = None


class SyncAsked(NamedTuple):
    """A SyncGroup request."""

    group_id: str
    generation: GenerationId
    who: Identity
    protocol_type: str | None
    """None in versions that do not say it."""
    protocol_name: str | None
    assignments: dict[str, bytes]
    """By member id; only from the leader."""


def refusal_of(on: "GroupCoordinator", group: Group, who: Identity) -> ErrorCode:
    """What is wrong with a member's identity: 82 for a process that was replaced, 25 for a stranger."""
    if who.instance_id is not None:
        owner = group.static_ids.get(who.instance_id)
        if owner is not None and owner != who.member_id:
            return ErrorCode.FENCED_INSTANCE_ID
        if owner is None and on.rules.unknown_instance == "refused":
            return ErrorCode.UNKNOWN_MEMBER_ID
    return ErrorCode.NONE if who.member_id in group.members else ErrorCode.UNKNOWN_MEMBER_ID


# ---- SyncGroup


def sync(on: "GroupCoordinator", ask: SyncAsked) -> Reply[SyncResult]:
    """Carry out a SyncGroup. The reply holds the answer at once, or when the leader has sent the assignment."""
    reply: Reply[SyncResult] = Reply(on.waiters)
    status = ErrorCode.UNSUPPORTED_VERSION if on.refuses(ask.who.instance_id) else on.member_status(ask.group_id)
    if status is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
        status = ErrorCode.REBALANCE_IN_PROGRESS  # what the members agreed on is lost: they shall join again
    modern = on.consumer_groups.groups.get(ask.group_id)
    if status is ErrorCode.NONE and modern is not None:
        reply.give(classic_members.sync(on.consumer_groups, modern, ask))
        return reply
    group = on.group(ask.group_id)
    if status is ErrorCode.NONE:
        status = ErrorCode.UNKNOWN_MEMBER_ID if group is None else _refusal_of_sync(on, group, ask)
    if status is not ErrorCode.NONE:
        reply.give(SyncResult(status))
        return reply
    assert group is not None
    member = group.members[ask.who.member_id]
    group.awaited_syncs.discard(member.id)
    if not group.awaited_syncs:
        stop_awaiting_syncs(group)
    if group.state is State.STABLE:
        reply.give(SyncResult(ErrorCode.NONE, member.assignment, group.protocol_type, group.protocol_name))
        keep_alive(on, group, member)
    else:
        member.sync_reply = reply
        if group.leader == member.id:
            _take_assignment(on, group, ask.assignments)
    return reply


def _refusal_of_sync(on: "GroupCoordinator", group: Group, ask: SyncAsked) -> ErrorCode:
    error = refusal_of(on, group, ask.who)
    if error is not ErrorCode.NONE:
        return error
    if ask.generation != group.generation:
        return ErrorCode.ILLEGAL_GENERATION
    if ask.protocol_type not in (None, group.protocol_type) or ask.protocol_name not in (None, group.protocol_name):
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    return ErrorCode.REBALANCE_IN_PROGRESS if group.state is State.PREPARING_REBALANCE else ErrorCode.NONE


def _take_assignment(on: "GroupCoordinator", group: Group, assignments: dict[str, bytes]) -> None:
    """The leader has assigned: write it down, then everybody gets its part."""
    shares = {member_id: assignments.get(member_id, b"") for member_id in group.members}
    error = on.store_group(group, shares)
    if error is not ErrorCode.NONE:
        propagate_error(on, group, error)
        rebalance_if_possible(on, group)
        return
    for member in group.members.values():
        member.assignment = shares[member.id]
    propagate_assignment(on, group)
    group.become(State.STABLE, on.now)


# ---- Heartbeat


def heartbeat(on: "GroupCoordinator", group_id: str, generation: GenerationId, who: Identity) -> ErrorCode:
    """A member says that it is alive; the answer says whether it has to join again."""
    if on.refuses(who.instance_id):
        return ErrorCode.UNSUPPORTED_VERSION
    status = on.member_status(group_id)
    if status is not ErrorCode.NONE:
        return ErrorCode.NONE if status is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS else status
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        return classic_members.heartbeat(on.consumer_groups, modern, generation, who)
    group = on.group(group_id)
    if group is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    rules = on.rules
    if rules.heartbeat_order == "state first" and group.state is not State.STABLE:
        return ErrorCode.REBALANCE_IN_PROGRESS
    error = refusal_of(on, group, who)
    if error is not ErrorCode.NONE:
        return error
    awaiting_sync = group.state is State.COMPLETING_REBALANCE
    if generation != group.generation:
        return rules.old_generation_awaiting_sync if awaiting_sync else ErrorCode.ILLEGAL_GENERATION
    if awaiting_sync and rules.heartbeat_awaiting_sync is not ErrorCode.NONE:
        return rules.heartbeat_awaiting_sync
    keep_alive(on, group, group.members[who.member_id])
    return ErrorCode.REBALANCE_IN_PROGRESS if group.state is State.PREPARING_REBALANCE else ErrorCode.NONE


# ---- LeaveGroup


def leave(on: "GroupCoordinator", group_id: str, leaving: Sequence[Identity]) -> tuple[ErrorCode, list[ErrorCode]]:
    """Members leave. The error of the whole request, and that of each."""
    status = on.member_status(group_id)
    if status is not ErrorCode.NONE:
        return status, []
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        return ErrorCode.NONE, classic_members.leave(on.consumer_groups, modern, leaving)
    group = on.group(group_id)
    if group is None:
        return ErrorCode.NONE, [ErrorCode.UNKNOWN_MEMBER_ID for _ in leaving]
    return ErrorCode.NONE, [_leave(on, group, who) for who in leaving]


def _leave(on: "GroupCoordinator", group: Group, who: Identity) -> ErrorCode:
    if who.member_id in group.pending_ids:
        group.forget_pending(who.member_id)
        complete_join_if_ready(on, group)
        return ErrorCode.NONE
    if not who.member_id and who.instance_id is not None:  # an administrator names the instance alone (KIP-345)
        who = Identity(group.static_ids.get(who.instance_id, ""), who.instance_id)
    error = refusal_of(on, group, who)
    if error is ErrorCode.NONE:
        remove_member(on, group, group.members[who.member_id])
    return error
