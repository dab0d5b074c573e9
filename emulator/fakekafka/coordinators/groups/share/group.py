"""A share group: its members, epochs, target assignment, and where there is delivery state (ShareGroup)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.consumer.hash_order import timeline_order
from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.ids import PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.waiting.timers import Timer


class Stated(NamedTuple):
    """A topic with delivery state."""

    name: TopicName
    partitions: frozenset[PartitionIndex]


NO_ASSIGNMENT: Final[Assignment] = MappingProxyType({})
NO_STATES: Final[Mapping[Uuid, Stated]] = MappingProxyType({})
NO_NAMES: Final[Mapping[Uuid, TopicName]] = MappingProxyType({})


class ShareMember(NamedTuple):
    """A member of a share group."""

    id: str
    rack: str | None = None
    client_id: str = ""
    client_host: str = ""
    topics: frozenset[TopicName] = frozenset()
    epoch: int = 0
    previous_epoch: int = 0
    assigned: Assignment = NO_ASSIGNMENT


class StatedTopics(NamedTuple):
    """For which topics a group has delivery state, by topic id."""

    initializing: Mapping[Uuid, Stated] = NO_STATES
    initialized: Mapping[Uuid, Stated] = NO_STATES
    deleting: Mapping[Uuid, TopicName] = NO_NAMES

    def with_initialized(self, topic: Uuid, partitions: Iterable[PartitionIndex]) -> "StatedTopics":
        """The same, with partitions whose state is there now."""
        name = self.initializing[topic].name
        before = self.initialized[topic].partitions if topic in self.initialized else frozenset()
        waiting = {id: stated for id, stated in self.initializing.items() if id != topic}
        return self._replace(
            initializing=waiting,
            initialized={**self.initialized, topic: Stated(name, before.union(partitions))},
        )


class ShareGroup:
    """One share group. All but the timers comes from records."""

    def __init__(self, id: str, first_epoch: int) -> None:
        self.id = id
        self.epoch = first_epoch
        self.metadata_hash = 0
        self.assignment_epoch = first_epoch
        self.assignment_timestamp: TimestampMs = 0
        self.members: dict[str, ShareMember] = {}
        self.target: dict[str, Assignment] = {}
        self.topics = StatedTopics()
        self.timers: dict[str, Timer] = {}
        """Sessions by member id."""

    @property
    def state(self) -> str:
        """As Describe and List call it."""
        return "Stable" if self.members else "Empty"

    def ordered_members(self) -> list[ShareMember]:
        """All members as the coordinator's own map gives them."""
        return [self.members[member_id] for member_id in timeline_order(self.members)]

    def with_member(self, member: ShareMember) -> dict[str, ShareMember]:
        """The members as they will be."""
        return {**self.members, member.id: member}

    def set_timer(self, member_id: str, timer: Timer) -> None:
        """A session begins anew."""
        self.stop_timer(member_id)
        self.timers[member_id] = timer

    def stop_timer(self, member_id: str) -> None:
        timer = self.timers.pop(member_id, None)
        if timer is not None:
            timer.cancel()

    def stop_timers(self) -> None:
        for member_id in list(self.timers):
            self.stop_timer(member_id)
