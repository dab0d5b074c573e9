"""Members of a consumer group that stay, leave, or time out (GroupMetadataManager.consumerGroupLeave,
consumerGroupFenceMembers).
"""

from collections.abc import Sequence
from contextlib import suppress

from fakekafka.coordinators.groups.consumer.classic_protocol.migration import downgrade, downgrades_without
from fakekafka.coordinators.groups.consumer.early.records import current_record_by
from fakekafka.coordinators.groups.consumer.group import AWAY, ConsumerGroup, Member, MemberState
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.patterns import note_topics
from fakekafka.coordinators.groups.consumer.records import member_tombstones, regex_tombstone
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.errors import ApiError
from fakekafka.ids import DurationMs


class Membership:
    """The members of one group, and how long they stay."""

    def __init__(self, groups: ConsumerGroups, group: ConsumerGroup) -> None:
        self._groups = groups
        self.group = group

    def leave(self, member_id: str, instance_id: str | None, epoch: int) -> None:
        """Let a member leave, for good or, if it is static, temporarily. Raises `ApiError`."""
        group = self.group
        if instance_id is None:
            member = group.require_member(member_id)
        else:
            member = group.require_static_member(instance_id, member_id)
        if instance_id is None or epoch != AWAY:
            self.fence([member])
            return
        away = member.since_epoch_0()._replace(epoch=AWAY)
        plan = Plan(group)
        plan.add(current_record_by(self._groups.rules, group.id, away))
        self._groups.commit(plan)

    def fence(self, gone: Sequence[Member]) -> None:
        """Remove members. The group epoch grows, and the rest may become a classic group. Raises `ApiError`."""
        groups, group = self._groups, self.group
        if not gone:
            return
        if downgrades_without(groups, group, gone):
            downgrade(groups, group, gone)
            return
        plan = Plan(group)
        for member in gone:
            plan.add(*member_tombstones(group.id, member.id))
        left = [member for member in group.members.values() if member not in gone]
        dropped = {member.regex for member in gone} & group.regexes.keys() - {member.regex for member in left}
        plan.add(*(regex_tombstone(group.id, regex) for regex in sorted(dropped)))
        note_topics(groups, plan, group.topics(left), grows=True)
        groups.commit(plan)

    # ---- deadlines

    def start_timers(self) -> None:
        """Start a session for every member of a group that was read from the log."""
        for member in self.group.members.values():
            self.keep_alive(member)
            if member.state is MemberState.UNREVOKED_PARTITIONS:
                self._fence_after(member.rebalance_timeout_ms, "rebalance", member)

    def keep_alive(self, member: Member) -> None:
        """Begin a new session."""
        self._fence_after(self._groups.session_timeout_ms(self.group, member), "session", member)

    def await_sync(self, member: Member, timeout_ms: DurationMs) -> None:
        """Wait for a classic member to ask for its assignment."""
        self._fence_after(timeout_ms, "sync", member)

    def await_join(self, member: Member) -> None:
        """Wait for a classic member to join again within its rebalance timeout, which keeps running if the
        member knew already.
        """
        if ("join", member.id) not in self.group.timers:
            self._fence_after(member.rebalance_timeout_ms, "join", member)

    def await_revocation(self, member: Member) -> None:
        """Give a member whose assignment has changed a new rebalance timeout for what it must give up, if anything.
        Classic members have other deadlines for that.
        """
        if member.classic is None and member.state is MemberState.UNREVOKED_PARTITIONS:
            self._fence_after(member.rebalance_timeout_ms, "rebalance", member, epoch=member.epoch)
        else:
            self.group.stop_timer("rebalance", member.id)

    def _fence_after(self, timeout_ms: DurationMs, kind: str, member: Member, epoch: int | None = None) -> None:
        """Remove a member when its time is over; `epoch`: only if it is still in that epoch."""

        def over() -> None:
            group = self._groups.groups.get(self.group.id)
            known = None if group is None else group.members.get(member.id)
            if group is not None and known is not None and epoch in (None, known.epoch):
                with suppress(ApiError):  # there is no request to answer
                    Membership(self._groups, group).fence([known])

        self.group.set_timer(kind, member.id, self._groups.timers.after(timeout_ms, over))
