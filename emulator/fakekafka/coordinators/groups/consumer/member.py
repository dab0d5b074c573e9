"""One member of a consumer group: what it said about itself, and the state of its assignment (ConsumerGroupMember).

Members are values: a request makes a new one, its difference to the old one is written, and what was written replaces
the old one. Two members are equal if nothing would have to be written.
"""

from collections.abc import Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.ids import DurationMs, PartitionIndex, Uuid

Assignment: TypeAlias = Mapping[Uuid, frozenset[PartitionIndex]]
"""A target assignment, by topic id."""
Owned: TypeAlias = Mapping[Uuid, Mapping[PartitionIndex, int]]
"""What a member has, each partition with the epoch in which the member got it (KIP-1251)."""

NOTHING: Final[Owned] = MappingProxyType({})
LEFT: Final = -1
"""Epoch of a member that leaves."""
AWAY: Final = -2
"""Epoch of a static member that leaves and will be back."""


class MemberState(IntEnum):
    """Numbers as in records."""

    STABLE = 0
    UNREVOKED_PARTITIONS = 1
    """The member still has partitions that it must give up."""
    UNRELEASED_PARTITIONS = 2
    """The member waits for partitions that others still have."""


class ClassicMember(NamedTuple):
    """What is known about a member that speaks the classic protocol."""

    session_timeout_ms: DurationMs
    protocols: tuple[tuple[str, bytes], ...]
    """Names and metadata, the preferred one first."""


class Member(NamedTuple):
    """A member of a consumer group."""

    id: str
    instance_id: str | None = None
    rack: str | None = None
    client_id: str = ""
    client_host: str = ""
    """In Java's notation: "/127.0.0.1"."""
    rebalance_timeout_ms: DurationMs = -1
    topics: frozenset[str] = frozenset()
    """Names that it subscribes to."""
    regex: str = ""
    """Pattern that it subscribes to, or ""."""
    assignor: str | None = None
    """Server-side assignor that it asks for."""
    classic: ClassicMember | None = None
    """None if it speaks the consumer protocol."""
    epoch: int = 0
    previous_epoch: int = 0
    state: MemberState = MemberState.STABLE
    assigned: Owned = NOTHING
    revoking: Owned = NOTHING
    """What it has and must give up."""

    def in_epoch(self, epoch: int) -> "Member":
        """The member in a new epoch. The previous one is accepted, too, until the member is known to have received the
        new one.
        """
        return self._replace(epoch=epoch, previous_epoch=self.epoch)

    def is_reconciled(self, target_epoch: int) -> bool:
        """Whether it has reached its target."""
        return self.state is MemberState.STABLE and self.epoch == target_epoch

    def has_other_partitions(self, other: "Member") -> bool:
        """Whether its assigned partitions differ from those of `other`."""
        return assignment(self.assigned) != assignment(other.assigned)

    def since_epoch_0(self) -> "Member":
        """The member, as if it had had all partitions from the beginning."""
        assigned = {topic: dict.fromkeys(partitions, 0) for topic, partitions in self.assigned.items()}
        return self._replace(assigned=assigned, revoking={})


def assignment(owned: Owned) -> Assignment:
    """What a member has, without epochs."""
    return {topic: frozenset(partitions) for topic, partitions in owned.items()}
