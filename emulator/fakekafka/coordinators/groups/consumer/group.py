"""A consumer group (ConsumerGroup): its members, its target assignment, what it subscribes to. Nothing is decided here.

A member (ConsumerGroupMember) is what it said about itself, and the state of its assignment. Members are values: a
request makes a new one, its difference from the old one is written, and what was written replaces the old one. Two
members are equal if nothing would have to be written.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import IntEnum
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.groups.modern_group import FIRST_WITH_MEMBER_EPOCHS, CommittingGroup, NameAndId
from fakekafka.coordinators.groups.subscriptions import TopicMetadata
from fakekafka.coordinators.hash_order import hash_map_order, timeline_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, Offset, PartitionIndex, TimestampMs, TopicName, Uuid

Assignment: TypeAlias = Mapping[Uuid, frozenset[PartitionIndex]]
"""A target assignment, by topic id."""
Owned: TypeAlias = Mapping[Uuid, Mapping[PartitionIndex, int]]
"""What a member has, each partition with the epoch in which the member got it (KIP-1251)."""

NOTHING: Final[Owned] = MappingProxyType({})
NO_PARTITIONS: Final[Assignment] = MappingProxyType({})
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


class Early(NamedTuple):
    """What else the early access (3.7) notes about a member."""

    target_epoch: int = 0
    """The epoch of the target that the member is led to."""
    pending: Assignment = NO_PARTITIONS
    """What it waits for."""


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
    early: Early | None = None
    """None after 3.7, and for a new member."""

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


class ResolvedRegex(NamedTuple):
    """The topics that a pattern matched."""

    topics: frozenset[TopicName]
    version: Offset
    """The version of the cluster metadata used."""
    at: TimestampMs


class ConsumerGroup(CommittingGroup[Member, Assignment]):
    """One consumer group."""

    def __init__(
        self, id: str, first_epoch: int, *, old_epochs_may_commit: bool = False, old_versions_may_commit: bool = False
    ) -> None:
        """`old_epochs_may_commit`: whether commits with older epochs are accepted for partitions that the member had
        then (KIP-1251). `old_versions_may_commit`: whether those in versions without member epochs are.
        """
        super().__init__(id, first_epoch)
        self._old_epochs_may_commit = old_epochs_may_commit
        self._old_versions_may_commit = old_versions_may_commit
        self.metadata: Mapping[TopicName, TopicMetadata] = {}
        """The subscribed topics as the last epoch saw them, in releases that keep them."""
        self.static_ids: dict[str, str] = {}
        """Member id by instance id."""
        self.regexes: dict[str, ResolvedRegex] = {}

    # ---- members

    def put(self, member: Member) -> None:
        """Add a member, or update its state."""
        super().put(member)
        if member.instance_id is not None:
            self.static_ids[member.instance_id] = member.id

    def remove(self, member_id: str) -> None:
        """Remove a member."""
        member = self.members.get(member_id)
        super().remove(member_id)
        if member is not None and member.instance_id is not None:
            self.static_ids.pop(member.instance_id, None)

    def static_member(self, instance_id: str) -> Member | None:
        """The member with this instance id, or None."""
        member_id = self.static_ids.get(instance_id)
        return None if member_id is None else self.members.get(member_id)

    def require_static_member(self, instance_id: str, member_id: str) -> Member:
        """The member with this instance id. Raises `ApiError` 25, or 82 if its id is not `member_id`."""
        holder = self.static_member(instance_id)
        if holder is None:
            raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Instance id {instance_id} is unknown.")
        if holder.id != member_id:
            words = f"Static member {member_id} with instance id {instance_id} was fenced by member {holder.id}."
            raise ApiError(ErrorCode.FENCED_INSTANCE_ID, words)
        return holder

    def target_of(self, member: Member) -> Assignment:
        """A member's target assignment, or that of the static member whose place it takes."""
        holder = member.id if member.instance_id is None else self.static_ids.get(member.instance_id, "")
        return self.target.get(holder, {})

    def with_member(self, member: Member) -> dict[str, Member]:
        """The future members: with `member` in its new state, without the one that it replaces."""
        holder = None if member.instance_id is None else self.static_ids.get(member.instance_id)
        return {id: m for id, m in self.members.items() if id != holder} | {member.id: member}

    # ---- what follows from the members

    @property
    def state(self) -> str:
        """The state's name in Describe and List."""
        if not self.members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        stable = all(member.is_reconciled(self.assignment_epoch) for member in self.members.values())
        return "Stable" if stable else "Reconciling"

    def topics_of(self, member: Member) -> frozenset[TopicName]:
        """The topics that a member subscribes to, as far as its pattern is resolved."""
        resolved = self.regexes.get(member.regex)
        return member.topics if resolved is None else member.topics | resolved.topics

    def topics(self, members: Iterable[Member]) -> set[TopicName]:
        """The topics that `members` subscribe to."""
        return {name for member in members for name in self.topics_of(member)}

    def subscribes_to(self, topic: TopicName) -> bool:
        return any(topic in self.topics_of(member) for member in self.members.values())

    def is_homogeneous(self, members: Iterable[Member]) -> bool:
        """Whether all of `members` subscribe to the same topics."""
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
        """The partitions that some member has."""
        return {
            (topic, partition)
            for member in self.members.values()
            for part in (member.assigned, member.revoking)
            for topic, partitions in part.items()
            for partition in partitions
        }

    @property
    def classic_members(self) -> list[Member]:
        """The members that speak the classic protocol."""
        return [member for member in self.members.values() if member.classic is not None]

    # ---- offsets

    def validate_offset_commit(self, epoch: int, member_id: str, version: int) -> ErrorCode:
        """What is wrong with a commit, whatever its partitions are. `version`: of OffsetCommit."""
        if epoch < 0 and not self.members:
            return ErrorCode.NONE
        member = self.members.get(member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if member.classic is None and version < FIRST_WITH_MEMBER_EPOCHS:
            is_taken = self._old_versions_may_commit and epoch == member.epoch
            return ErrorCode.NONE if is_taken else ErrorCode.UNSUPPORTED_VERSION
        if epoch == member.epoch or (epoch < member.epoch and self._old_epochs_may_commit):
            return ErrorCode.NONE
        return self.stale(member)

    def _held_since(self, member: Member, topic: NameAndId, partition: PartitionIndex) -> int | None:
        since = member.assigned.get(topic.id, {}).get(partition)
        return member.revoking.get(topic.id, {}).get(partition) if since is None else since

    def stale(self, member: Member) -> ErrorCode:
        """The error for a member that names an epoch that is over."""
        return ErrorCode.STALE_MEMBER_EPOCH if member.classic is None else ErrorCode.ILLEGAL_GENERATION
