"""The next step of a member towards its target (CurrentAssignmentBuilder).

    STABLE ──a newer target──▶ gives up first ──▶ UNREVOKED_PARTITIONS ──it has given up──▶ next epoch
                               gets what is free ──▶ STABLE, or UNRELEASED_PARTITIONS while others have the rest

A member gets nothing new before it has given up what it must, and no member gets what another still has.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.member import Assignment, Member, MemberState, Owned
from fakekafka.ids import PartitionIndex, Uuid

Partitions = Mapping[Uuid, frozenset[PartitionIndex]]


class Aim(NamedTuple):
    """Where a member is going."""

    epoch: int
    """The epoch of the target assignment."""
    target: Assignment
    owned_by_group: set[tuple[Uuid, PartitionIndex]]
    """Partitions that some member has, including this one."""
    reported: Partitions | None
    """The partitions that the member claims to have; None if it did not say."""
    subscribed: frozenset[Uuid] | None = None
    """Topics that it may have at all; None if that is not checked (before 4.2)."""
    subscription_changed: bool = False
    skips_epochs: bool = False
    """Whether a member that has given up its partitions goes straight to the target's epoch (from 4.2 on)."""


def reconciled(member: Member, aim: Aim) -> Member:
    """The member after this step; itself if there is nothing to do."""
    if member.state is MemberState.STABLE and member.epoch == aim.epoch:
        return _without_unsubscribed(member, aim) if aim.subscription_changed else member
    if member.state is MemberState.UNREVOKED_PARTITIONS:
        if _still_has(aim, member.revoking):
            return _without_unsubscribed(member, aim) if aim.subscription_changed else member
        return _next(member, aim, member.epoch if aim.skips_epochs else member.epoch + 1)
    return _next(member, aim, member.epoch)


def _still_has(aim: Aim, revoking: Owned) -> bool:
    """Whether the member still has some of these; True if it does not say."""
    if aim.reported is None:
        return True
    return any(not partitions.isdisjoint(revoking.get(topic, ())) for topic, partitions in aim.reported.items())


def _next(member: Member, aim: Aim, epoch: int) -> Member:
    """The member, one step closer to the target. `epoch`: its epoch while it gives up partitions."""
    kept: dict[Uuid, dict[PartitionIndex, int]] = {}
    revoking: dict[Uuid, dict[PartitionIndex, int]] = {}
    free: dict[Uuid, set[PartitionIndex]] = {}
    unreleased = False
    for topic in {**aim.target, **member.assigned}:
        may_have = aim.subscribed is None or topic in aim.subscribed
        target = aim.target.get(topic, frozenset()) if may_have else frozenset()
        assigned = member.assigned.get(topic, {})
        _note(kept, topic, {p: e for p, e in assigned.items() if p in target})
        _note(revoking, topic, {p: e for p, e in assigned.items() if p not in target})
        missing = {p for p in target if p not in assigned}
        taken = {p for p in missing if (topic, p) in aim.owned_by_group and not _own(member, aim, topic, p)}
        unreleased |= bool(taken)
        if missing > taken:
            free[topic] = missing - taken
    if revoking and _still_has(aim, revoking):
        gives_up = member._replace(state=MemberState.UNREVOKED_PARTITIONS, assigned=kept, revoking=revoking)
        return gives_up._replace(epoch=epoch, previous_epoch=member.epoch)
    for topic, partitions in free.items():
        kept.setdefault(topic, {}).update(dict.fromkeys(partitions, aim.epoch))
    state = MemberState.UNRELEASED_PARTITIONS if unreleased else MemberState.STABLE
    return member.in_epoch(aim.epoch)._replace(state=state, assigned=kept, revoking={})


def _own(member: Member, aim: Aim, topic: Uuid, partition: PartitionIndex) -> bool:
    """Whether the member itself still has the partition, because it must give it up."""
    return aim.skips_epochs and partition in member.revoking.get(topic, ())


def _without_unsubscribed(member: Member, aim: Aim) -> Member:
    """A member that changed its subscription at the target's epoch gives up other topics at once (KAFKA-19431)."""
    subscribed = aim.subscribed or frozenset()
    assigned = {topic: partitions for topic, partitions in member.assigned.items() if topic in subscribed}
    if len(assigned) == len(member.assigned):
        return member
    revoking = {topic: dict(partitions) for topic, partitions in member.revoking.items()}
    for topic, partitions in member.assigned.items():
        if topic not in subscribed:
            revoking.setdefault(topic, {}).update(partitions)
    smaller = member.in_epoch(member.epoch)._replace(assigned=assigned)
    if _still_has(aim, revoking):
        return smaller._replace(state=MemberState.UNREVOKED_PARTITIONS, revoking=revoking)
    return smaller


def _note(into: dict[Uuid, dict[PartitionIndex, int]], topic: Uuid, partitions: dict[PartitionIndex, int]) -> None:
    if partitions:
        into[topic] = partitions
