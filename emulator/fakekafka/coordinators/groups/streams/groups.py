"""The streams groups that a broker coordinates: whether they are enabled, how they are configured, how records change
them.
"""

from collections.abc import Callable
from typing import Final

from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.runtime import ModernGroups, Plan
from fakekafka.coordinators.groups.streams.group import STANDBY_REPLICAS, AssignmentConfigs, StreamsGroup
from fakekafka.coordinators.groups.streams.internal_topics import InternalTopics
from fakekafka.coordinators.groups.streams.records import TYPES, group_tombstones, replay_into
from fakekafka.waiting.timers import Timer
from fakekafka.wire.internal.streams_group_records import StreamsGroupMetadataKey
from fakekafka.wire.message import Message

FEATURE: Final = "streams.version"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"


class StreamsGroups(ModernGroups[StreamsGroup]):
    """The streams groups of one broker."""

    KIND = "streams"
    TYPES = TYPES
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

    def assignment_configs(self, group_id: str) -> AssignmentConfigs:
        """The configs that assignments depend on, in the form of the group's record."""
        return {STANDBY_REPLICAS: str(self.setting(group_id, STANDBY_REPLICAS))}

    def new_group(self, group_id: str) -> StreamsGroup:
        """A new group. It is not stored yet."""
        return StreamsGroup(group_id, self.rules.first_epoch)

    def replay_into(self, group: StreamsGroup, key: Message, value: Message | None) -> None:
        """Apply a record of a group other than its deletion."""
        replay_into(group, key, value)

    def deletion(self, group: StreamsGroup) -> Plan[StreamsGroup]:
        """A plan that deletes a group."""
        plan = Plan(group)
        plan.add(*group_tombstones(group))
        return plan

    def forget(self, groups: dict[str, StreamsGroup], group_id: str) -> None:
        """Forget a group, and that its first assignment waits."""
        super().forget(groups, group_id)
        if groups is self.groups and (timer := self.delays.pop(group_id, None)) is not None:
            timer.cancel()
