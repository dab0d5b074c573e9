"""A consumer group: its members, the epochs, the target assignment (ConsumerGroup, ModernGroup).

    group epoch        grows whenever a new assignment is needed
    assignment epoch   the group epoch that the target assignment was made for
    member epoch       the assignment epoch that a member has come to

All that is kept here comes from records (`replay`), but for the timers. Nothing here decides anything.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.hash_order import hash_map_order, timeline_order
from fakekafka.coordinators.groups.consumer.member import Assignment, Member
from fakekafka.ids import Offset, PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.waiting.timers import Timer

NOBODY: Member = Member("")


class ResolvedRegex(NamedTuple):
    """The topics that a pattern matched."""

    topics: frozenset[TopicName]
    version: Offset
    """Of the cluster metadata that was looked at."""
    at: TimestampMs


class TopicMetadata(NamedTuple):
    """A subscribed topic as the last assignment saw it."""

    id: Uuid
    name: TopicName
    partitions: int
    racks: tuple[tuple[PartitionIndex, frozenset[str]], ...] = ()
    """Of the replicas of each partition that has any."""


class ConsumerGroup:
    """One consumer group."""

    def __init__(self, id: str, first_epoch: int) -> None:
        self.id = id
        self.epoch = first_epoch
        self.metadata_hash = 0
        """Of the subscribed topics, as the last epoch saw them, in releases that keep it."""
        self.metadata: Mapping[TopicName, TopicMetadata] = {}
        """The topics themselves, in releases that keep those."""
        self.assignment_epoch = first_epoch
        self.assignment_timestamp: TimestampMs = 0
        """When the target assignment was made, in releases that keep it."""
        self.members: dict[str, Member] = {}
        self.static_ids: dict[str, str] = {}
        """Member id by instance id."""
        self.target: dict[str, Assignment] = {}
        """What each member is to have."""
        self.regexes: dict[str, ResolvedRegex] = {}
        self.timers: dict[tuple[str, str], Timer] = {}
        """By kind ("session", "rebalance", "join", "sync") and member id."""
        self.resolves = False
        """Are patterns to be resolved?"""

    # ---- members

    def put(self, member: Member) -> None:
        """Take a member in, or its new state."""
        self.members[member.id] = member
        if member.instance_id is not None:
            self.static_ids[member.instance_id] = member.id

    def remove(self, member_id: str) -> None:
        """Let a member go."""
        member = self.members.pop(member_id, None)
        if member is not None and member.instance_id is not None:
            self.static_ids.pop(member.instance_id, None)

    def static_member(self, instance_id: str) -> Member | None:
        """Who is called so."""
        member_id = self.static_ids.get(instance_id)
        return None if member_id is None else self.members.get(member_id)

    def target_of(self, member: Member) -> Assignment:
        """What a member is to have; one that takes a static member's place, what that one was to have."""
        holder = member.id if member.instance_id is None else self.static_ids.get(member.instance_id, "")
        return self.target.get(holder, {})

    def ordered_members(self) -> list[Member]:
        """All members as the coordinator's own map gives them."""
        return [self.members[member_id] for member_id in timeline_order(self.members)]

    def with_member(self, member: Member, replaced: Iterable[str] = ()) -> dict[str, Member]:
        """The members as they will be: with `member` as it is now, without `replaced`."""
        gone = set(replaced)
        if member.instance_id is not None and (old := self.static_ids.get(member.instance_id)) != member.id:
            gone.add(old or "")
        return {m: x for m, x in self.members.items() if m not in gone} | {member.id: member}

    # ---- what follows from the members

    @property
    def state(self) -> str:
        """As Describe and List call it."""
        if not self.members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        stable = all(member.is_reconciled(self.assignment_epoch) for member in self.members.values())
        return "Stable" if stable else "Reconciling"

    def topics_of(self, member: Member) -> frozenset[TopicName]:
        """What a member subscribes to, as far as its pattern is resolved."""
        resolved = self.regexes.get(member.regex)
        return member.topics if resolved is None else member.topics | resolved.topics

    def topics(self, members: Iterable[Member]) -> set[TopicName]:
        """What `members` subscribe to."""
        return {name for member in members for name in self.topics_of(member)}

    def subscribes_to(self, topic: TopicName) -> bool:
        return any(topic in self.topics_of(member) for member in self.members.values())

    def is_homogeneous(self, members: Iterable[Member]) -> bool:
        """Do all of `members` subscribe to the same?"""
        return len({(member.topics, member.regex) for member in members}) < 2

    def assignor(self, members: Iterable[Member], default: str, *, counted_in_hash_map: bool) -> str:
        """The assignor that most of `members` ask for."""
        votes = Counter(member.assignor for member in members if member.assignor is not None)
        ordered = (hash_map_order if counted_in_hash_map else timeline_order)(votes)
        return max(ordered, key=votes.__getitem__, default=default)

    def subscribers(self, regex: str) -> int:
        """How many members subscribe to a pattern."""
        return sum(member.regex == regex for member in self.members.values())

    @property
    def owned(self) -> set[tuple[Uuid, PartitionIndex]]:
        """The partitions that somebody has."""
        return {
            (topic, partition)
            for member in self.members.values()
            for part in (member.assigned, member.revoking)
            for topic, partitions in part.items()
            for partition in partitions
        }

    @property
    def classic_members(self) -> list[Member]:
        """Those that speak the classic protocol."""
        return [member for member in self.members.values() if member.classic is not None]

    # ---- timers

    def set_timer(self, kind: str, member_id: str, timer: Timer) -> None:
        """Start a timer instead of the one of this kind that the member has."""
        self.stop_timer(kind, member_id)
        self.timers[kind, member_id] = timer

    def stop_timer(self, kind: str, member_id: str) -> None:
        timer = self.timers.pop((kind, member_id), None)
        if timer is not None:
            timer.cancel()

    def stop_timers(self, member_id: str | None = None) -> None:
        """Those of one member, or all."""
        for kind, whose in list(self.timers):
            if member_id is None or whose == member_id:
                self.stop_timer(kind, whose)
