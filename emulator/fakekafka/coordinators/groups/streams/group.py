"""A streams group: its members, epochs, topology and target assignment (StreamsGroup).

What is kept here comes from records (`replay`), but for the timers, the configured topology, the epoch of the endpoints
and who asked for a shutdown: those are lost with the coordinator.
"""

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.streams.member import NO_TASKS, StreamsMember, TaskId, Tasks
from fakekafka.coordinators.groups.streams.topology import ConfiguredTopology, parts, source_map
from fakekafka.ids import TimestampMs, TopicName
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.maps import timeline
from fakekafka.waiting.timers import Timer
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue

AssignmentConfigs: TypeAlias = Mapping[str, str]
"""Configs that a new assignment follows from, by name."""
NO_CONFIGS: Final[AssignmentConfigs] = MappingProxyType({})


class Places(NamedTuple):
    """At which processes tasks are, those included that their members must give up."""

    active: Mapping[TaskId, str]
    standby: Mapping[TaskId, Collection[str]]
    warmup: Mapping[TaskId, Collection[str]]


class StreamsGroup:
    """One streams group."""

    def __init__(self, id: str, first_epoch: int) -> None:
        self.id = id
        self.epoch = first_epoch
        self.metadata_hash = 0
        self.validated_topology_epoch = 0
        """Epoch of the topology that nothing was missing for; -1: something is."""
        self.configs = NO_CONFIGS
        """As of the last epoch."""
        self.assignment_epoch = first_epoch
        self.assignment_timestamp: TimestampMs = 0
        self.members: dict[str, StreamsMember] = {}
        self._most_members = 0
        """There have been so many at a time: the coordinator's map stays as large."""
        self.target: dict[str, Tasks] = {}
        self.topology: StreamsGroupTopologyValue | None = None
        self.configured: ConfiguredTopology | None = None
        """The topology as the last heartbeat saw it."""
        self.endpoint_epoch = 0
        self.shutdown_by: str | None = None
        """The member that asked the whole application to shut down."""
        self.timers: dict[tuple[str, str], Timer] = {}
        """By kind ("session", "rebalance") and member id."""

    @property
    def state(self) -> str:
        """As Describe and List call it."""
        if not self.members:
            return "Empty"
        if self.topology is None or self.topology.epoch != self.validated_topology_epoch:
            return "NotReady"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        stable = all(member.is_reconciled(self.assignment_epoch) for member in self.members.values())
        return "Stable" if stable else "Reconciling"

    def target_of(self, member_id: str) -> Tasks:
        """What a member is to have."""
        return self.target.get(member_id, NO_TASKS)

    def ordered_members(self) -> list[StreamsMember]:
        """All members as the coordinator's own map gives them."""
        hashed = [(java_hash(member_id) & MASK, member_id) for member_id in self.members]
        return [self.members[member_id] for member_id in timeline(hashed, self._most_members)]

    def subscribes_to(self, topic: TopicName) -> bool:
        """Does a group with members read a topic?"""
        return bool(self.members) and self.topology is not None and topic in source_map(parts(self.topology))

    @property
    def places(self) -> Places:
        """Where the tasks are."""
        active: dict[TaskId, str] = {}
        others: tuple[dict[TaskId, set[str]], dict[TaskId, set[str]]] = ({}, {})
        for member in self.members.values():
            for owned in (member.assigned, member.revoking):
                active.update(dict.fromkeys(owned.active, member.process_id))
                for found, tasks in zip(others, owned[1:]):
                    for task in tasks:
                        found.setdefault(task, set()).add(member.process_id)
        return Places(active, *others)

    def put(self, member: StreamsMember) -> None:
        """Take a member in, or its new state."""
        self.members[member.id] = member
        self._most_members = max(self._most_members, len(self.members))

    def remove(self, member_id: str) -> None:
        """Let a member go. With the last one a shutdown is over."""
        self.members.pop(member_id, None)
        if not self.members:
            self.shutdown_by = None

    # ---- timers

    def set_timer(self, kind: str, member_id: str, timer: Timer) -> None:
        """A deadline of a member, instead of the one that it had."""
        self.stop_timer(kind, member_id)
        self.timers[kind, member_id] = timer

    def stop_timer(self, kind: str, member_id: str) -> None:
        timer = self.timers.pop((kind, member_id), None)
        if timer is not None:
            timer.cancel()

    def stop_timers(self) -> None:
        for kind, member_id in list(self.timers):
            self.stop_timer(kind, member_id)
