"""How a classic group goes from one generation to the next, and when it loses members (GroupCoordinator,
GroupMetadataManager of 4.x).

Joining members wait until all have joined or the rebalance timeout is over; then they wait for the leader's SyncGroup,
in `membership`. Every timer runs on the cluster's elapsed time.
"""

from contextlib import suppress
from typing import Final

from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.classic.member import JoinResult, Member, SyncResult
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, GenerationId

NEW_MEMBER_JOIN_TIMEOUT_MS: Final[DurationMs] = 300_000


class Rebalance:
    """The rebalances of one group."""

    def __init__(self, groups: ClassicGroups, group: Group) -> None:
        self._groups = groups
        self.group = group

    # ---- the next generation

    def prepare(self) -> None:
        """Have every member join again. Raises `LookupError` if no protocol is common to all."""
        if self.group.state is State.COMPLETING_REBALANCE:
            self.propagate_error(ErrorCode.REBALANCE_IN_PROGRESS)
        self.stop_awaiting_syncs()
        initial = self.group.state is State.EMPTY and self._groups.rules.initial_delay
        self.group.become(State.PREPARING_REBALANCE, self._groups.now)
        self.group.join_is_initial = initial
        if initial:
            delay = self._groups.config.int("group.initial.rebalance.delay.ms")
            self._initial_wait(delay, max(0, self.group.rebalance_timeout_ms - delay))
        elif self.group.all_joined or not self._may_wait:
            self._complete_join()
        else:
            self._wait_for_joins()

    @property
    def _may_wait(self) -> bool:
        """Whether there is time for the others. A negative rebalance timeout leaves none; nor does a group that only
        has given out ids wait for the clients that have them, since only members say how long.
        """
        return bool(self.group.members) and self.group.rebalance_timeout_ms >= 0

    def prepare_if_possible(self) -> None:
        """Call `prepare`, unless a rebalance is already being prepared."""
        if self.group.can_rebalance:
            self.prepare()

    def complete_join_if_ready(self) -> None:
        """Stop waiting for members if none is missing. The initial delay always runs to its end."""
        if self.group.state is State.PREPARING_REBALANCE and not self.group.join_is_initial and self.group.all_joined:
            self._complete_join()

    def _wait_for_joins(self, at_least_ms: DurationMs = 0) -> None:
        self.group.join_is_initial = False
        wait_ms = max(at_least_ms, self.group.rebalance_timeout_ms)
        self.group.join_timer = self._groups.timers.after(wait_ms, self._joins_overdue)

    def _joins_overdue(self) -> None:
        with suppress(LookupError):  # the real coordinator fails in another thread, and members get no answer
            self._complete_join()

    def _initial_wait(self, delay_ms: DurationMs, left_ms: DurationMs) -> None:
        """Give a new group time for more members; each one prolongs it, within the rebalance timeout (KIP-134)."""

        def over() -> None:
            if self.group.new_member_added and left_ms:
                self.group.new_member_added = False
                again = min(self._groups.config.int("group.initial.rebalance.delay.ms"), left_ms)
                self._initial_wait(again, max(0, left_ms - delay_ms))
            else:
                self._joins_overdue()

        if delay_ms:
            self.group.join_timer = self._groups.timers.after(delay_ms, over)
        else:
            self._complete_join()

    def _complete_join(self) -> None:
        """Remove members that have not joined; tell the others the next generation."""
        if self.group.join_timer is not None:
            self.group.join_timer.cancel()
            self.group.join_timer = None
        for late in [m for m in self.group.members.values() if m.join_reply is None and not m.counts_as_static]:
            self.group.remove(late.id)
        if self._groups.rules.leader_must_join and self.group.members and not self.group.elect_joined_leader():
            self._wait_for_joins(at_least_ms=1)  # until their sessions end; they may have asked for no time at all
            return
        if not self.group.members and self._groups.rules.empty_groups == "dead":
            self._groups.bury(self.group)
            return
        self.group.begin_generation(self._groups.now)
        if not self.group.members:
            self._groups.store(self.group, {})
            return
        if self._groups.rules.static_members_fail_joins and (leader := self.group.leader_without_room) is not None:
            if leader.join_reply is not None:
                leader.join_reply.give(self.group.joined(leader))  # it counts as one that waits from then on
            return
        for member in tuple(self.group.members.values()):
            self.group.answer_join(member, self.group.joined(member))
            if member.is_new and not self._groups.rules.new_members_time_out:
                member.stop_session()
            else:
                self.keep_alive(member)
            member.is_new = False
        if self._groups.rules.late_syncs_removed:
            self._await_syncs()

    # ---- waiting for SyncGroup

    def _await_syncs(self) -> None:
        self.group.awaited_syncs.update(self.group.members)
        generation = self.group.generation
        self.group.sync_timer = self._groups.timers.after(
            self.group.rebalance_timeout_ms, lambda: self._syncs_overdue(generation)
        )

    def _syncs_overdue(self, generation: GenerationId) -> None:
        """Remove members that have not sent SyncGroup in time."""
        in_time = self.group.generation == generation and self.group.state in (State.COMPLETING_REBALANCE, State.STABLE)
        if in_time and self.group.awaited_syncs:
            for member_id in tuple(self.group.awaited_syncs):
                self.group.remove(member_id)
            self.prepare()

    def stop_awaiting_syncs(self) -> None:
        """Stop the timer for missing SyncGroup requests."""
        self.group.awaited_syncs.clear()
        if self.group.sync_timer is not None:
            self.group.sync_timer.cancel()
            self.group.sync_timer = None

    def propagate_error(self, error: ErrorCode) -> None:
        """There is no assignment: answer the members that wait for it with an error."""
        for member in self.group.members.values():
            member.assignment = b""
            if self.group.answer_sync(member, SyncResult(error)):
                self.keep_alive(member)

    def propagate_assignment(self) -> None:
        """Give the waiting members their assignments."""
        for member in self.group.members.values():
            result = SyncResult(ErrorCode.NONE, member.assignment, self.group.protocol_type, self.group.protocol_name)
            if self.group.answer_sync(member, result):
                self.keep_alive(member)

    # ---- members that fail or leave

    def keep_alive(self, member: Member, timeout_ms: DurationMs | None = None) -> None:
        """Extend the member's session by its session timeout, or `timeout_ms`. A running timer that fires before the
        new end is left alone: it checks the end then. So a heartbeat needs no new timer.
        """
        timeout = member.session_timeout_ms if timeout_ms is None else timeout_ms
        member.session_deadline_ms = self._groups.timers.elapsed_ms + timeout
        timer = member.session_timer
        if timer is None or timer.action is None or timer.due_ms > member.session_deadline_ms:
            if timer is not None:
                timer.cancel()
            member.session_timer = self._groups.timers.after(timeout, lambda: self._session_rings(member))

    def _session_rings(self, member: Member) -> None:
        member.session_timer = None
        left = member.session_deadline_ms - self._groups.timers.elapsed_ms
        if left > 0:
            member.session_timer = self._groups.timers.after(left, lambda: self._session_rings(member))
        elif self.group.members.get(member.id) is member and not self._is_waiting(member):
            self.remove_member(member)

    def _is_waiting(self, member: Member) -> bool:
        """Whether the member waits for an answer, so that it cannot send heartbeats. New members must not wait
        for ever.
        """
        if member.is_new and self._groups.rules.new_member_join_timeout:
            return False
        return member.join_reply is not None or member.sync_reply is not None

    def remove_member(self, member: Member) -> None:
        """Remove a member that leaves or has failed; the others share its partitions."""
        self.group.answer_join(member, JoinResult(ErrorCode.UNKNOWN_MEMBER_ID, ""))
        self.group.remove(member.id)
        self.go_on_without_it()

    def go_on_without_it(self) -> None:
        """Begin a rebalance, or end the one for which only what has been removed was missing."""
        if self.group.state in (State.STABLE, State.COMPLETING_REBALANCE):
            self.prepare()
        else:
            self.complete_join_if_ready()

    def give_out_id(self, member_id: str, session_timeout_ms: DurationMs) -> None:
        """Tell a client to come back with `member_id`, within one session timeout (KIP-394)."""

        def over() -> None:
            self.group.forget_pending(member_id)
            self.complete_join_if_ready()

        self.group.pending_ids[member_id] = self._groups.timers.after(session_timeout_ms, over)
