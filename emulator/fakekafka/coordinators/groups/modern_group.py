"""What groups of all kinds except the classic one have in common: members, epochs, a target assignment, deadlines
(ModernGroup).

    group epoch        grows whenever a new assignment is needed
    assignment epoch   the group epoch that the target assignment was made for
    member epoch       the assignment epoch that a member has reached

All of it comes from records (`runtime.ModernGroups.replay`), except the deadlines.
"""

from abc import ABC, abstractmethod
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from fakekafka.coordinators.hash_order import timeline_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import PartitionIndex, TimestampMs, TopicName, Uuid
from fakekafka.waiting.timers import Timer

FIRST_WITH_MEMBER_EPOCHS: Final = 9
"""Version of OffsetCommit."""


class NameAndId(NamedTuple):
    """A topic as the request gives it; the id is empty if the topic does not exist."""

    name: TopicName
    id: Uuid


class AnyMember(Protocol):
    """What members of all kinds have in common."""

    @property
    def id(self) -> str: ...

    @property
    def epoch(self) -> int: ...


M = TypeVar("M", bound=AnyMember)
A = TypeVar("A")


class ModernGroup(ABC, Generic[M, A]):
    """One group, of members `M` that have assignments `A`."""

    def __init__(self, id: str, first_epoch: int) -> None:
        self.id = id
        self.epoch = first_epoch
        self.metadata_hash = 0
        """The hash of the subscribed topics as the last epoch saw them, in releases that keep it."""
        self.assignment_epoch = first_epoch
        self.assignment_timestamp: TimestampMs = 0
        """When the target assignment was made, in releases that keep it."""
        self.members: dict[str, M] = {}
        self.target: dict[str, A] = {}
        """The target of each member."""
        self.timers: dict[tuple[str, str], Timer] = {}
        """By kind ("session", "rebalance", "join", "sync") and member id."""

    # ---- members

    def put(self, member: M) -> None:
        """Add a member, or update its state."""
        self.members[member.id] = member

    def remove(self, member_id: str) -> None:
        """Remove a member."""
        self.members.pop(member_id, None)
        self.stop_timers(member_id)

    def require_member(self, member_id: str) -> M:
        """The member with this id. Raises `ApiError` 25."""
        member = self.members.get(member_id)
        if member is None:
            raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member_id} is not a member of group {self.id}.")
        return member

    def ordered_members(self) -> list[M]:
        """All members in the order of the coordinator's map."""
        return [self.members[member_id] for member_id in timeline_order(self.members)]

    # ---- offsets

    @abstractmethod
    def subscribes_to(self, topic: TopicName) -> bool:
        """Whether a member reads `topic`."""

    @abstractmethod
    def validate_offset_commit(self, epoch: int, member_id: str, version: int) -> ErrorCode:
        """What is wrong with a commit, whatever its partitions are. `version`: of OffsetCommit."""

    @abstractmethod
    def validate_txn_offset_commit(self, epoch: int, member_id: str, instance_id: str | None) -> ErrorCode:
        """What is wrong with a commit of a transaction."""

    @abstractmethod
    def validate_offset_fetch(self, epoch: int, member_id: str | None) -> ErrorCode:
        """What is wrong with a member that asks for committed offsets."""

    # ---- deadlines

    def set_timer(self, kind: str, member_id: str, timer: Timer) -> None:
        """Start a timer, which replaces the member's timer of this kind."""
        self.stop_timer(kind, member_id)
        self.timers[kind, member_id] = timer

    def stop_timer(self, kind: str, member_id: str) -> None:
        """Stop one timer, if it runs."""
        timer = self.timers.pop((kind, member_id), None)
        if timer is not None:
            timer.cancel()

    def stop_timers(self, member_id: str | None = None) -> None:
        """Stop the timers of one member, or all."""
        for kind, whose in list(self.timers):
            if member_id is None or whose == member_id:
                self.stop_timer(kind, whose)


class CommittingGroup(ModernGroup[M, A]):
    """A group whose members commit offsets, and say in which epoch."""

    def validate_txn_offset_commit(self, epoch: int, member_id: str, instance_id: str | None) -> ErrorCode:
        """What is wrong with a commit of a transaction; an anonymous client may always commit."""
        if epoch < 0 and (not self.members or (not member_id and instance_id is None)):
            return ErrorCode.NONE
        member = self.members.get(member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        return ErrorCode.NONE if self._may_commit_at(epoch, member) else ErrorCode.ILLEGAL_GENERATION

    def _may_commit_at(self, epoch: int, member: M) -> bool:
        """Whether a transaction's commit may name `epoch`."""
        return epoch == member.epoch

    def validate_partition(self, epoch: int, member_id: str, topic: NameAndId, partition: PartitionIndex) -> ErrorCode:
        """What is wrong with a commit for a partition that the member says it had in `epoch`: it must already have had
        it then (KIP-1251).
        """
        member = self.members.get(member_id)
        if member is None or epoch == member.epoch:
            return ErrorCode.NONE
        since = self._held_since(member, topic, partition)
        return self.stale(member) if since is None or epoch < since else ErrorCode.NONE

    @abstractmethod
    def _held_since(self, member: M, topic: NameAndId, partition: PartitionIndex) -> int | None:
        """The epoch in which a partition came to a member; None if it does not have it."""

    def validate_offset_fetch(self, epoch: int, member_id: str | None) -> ErrorCode:
        """What is wrong with a member that asks for committed offsets. An anonymous client may always ask, unless it
        names an epoch: the coordinator then looks for a member without an id. Recorded from 4.0.1 to 4.3.1:
        random_consumer.
        """
        if member_id is None:
            return ErrorCode.NONE if epoch < 0 else ErrorCode.UNKNOWN_SERVER_ERROR
        member = self.members.get(member_id)
        if member is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        return ErrorCode.NONE if epoch == member.epoch else self.stale(member)

    def stale(self, member: M) -> ErrorCode:
        """The error for a member that names an epoch that is over."""
        return ErrorCode.STALE_MEMBER_EPOCH
