"""A streams group: its members, epochs, topology and target assignment (StreamsGroup).

What is kept here comes from records (`replay`), except the timers, the configured topology, the epoch of the endpoints
and the member that asked for a shutdown: these are lost with the coordinator.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.modern_group import FIRST_WITH_MEMBER_EPOCHS, ModernGroup, NameAndId
from fakekafka.coordinators.groups.streams.member import NO_TASKS, StreamsMember, TaskId, Tasks
from fakekafka.coordinators.groups.streams.topology import ConfiguredTopology, parts, source_map
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import timeline
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue

AssignmentConfigs: TypeAlias = Mapping[str, str]
"""Configs whose change requires a new assignment, by name."""
STANDBY_REPLICAS: Final = "num.standby.replicas"
NO_CONFIGS: Final[AssignmentConfigs] = MappingProxyType({})


class ProcessesOfTasks(NamedTuple):
    """The processes that have each task, including tasks that their members must give up."""

    active: Mapping[TaskId, str]
    standby: Mapping[TaskId, Collection[str]]
    warmup: Mapping[TaskId, Collection[str]]


class StreamsGroup(ModernGroup[StreamsMember, Tasks]):
    """One streams group."""

    def __init__(self, id: str, first_epoch: int) -> None:
        super().__init__(id, first_epoch)
        self.validated_topology_epoch = 0
        """The epoch of the topology for which nothing was missing; -1 if something is."""
        self.configs = NO_CONFIGS
        """The hash of the topics as of the last epoch."""
        self._most_members = 0
        """The most members so far: the coordinator's map never shrinks."""
        self.topology: StreamsGroupTopologyValue | None = None
        self.configured: ConfiguredTopology | None = None
        """The topology as the last heartbeat saw it."""
        self.endpoint_epoch = 0
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
                for found, tasks in zip(others, owned[1:]):
                    for task in tasks:
                        found.setdefault(task, set()).add(member.process_id)
        return ProcessesOfTasks(active, *others)

    def put(self, member: StreamsMember) -> None:
        """Add a member, or update its state."""
        super().put(member)
        self._most_members = max(self._most_members, len(self.members))

    def remove(self, member_id: str) -> None:
        """Remove a member. With the last one, a shutdown is over."""
        super().remove(member_id)
        if not self.members:
            self.shutdown_by = None

    def note_configured(self, topology: ConfiguredTopology) -> None:
        """Record the topology as configured with the current topics."""
        self.configured = topology

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
