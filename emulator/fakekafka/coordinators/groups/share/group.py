"""A share group: its members, epochs, target assignment, and where there is delivery state (ShareGroup)."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.consumer.group import Assignment
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName, Uuid


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
    """The topics for which a group has delivery state, by topic id."""

    initializing: Mapping[Uuid, Stated] = NO_STATES
    initialized: Mapping[Uuid, Stated] = NO_STATES
    deleting: Mapping[Uuid, TopicName] = NO_NAMES

    def with_initialized(self, topic: Uuid, partitions: Iterable[PartitionIndex]) -> "StatedTopics":
        """These topics, with additional partitions whose state now exists."""
        name = self.initializing[topic].name
        before = self.initialized[topic].partitions if topic in self.initialized else frozenset()
        waiting = {id: stated for id, stated in self.initializing.items() if id != topic}
        return self._replace(
            initializing=waiting,
            initialized={**self.initialized, topic: Stated(name, before.union(partitions))},
        )


class ShareGroup(ModernGroup[ShareMember, Assignment]):
    """One share group."""

    def __init__(self, id: str, first_epoch: int) -> None:
        super().__init__(id, first_epoch)
        self.topics = StatedTopics()

    @property
    def state(self) -> str:
        """The state's name in Describe and List."""
        return "Stable" if self.members else "Empty"

    def with_member(self, member: ShareMember) -> dict[str, ShareMember]:
        """The future members: with `member` in its new state."""
        return {**self.members, member.id: member}

    def validate_offset_commit(self, epoch: int, member_id: str, version: int) -> ErrorCode:
        """Share groups accept no commits."""
        return ErrorCode.GROUP_ID_NOT_FOUND

    def validate_txn_offset_commit(self, epoch: int, member_id: str, instance_id: str | None) -> ErrorCode:
        """Share groups accept no commits."""
        return ErrorCode.GROUP_ID_NOT_FOUND

    def validate_offset_fetch(self, epoch: int, member_id: str | None) -> ErrorCode:
        """Everyone may ask: there are no offsets."""
        return ErrorCode.NONE

    def subscribes_to(self, topic: TopicName) -> bool:
        """Whether a member reads `topic`."""
        return any(topic in member.topics for member in self.members.values())
