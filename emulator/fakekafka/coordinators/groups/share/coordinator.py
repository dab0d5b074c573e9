"""The share groups that a broker coordinates: where they are, what is on, how a change is written down.

The ids of all kinds of groups are one namespace; the records lie in the same topic (`broker.groups`).
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from fakekafka.coordinators.groups.consumer.coordinator import APPEND_ERRORS
from fakekafka.coordinators.groups.share.group import ShareGroup
from fakekafka.coordinators.groups.share.records import ShareRecord, encoded, group_tombstones, topics_record
from fakekafka.coordinators.groups.share.replay import replay
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import Place
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import PartitionIndex, TimestampMs
from fakekafka.releases.configs.definition import parse_value

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

FEATURE: Final = "share.version"


class ShareGroups:
    """The share groups of one broker."""

    def __init__(self, coordinator: "GroupCoordinator") -> None:
        self.coordinator = coordinator
        self.cluster = coordinator.cluster
        self.config = coordinator.config
        self.timers = coordinator.timers
        self.rules = coordinator.broker.profile.share_groups
        self.groups: dict[str, ShareGroup] = {}

    @property
    def now(self) -> TimestampMs:
        return self.coordinator.now

    @property
    def is_on(self) -> bool:
        """Are share groups served?"""
        return self.rules.exist and self.cluster.settings.features.get(FEATURE, 0) > 0

    def setting(self, group_id: str, name: str) -> int:
        """A config of a group, such as "session.timeout.ms": its own, or the broker's."""
        own = self.cluster.settings.groups.get(group_id, {}).get(f"share.{name}")
        broker_wide = f"group.share.{name}"
        if own is not None:
            value = parse_value(self.config.table[broker_wide], own)
            assert isinstance(value, int)
            return value
        return self.config.int(broker_wide)

    def limit(self, group_id: str, name: str) -> int:
        """The same for a limit that groups have one of their own of only from 4.3 on."""
        return self.setting(group_id, name)

    def text(self, group_id: str, name: str, default: str) -> str:
        """A config that only groups have."""
        return self.cluster.settings.groups.get(group_id, {}).get(f"share.{name}", default)

    def require(self, group_id: str) -> ShareGroup:
        """The group. Raises `ApiError` 69."""
        group = self.groups.get(group_id)
        if group is not None:
            return group
        words = "is not a share group." if self.coordinator.knows(group_id) else "not found."
        raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND, f"Group {group_id} {words}")

    def found_or_new(self, group_id: str) -> ShareGroup:
        """The group, or a new one that is not kept yet. Raises `ApiError` 69 for a group of another kind."""
        if self.coordinator.knows(group_id):
            return self.require(group_id)
        return ShareGroup(group_id, self.rules.first_epoch)

    # ---- changes

    def write(self, group_id: str, records: Sequence[ShareRecord]) -> None:
        """Write records down, in one append, and let them count. Raises `ApiError`."""
        if records:
            done = self.coordinator.append(group_id, [encoded(record) for record in records])
            if done.error is not ErrorCode.NONE:
                raise ApiError(APPEND_ERRORS.get(done.error, done.error))
            self._apply(records)

    def write_soon(self, group_id: str, records: Sequence[ShareRecord]) -> None:
        """The same for what nobody waits for."""
        self.coordinator.append_soon(group_id, [encoded(record) for record in records])
        self._apply(records)

    def _apply(self, records: Sequence[ShareRecord]) -> None:
        for record in records:
            replay(self.groups, self.rules.first_epoch, record)

    def delete(self, group: ShareGroup) -> None:
        """An empty group goes, with its states. Raises `ApiError`."""
        topics = group.topics
        had = {**topics.initializing, **topics.initialized}
        if had or self.rules.delete_writes_topics:
            deleting = {**topics.deleting, **{topic: stated.name for topic, stated in had.items()}}
            changed = topics._replace(initializing={}, initialized={}, deleting=deleting)
            self.write(group.id, [topics_record(group.id, changed)])
        for topic, stated in had.items():
            for partition in stated.partitions:
                coordinators_of(self.coordinator.broker).share.states.delete(Place(group.id, topic, partition))
        self.write(group.id, group_tombstones(group))

    # ---- loading

    def drop_partition(self, index: PartitionIndex) -> None:
        """Another broker coordinates the groups of a partition of the offsets topic."""
        for group in list(self.groups.values()):
            if self.coordinator.partition_of(group.id) == index:
                group.stop_timers()
                del self.groups[group.id]

    def clear(self) -> None:
        """Forget everything."""
        for group in self.groups.values():
            group.stop_timers()
        self.groups.clear()
