"""How a classic group goes from one generation to the next, and when it loses members (GroupCoordinator,
GroupMetadataManager of 4.x).

Joining members wait until all have joined or the rebalance timeout is over; then the leader's SyncGroup is waited for,
in `membership`. Every timer runs on the cluster's elapsed time. The functions take the coordinator first.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.member import JoinResult, Member, SyncResult
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, GenerationId

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

NEW_MEMBER_JOIN_TIMEOUT_MS: Final[DurationMs] = 300_000

# ---- the next generation


def prepare_rebalance(on: "GroupCoordinator", group: Group) -> None:
    """Have every member join again. Raises `LookupError` when no protocol is common to all."""
    if group.state is State.COMPLETING_REBALANCE:
        propagate_error(on, group, ErrorCode.REBALANCE_IN_PROGRESS)
    stop_awaiting_syncs(group)
    initial = group.state is State.EMPTY and on.rules.initial_delay
    group.become(State.PREPARING_REBALANCE, on.now)
    group.join_is_initial = initial
    if initial:
        delay = on.config.int("group.initial.rebalance.delay.ms")
        _initial_wait(on, group, delay, max(0, group.rebalance_timeout_ms - delay))
    elif group.all_joined:
        _complete_join(on, group)
    else:
        _wait_for_joins(on, group)


def rebalance_if_possible(on: "GroupCoordinator", group: Group) -> None:
    """`prepare_rebalance`, unless one is being prepared already."""
    if group.can_rebalance:
        prepare_rebalance(on, group)


def complete_join_if_ready(on: "GroupCoordinator", group: Group) -> None:
    """End the waiting for members if there is nobody left to wait for. The initial delay is always waited out."""
    if group.state is State.PREPARING_REBALANCE and not group.join_is_initial and group.all_joined:
        _complete_join(on, group)


def _wait_for_joins(on: "GroupCoordinator", group: Group) -> None:
    group.join_is_initial = False
    group.join_timer = on.timers.after(group.rebalance_timeout_ms, lambda: _joins_overdue(on, group))


def _joins_overdue(on: "GroupCoordinator", group: Group) -> None:
    with suppress(LookupError):  # the real coordinator fails in a thread of its own: nobody hears anything
        _complete_join(on, group)


def _initial_wait(on: "GroupCoordinator", group: Group, delay_ms: DurationMs, left_ms: DurationMs) -> None:
    """Give a new group time for more members; each that comes prolongs it, within the rebalance timeout (KIP-134)."""

    def over() -> None:
        if group.new_member_added and left_ms:
            group.new_member_added = False
            again = min(on.config.int("group.initial.rebalance.delay.ms"), left_ms)
            _initial_wait(on, group, again, max(0, left_ms - delay_ms))
        else:
            _joins_overdue(on, group)

    if delay_ms:
        group.join_timer = on.timers.after(delay_ms, over)
    else:
        _complete_join(on, group)


def _complete_join(on: "GroupCoordinator", group: Group) -> None:
    """Who has not joined is out; the others are told the next generation."""
    if group.join_timer is not None:
        group.join_timer.cancel()
        group.join_timer = None
    for late in [m for m in group.members.values() if m.join_reply is None and not m.counts_as_static]:
        group.remove(late.id)
    if on.rules.leader_must_join and group.members and not group.elect_joined_leader():
        _wait_for_joins(on, group)  # until their sessions end
        return
    if not group.members and on.rules.empty_groups == "dead":
        on.forget(group)
        return
    group.begin_generation(on.now)
    if not group.members:
        on.store_group(group, {})
        return
    for member in tuple(group.members.values()):
        group.answer_join(member, group.joined(member))
        if member.is_new and not on.rules.new_members_time_out:
            member.stop_session()
        else:
            keep_alive(on, group, member)
        member.is_new = False
    if on.rules.late_syncs_removed:
        _await_syncs(on, group)


# ---- waiting for SyncGroup


def _await_syncs(on: "GroupCoordinator", group: Group) -> None:
    group.awaited_syncs.update(group.members)
    generation = group.generation
    group.sync_timer = on.timers.after(group.rebalance_timeout_ms, lambda: _syncs_overdue(on, group, generation))


def _syncs_overdue(on: "GroupCoordinator", group: Group, generation: GenerationId) -> None:
    """Members that have not sent SyncGroup in time are out."""
    in_time = group.generation == generation and group.state in (State.COMPLETING_REBALANCE, State.STABLE)
    if in_time and group.awaited_syncs:
        for member_id in tuple(group.awaited_syncs):
            group.remove(member_id)
        prepare_rebalance(on, group)


def stop_awaiting_syncs(group: Group) -> None:
    """Nobody is late any more."""
    group.awaited_syncs.clear()
    if group.sync_timer is not None:
        group.sync_timer.cancel()
        group.sync_timer = None


def propagate_error(on: "GroupCoordinator", group: Group, error: ErrorCode) -> None:
    """There is no assignment; who waits for it hears why."""
    for member in group.members.values():
        member.assignment = b""
        if group.answer_sync(member, SyncResult(error)):
            keep_alive(on, group, member)


def propagate_assignment(on: "GroupCoordinator", group: Group) -> None:
    """Everybody who waits for its assignment gets it."""
    for member in group.members.values():
        result = SyncResult(ErrorCode.NONE, member.assignment, group.protocol_type, group.protocol_name)
        if group.answer_sync(member, result):
            keep_alive(on, group, member)


# ---- members that fail or leave


def keep_alive(on: "GroupCoordinator", group: Group, member: Member, timeout_ms: DurationMs | None = None) -> None:
    """The member was heard of: its session lasts for another session timeout, or `timeout_ms`.

    A running timer is left alone when it rings before the new end: it looks at the end then. So a heartbeat costs no
    new timer.
    """
    timeout = member.session_timeout_ms if timeout_ms is None else timeout_ms
    member.session_deadline_ms = on.timers.elapsed_ms + timeout
    timer = member.session_timer
    if timer is None or timer.action is None or timer.due_ms > member.session_deadline_ms:
        if timer is not None:
            timer.cancel()
        member.session_timer = on.timers.after(timeout, lambda: _session_rings(on, group, member))


def _session_rings(on: "GroupCoordinator", group: Group, member: Member) -> None:
    member.session_timer = None
    left = member.session_deadline_ms - on.timers.elapsed_ms
    if left > 0:
        member.session_timer = on.timers.after(left, lambda: _session_rings(on, group, member))
    elif group.members.get(member.id) is member and not _is_waiting(on, member):
        remove_member(on, group, member)


def _is_waiting(on: "GroupCoordinator", member: Member) -> bool:
    """Does it wait for an answer, so that nothing can be heard of it? New members may not wait for ever."""
    if member.is_new and on.rules.new_member_join_timeout:
        return False
    return member.join_reply is not None or member.sync_reply is not None


def remove_member(on: "GroupCoordinator", group: Group, member: Member) -> None:
    """A member leaves, or has failed: the others share what it had."""
    group.answer_join(member, JoinResult(ErrorCode.UNKNOWN_MEMBER_ID, ""))
    group.remove(member.id)
    if group.state in (State.STABLE, State.COMPLETING_REBALANCE):
        prepare_rebalance(on, group)
    else:
        complete_join_if_ready(on, group)


def give_out_id(on: "GroupCoordinator", group: Group, member_id: str, session_timeout_ms: DurationMs) -> None:
    """A client is told to come back with `member_id`; it has one session timeout for it (KIP-394)."""

    def over() -> None:
        group.forget_pending(member_id)
        complete_join_if_ready(on, group)

    group.pending_ids[member_id] = on.timers.after(session_timeout_ms, over)
