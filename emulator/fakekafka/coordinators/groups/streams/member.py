"""One member of a streams group: what it said about itself, and the state of its assignment (StreamsGroupMember).

A member is usually one thread of a process; what matters for where a task may be is the process. Members are values, as
those of consumer groups are (`groups.consumer.member`).
"""

from collections.abc import Collection, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.ids import DurationMs, PartitionIndex

TaskId: TypeAlias = tuple[str, PartitionIndex]
"""A subtopology, and the number of a task in it."""
LEFT: Final = -1
"""Epoch of a member that leaves."""
AWAY: Final = -2
"""Epoch of a static member that leaves and will be back: no release has those yet."""


class MemberState(IntEnum):
    """Numbers as in records."""

    STABLE = 1
    UNREVOKED_TASKS = 2
    """The member still has tasks that it must give up."""
    UNRELEASED_TASKS = 3
    """The member waits for tasks that are still elsewhere."""


class Tasks(NamedTuple):
    """The tasks that a member is to have, or claims to have."""

    active: frozenset[TaskId] = frozenset()
    standby: frozenset[TaskId] = frozenset()
    warmup: frozenset[TaskId] = frozenset()


class Owned(NamedTuple):
    """The tasks that a member has."""

    active: Mapping[TaskId, int] = MappingProxyType({})
    """Each active task with the epoch in which the member got it."""
    standby: frozenset[TaskId] = frozenset()
    warmup: frozenset[TaskId] = frozenset()

    @property
    def tasks(self) -> Tasks:
        """These tasks without their epochs."""
        return Tasks(frozenset(self.active), self.standby, self.warmup)

    def meets(self, tasks: Tasks) -> bool:
        """Whether both have some task in the same role."""
        return any(not has.isdisjoint(other) for has, other in zip(tasks, self.tasks))


NO_TASKS: Final = Tasks()
NOTHING: Final = Owned()


class Endpoint(NamedTuple):
    """Where a member's process answers interactive queries."""

    host: str
    port: int


class StreamsMember(NamedTuple):
    """A member of a streams group."""

    id: str
    rack: str | None = None
    client_id: str = ""
    client_host: str = ""
    """In Java's notation: "/127.0.0.1"."""
    rebalance_timeout_ms: DurationMs = -1
    topology_epoch: int = -1
    process_id: str = ""
    endpoint: Endpoint | None = None
    tags: Mapping[str, str] = MappingProxyType({})
    epoch: int = 0
    previous_epoch: int = 0
    state: MemberState = MemberState.STABLE
    assigned: Owned = NOTHING
    revoking: Owned = NOTHING
    """What it has and must give up."""

    def in_epoch(self, epoch: int) -> "StreamsMember":
        """The member in a new epoch. The previous one is accepted, too, until the member is known to have received the
        new one.
        """
        return self._replace(epoch=epoch, previous_epoch=self.epoch)

    def is_reconciled(self, target_epoch: int) -> bool:
        """Whether it has reached its target."""
        return self.state is MemberState.STABLE and self.epoch == target_epoch


def by_subtopology(tasks: Collection[TaskId]) -> dict[str, list[PartitionIndex]]:
    """Tasks as messages have them, sorted."""
    found: dict[str, list[PartitionIndex]] = {}
    for subtopology, partition in sorted(tasks):
        found.setdefault(subtopology, []).append(partition)
    return found
