"""A streams group (StreamsGroup): its members, epochs, topology and target assignment.

A member (StreamsGroupMember) is usually one thread of a process; what matters for where a task may be is the process.
Members are values, like those of consumer groups.

What is kept here comes from records (`replay`), except the timers, the configured topology, the epoch of the endpoints
and the member that asked for a shutdown: those are lost with the coordinator.
"""

from collections.abc import Collection, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.modern_group import FIRST_WITH_MEMBER_EPOCHS, CommittingGroup, NameAndId
from fakekafka.coordinators.groups.streams.topology.configured import ConfiguredTopology, parts, source_map
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs, PartitionIndex, TopicName
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import timeline
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue

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
    numbers: dict[str, list[PartitionIndex]] = {}
    for subtopology, partition in sorted(tasks):
        numbers.setdefault(subtopology, []).append(partition)
    return numbers


AssignmentConfigs: TypeAlias = Mapping[str, str]
"""Configs whose change requires a new assignment, by name."""
STANDBY_REPLICAS: Final = "num.standby.replicas"
NO_CONFIGS: Final[AssignmentConfigs] = MappingProxyType({})


class ProcessesOfTasks(NamedTuple):
    """The processes that have each task, including tasks that their members must give up."""

    active: Mapping[TaskId, str]
    standby: Mapping[TaskId, Collection[str]]
    warmup: Mapping[TaskId, Collection[str]]


class StreamsGroup(CommittingGroup[StreamsMember, Tasks]):
    """One streams group."""

    def __init__(self, id: str, first_epoch: int) -> None:
        super().__init__(id, first_epoch)
        self.validated_topology_epoch = 0
        """The epoch of the topology for which nothing was missing; -1 if something is missing."""
        self.configs = NO_CONFIGS
        """The hash of the topics as of the last epoch."""
        self._most_members = 0
        """The most members so far: the coordinator's map never shrinks."""
        self.topology: StreamsGroupTopologyValue | None = None
        self.configured: ConfiguredTopology | None = None
        """The topology as the last heartbeat saw it."""
        self.endpoint_epoch = 0
        self._refreshed: tuple[int, int] | None = None
        self.shutdown_by: str | None = None
        """The member that asked the whole application to shut down."""

    @property
    def state(self) -> str:
        """The state's name in Describe and List."""
        if not self.members:
            return "Empty"
        if self.topology is None or self.topology.epoch != self.validated_topology_epoch:
            return "NotReady"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        stable = all(member.is_reconciled(self.assignment_epoch) for member in self.members.values())
        return "Stable" if stable else "Reconciling"

    def target_of(self, member_id: str) -> Tasks:
        """The target of a member."""
        return self.target.get(member_id, NO_TASKS)

    def ordered_members(self) -> list[StreamsMember]:
        """All members in the order of the coordinator's map."""
        hashed = [(java_hash(member_id) & MASK, member_id) for member_id in self.members]
        return [self.members[member_id] for member_id in timeline(hashed, self._most_members)]

    def subscribes_to(self, topic: TopicName) -> bool:
        """Whether a group with members reads a topic."""
        return bool(self.members) and self.topology is not None and topic in source_map(parts(self.topology))

    @property
    def processes(self) -> ProcessesOfTasks:
        """The processes that have each task."""
        active: dict[TaskId, str] = {}
        others: tuple[dict[TaskId, set[str]], dict[TaskId, set[str]]] = ({}, {})
        for member in self.members.values():
            for owned in (member.assigned, member.revoking):
                active.update(dict.fromkeys(owned.active, member.process_id))
                for processes, tasks in zip(others, owned[1:]):
                    for task in tasks:
                        processes.setdefault(task, set()).add(member.process_id)
        return ProcessesOfTasks(active, *others)

    def put(self, member: StreamsMember) -> None:
        """Add a member, or update its state."""
        super().put(member)
        self._most_members = max(self._most_members, len(self.members))

    def remove(self, member_id: str) -> None:
        """Remove a member. A shutdown is over when the last one is removed."""
        super().remove(member_id)
        if not self.members:
            self.shutdown_by = None

    def note_configured(self, topology: ConfiguredTopology) -> None:
        """Record the topology as configured with the current topics."""
        self.configured = topology

    def is_up_to_date(self, metadata_hash: int) -> bool:
        """Whether no topic has changed since the group last looked at them. Otherwise its own hash may be outdated."""
        if self._refreshed is None:
            return False
        seen, epoch = self._refreshed
        return seen == metadata_hash and epoch <= self.epoch

    def note_refreshed(self, metadata_hash: int, epoch: int) -> None:
        """Record that a heartbeat that raises the epoch has looked at the topics, even if it fails afterwards."""
        self._refreshed = metadata_hash, epoch

    def note_endpoints(self, epoch: int) -> None:
        """Record that the endpoints of members have changed."""
        self.endpoint_epoch = epoch

    def ask_for_shutdown(self, member_id: str) -> None:
        """A member asks the whole application to shut down. The first one to do so is named to the others."""
        self.shutdown_by = self.shutdown_by or member_id

    # ---- offsets

    def validate_offset_commit(self, epoch: int, member_id: str, version: int) -> ErrorCode:
        """What is wrong with a commit, whatever its partitions are. `version`: of OffsetCommit."""
        if epoch < 0 and not self.members:
            return ErrorCode.NONE
        member = self.members.get(member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if version < FIRST_WITH_MEMBER_EPOCHS:
            return ErrorCode.UNSUPPORTED_VERSION
        return ErrorCode.STALE_MEMBER_EPOCH if epoch > member.epoch else ErrorCode.NONE

    def _may_commit_at(self, epoch: int, member: StreamsMember) -> bool:
        return epoch <= member.epoch

    def _held_since(self, member: StreamsMember, topic: NameAndId, partition: PartitionIndex) -> int | None:
        subtopology = None if self.topology is None else source_map(parts(self.topology)).get(topic.name)
        if subtopology is None:
            return None
        task = (subtopology, partition)
        return member.assigned.active.get(task, member.revoking.active.get(task))
