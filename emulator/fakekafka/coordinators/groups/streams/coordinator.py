"""The streams groups that a broker coordinates: where they are, what is on, how a change is written down.

The ids of all kinds of groups are one namespace; the records lie in the same topic (`broker.groups`).
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.consumer.coordinator import APPEND_ERRORS
from fakekafka.coordinators.groups.lingering import KeyValue
from fakekafka.coordinators.groups.streams.group import AssignmentConfigs, StreamsGroup
from fakekafka.coordinators.groups.streams.internal_topics import InternalTopics
from fakekafka.coordinators.groups.streams.records import StreamsRecord, encoded, group_tombstones
from fakekafka.coordinators.groups.streams.replay import replay
from fakekafka.coordinators.groups.streams.target import STANDBY_REPLICAS
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import PartitionIndex, TimestampMs
from fakekafka.releases.configs.definition import parse_value
from fakekafka.waiting.timers import Timer

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

FEATURE: Final = "streams.version"
PROTOCOLS: Final = "group.coordinator.rebalance.protocols"


class StreamsGroups:
    """The streams groups of one broker."""

    def __init__(self, coordinator: "GroupCoordinator") -> None:
        self.coordinator = coordinator
        self.cluster = coordinator.cluster
        self.config = coordinator.config
        self.timers = coordinator.timers
        self.rules = coordinator.broker.profile.streams_groups
        self.groups: dict[str, StreamsGroup] = {}
        self.delays: dict[str, Timer] = {}
        """Groups whose first assignment waits for more members."""
        self.internal_topics = InternalTopics(coordinator.broker)

    @property
    def now(self) -> TimestampMs:
        return self.coordinator.now

    @property
    def is_on(self) -> bool:
        """Are streams groups served?"""
        protocols = self.config.value(PROTOCOLS) if self.rules.exist else ()
        named = isinstance(protocols, tuple) and "streams" in protocols
        return named and self.cluster.settings.features.get(FEATURE, 0) > 0

    def setting(self, group_id: str, name: str) -> int:
        """A config of a group, such as "session.timeout.ms": its own, or the broker's."""
        own = self.cluster.settings.groups.get(group_id, {}).get(f"streams.{name}")
        broker_wide = f"group.streams.{name}"
        if own is not None:
            value = parse_value(self.config.table[broker_wide], own)
            assert isinstance(value, int)
            return value
        return self.config.int(broker_wide)

    def assignment_configs(self, group_id: str) -> AssignmentConfigs:
        """The configs that an assignment follows from, as the group's record has them."""
        return {STANDBY_REPLICAS: str(self.setting(group_id, STANDBY_REPLICAS))}

    def require(self, group_id: str, *, absent: str = "Group {} not found.") -> StreamsGroup:
        """The group. Raises `ApiError` 69, in the words `absent` if no group of any kind is called so."""
        group = self.groups.get(group_id)
        if group is not None:
            return group
        if self.coordinator.knows(group_id):
            raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} is not a streams group.")
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, absent.format(group_id))

    def of_partition(self, index: PartitionIndex) -> Iterator[StreamsGroup]:
        """The groups whose records lie in a partition of the offsets topic."""
        return (group for group in list(self.groups.values()) if self.coordinator.partition_of(group.id) == index)

    # ---- changes

    def write(self, group_id: str, records: Sequence[StreamsRecord], before: Sequence[KeyValue] = ()) -> None:
        """Write records down, in one append, and let them count. `before`: of another kind of group, which was in the
        way. Raises `ApiError`.
        """
        if not records:
            return
        done = self.coordinator.append(group_id, [*before, *map(encoded, records)])
        if done.error is not ErrorCode.NONE:
            raise ApiError(APPEND_ERRORS.get(done.error, done.error))
        for record in records:
            replay(self.groups, self.rules.first_epoch, record)

    def deletion_records(self, group: StreamsGroup) -> list[KeyValue]:
        """Forget a group; what is to be written of that."""
        self.drop(group)
        return [encoded(record) for record in group_tombstones(group)]

    def drop(self, group: StreamsGroup) -> None:
        """Forget a group, here only."""
        group.stop_timers()
        self.stop_delay(group.id)
        self.groups.pop(group.id, None)

    def stop_delay(self, group_id: str) -> None:
        timer = self.delays.pop(group_id, None)
        if timer is not None:
            timer.cancel()

    def drop_partition(self, index: PartitionIndex) -> None:
        """Another broker coordinates the groups of a partition of the offsets topic."""
        for group in self.of_partition(index):
            self.drop(group)

    def clear(self) -> None:
        """Forget everything."""
        for group in list(self.groups.values()):
            self.drop(group)
