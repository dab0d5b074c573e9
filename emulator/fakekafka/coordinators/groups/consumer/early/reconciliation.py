"""How the early access (3.7) leads a member to its target (CurrentAssignmentBuilder of 3.7).

With a new target everything starts over: what the member has and may keep, what it must give up, and what it waits for
are calculated at once and written down. The member's epoch is the target's as soon as it has nothing to give up, even
while it waits for partitions of others.
"""

from collections.abc import Mapping, Set
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.early.records import early_state
from fakekafka.coordinators.groups.consumer.group import Assignment, Early, Member, MemberState, Owned, assignment
from fakekafka.ids import PartitionIndex, Uuid


class EarlyAim(NamedTuple):
    """Where a member is going."""

    epoch: int
    """The epoch of the target assignment."""
    target: Assignment
    owned_by_group: Set[tuple[Uuid, PartitionIndex]]
    """Partitions that some member has or must give up."""
    reported: Mapping[Uuid, frozenset[PartitionIndex]] | None
    """The partitions that the member claims to have; None if it did not say."""


def reconciled_early(member: Member, aim: EarlyAim) -> Member:
    """The member after this step; `member` itself if there is nothing to do."""
    notes = member.early or Early()
    if notes.target_epoch != aim.epoch:
        return _towards_new_target(member, aim)
    match member.state:
        case MemberState.UNREVOKED_PARTITIONS:
            if aim.reported is None or _without_empty(aim.reported) != assignment(member.assigned):
                return member
            return _arrived(member, aim, assignment(member.assigned), notes.pending)
        case MemberState.UNRELEASED_PARTITIONS:
            if not any((topic, p) not in aim.owned_by_group for topic, ps in notes.pending.items() for p in ps):
                return member
            return _arrived(member, aim, assignment(member.assigned), notes.pending)
        case MemberState.STABLE:
            return member


def _towards_new_target(member: Member, aim: EarlyAim) -> Member:
    kept: dict[Uuid, frozenset[PartitionIndex]] = {}
    revoked: dict[Uuid, frozenset[PartitionIndex]] = {}
    pending: dict[Uuid, frozenset[PartitionIndex]] = {}
    for topic in {**aim.target, **member.assigned, **member.revoking}:
        target = frozenset(aim.target.get(topic, ()))
        has = frozenset(member.assigned.get(topic, ())) | frozenset(member.revoking.get(topic, ()))
        for into, partitions in ((kept, has & target), (revoked, has - target), (pending, target - has)):
            if partitions:
                into[topic] = partitions
    if not revoked:
        return _arrived(member, aim, kept, pending)
    return member._replace(
        state=MemberState.UNREVOKED_PARTITIONS,
        assigned=_owned(kept, member.epoch),
        revoking=_owned(revoked, member.epoch),
        early=Early(aim.epoch, pending),
    )


def _arrived(member: Member, aim: EarlyAim, kept: Assignment, pending: Assignment) -> Member:
    """The member in the target's epoch, with the partitions of `pending` that are free."""
    assigned, left = dict(kept), {}
    for topic, partitions in pending.items():
        free = frozenset(p for p in partitions if (topic, p) not in aim.owned_by_group)
        if free:
            assigned[topic] = assigned.get(topic, frozenset()) | free
        if partitions > free:
            left[topic] = partitions - free
    return member.in_epoch(aim.epoch)._replace(
        state=early_state(False, bool(left)),
        assigned=_owned(assigned, aim.epoch),
        revoking={},
        early=Early(aim.epoch, left),
    )


def _owned(partitions: Assignment, epoch: int) -> Owned:
    return {topic: dict.fromkeys(indexes, epoch) for topic, indexes in partitions.items()}


def _without_empty(reported: Mapping[Uuid, frozenset[PartitionIndex]]) -> Assignment:
    return {topic: partitions for topic, partitions in reported.items() if partitions}
