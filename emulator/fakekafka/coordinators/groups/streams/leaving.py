"""Members that leave or time out (GroupMetadataManager.streamsGroupFenceMember).

The group epoch grows; the next heartbeat of another member makes the next assignment.
"""

from contextlib import suppress

from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.groups import StreamsGroups
from fakekafka.coordinators.groups.streams.member import MemberState, StreamsMember
from fakekafka.coordinators.groups.streams.records import epoch_record, member_tombstones
from fakekafka.errors import ApiError
from fakekafka.ids import DurationMs


def leave(groups: StreamsGroups, group_id: str, member_id: str, *, shutdown: bool) -> None:
    """Let a member leave. `shutdown`: whether it asks all others to stop. Raises `ApiError`."""
    group = groups.require(group_id)
    member = group.require_member(member_id)
    Membership(groups, group).fence(member, shutdown=shutdown)


class Membership:
    """The members of one group, and how long they stay."""

    def __init__(self, groups: StreamsGroups, group: StreamsGroup) -> None:
        self._groups = groups
        self._group = group

    def fence(self, member: StreamsMember, *, shutdown: bool = False) -> None:
        """Remove a member. `shutdown`: whether it asks the whole application to stop. Raises `ApiError`."""
        group, plan = self._group, Plan(self._group)
        plan.add(*member_tombstones(group.id, member.id))
        validated, configs = group.validated_topology_epoch, group.configs
        plan.add(epoch_record(group.id, group.epoch + 1, group.metadata_hash, validated, configs))
        if shutdown:
            plan.on_written(lambda: group.ask_for_shutdown(member.id))
        self._groups.commit(plan)

    # ---- deadlines

    def start_timers(self) -> None:
        """Start a session for every member of a group that was read from the log."""
        for member in self._group.members.values():
            self.keep_alive(member.id)
            self.await_revocation(member)

    def keep_alive(self, member_id: str) -> None:
        """Begin a new session."""
        timeout = self._groups.setting(self._group.id, "session.timeout.ms")
        self._fence_after(timeout, "session", member_id)

    def await_revocation(self, member: StreamsMember) -> None:
        """Start or stop the rebalance timeout within which a member must give up tasks."""
        if member.state is not MemberState.UNREVOKED_TASKS:
            self._group.stop_timer("rebalance", member.id)
            return
        self._fence_after(member.rebalance_timeout_ms, "rebalance", member.id, epoch=member.epoch)

    def _fence_after(self, timeout_ms: DurationMs, kind: str, member_id: str, epoch: int | None = None) -> None:
        """Remove a member when its time is over; `epoch`: only if it is still in that epoch."""

        def over() -> None:
            known = self._group.members.get(member_id)
            if known is not None and epoch in (None, known.epoch):
                with suppress(ApiError):  # there is no request to answer
                    self.fence(known)

        self._group.set_timer(kind, member_id, self._groups.timers.after(timeout_ms, over))
