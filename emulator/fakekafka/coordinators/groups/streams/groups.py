"""The streams groups that a broker coordinates: whether they are enabled, how they are configured, how records change
them; and how members leave: by themselves, or because nothing was heard from them
(GroupMetadataManager.streamsGroupFenceMember).

When a member leaves, the group epoch grows; the next heartbeat of another member makes the next assignment.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.runtime import ModernGroups, Plan
from fakekafka.coordinators.groups.streams.group import (
    STANDBY_REPLICAS,
    AssignmentConfigs,
    MemberState,
    StreamsGroup,
    StreamsMember,
)
from fakekafka.coordinators.groups.streams.records import (
    TYPES,
    epoch_record,
    group_tombstones,
    member_tombstones,
    replay_into,
)
from fakekafka.coordinators.groups.streams.topology.internal_topics import InternalTopics
from fakekafka.errors import ApiError
from fakekafka.ids import DurationMs
from fakekafka.releases.configs import group_configs
from fakekafka.waiting.timers import Timer
from fakekafka.wire.internal.streams_group_records import StreamsGroupMetadataKey

FEATURE: Final = "streams.version"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"


class StreamsGroups(ModernGroups[StreamsGroup]):
    """The streams groups of one broker."""

    KIND = "streams"
    TYPES = TYPES
    REPLAY = staticmethod(replay_into)
    METADATA_KEY = StreamsGroupMetadataKey

    def __init__(self, classic: ClassicGroups, is_taken: Callable[[str], bool]) -> None:
        self.rules = classic.broker.profile.streams_groups
        super().__init__(classic.log, self.rules, is_taken)
        self.classic = classic
        """Groups of the classic protocol; an empty one gives up its name."""
        self.delays: dict[str, Timer] = {}
        """Groups whose first assignment waits for more members."""
        self.internal_topics = InternalTopics(classic.broker)

    @property
    def exists(self) -> bool:
        """Whether the release has groups of this kind, on or off."""
        return self.rules.exist

    @property
    def is_on(self) -> bool:
        """Whether streams groups are served."""
        named = self.rules.exist and "streams" in self.config_list(PROTOCOLS)
        return named and self.cluster.settings.features.get(FEATURE, 0) > 0

    def setting(self, group_id: str, name: str) -> int:
        """A config of a group: its own, the broker's, or a default."""
        key = f"{self.KIND}.{name}"
        is_own = key in self.cluster.settings.groups.get(group_id, {})
        if is_own or self.rules.configured_groups_inherit or group_id not in self.broker.configured_groups:
            return super().setting(group_id, name)
        return int(group_configs(self.broker.profile.release)[key].default or 0)

    def assignment_configs(self, group_id: str) -> AssignmentConfigs:
        """The configs that assignments depend on, in the form of the group's record."""
        return {STANDBY_REPLICAS: str(self.setting(group_id, STANDBY_REPLICAS))}

    def new_group(self, group_id: str) -> StreamsGroup:
        """A new group. It is not stored yet."""
        return StreamsGroup(group_id, self.rules.first_epoch)

    def deletion(self, group: StreamsGroup) -> Plan[StreamsGroup]:
        """A plan that deletes a group."""
        plan = Plan(group)
        plan.add(*group_tombstones(group))
        return plan

    def forget(self, groups: dict[str, StreamsGroup], group_id: str) -> None:
        """Forget a group, and the delay of its first assignment."""
        super().forget(groups, group_id)
        if groups is self.groups and (timer := self.delays.pop(group_id, None)) is not None:
            timer.cancel()


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
        """Remove a member. `shutdown`: it asks the whole application to stop. Raises `ApiError`."""
        group, plan = self._group, Plan(self._group)
        plan.add(*member_tombstones(group.id, member.id))
        validated, configs = group.validated_topology_epoch, group.configs
        plan.add(epoch_record(group.id, group.epoch + 1, group.metadata_hash, validated, configs))
        if shutdown:
            plan.on_written.append(lambda: group.ask_for_shutdown(member.id))
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
