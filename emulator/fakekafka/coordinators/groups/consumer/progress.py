"""How a member's request changes its group: the three steps that joining, staying and changing have in common
(GroupMetadataManager.consumerGroupHeartbeat).

1. The member is written if it says something new; a new subscription, or topics that have changed, make the group
   epoch grow.
2. A group epoch ahead of the assignment epoch needs a new target assignment.
3. The member is led a step towards its part of the target (CurrentAssignmentBuilder):

    STABLE ──a newer target──▶ gives up first ──▶ UNREVOKED_PARTITIONS ──it has given up──▶ next epoch
                               gets what is free ──▶ STABLE, or UNRELEASED_PARTITIONS while others have the rest

A member gets nothing new before it has given up what it must, and no member gets what another still has.
"""

from collections.abc import Mapping
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.assignors import Candidate, Question
from fakekafka.coordinators.groups.consumer.early.reconciliation import EarlyAim, reconciled_early
from fakekafka.coordinators.groups.consumer.early.records import current_record_by
from fakekafka.coordinators.groups.consumer.group import NOTHING, Assignment, ConsumerGroup, Member, MemberState, Owned
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.patterns import Pattern, PatternChange, note_topics
from fakekafka.coordinators.groups.consumer.records import (
    assignment_epoch_record,
    member_record,
    member_tombstones,
    metadata_tombstone,
    target_record,
)
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.subscriptions import subscribed_topics
from fakekafka.coordinators.hash_order import grown_map_order, timeline_order
from fakekafka.ids import PartitionIndex, TopicName, Uuid
from fakekafka.releases.behaviours.consumer_groups import ConsumerGroupsBehaviour

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
    """The member after this step; `member` itself if there is nothing to do."""
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


class Target(NamedTuple):
    """The epoch of the target assignment, and a member's part of it."""

    epoch: int
    assignment: Assignment


class Progress:
    """A member's request being planned."""

    def __init__(
        self,
        groups: ConsumerGroups,
        plan: Plan[ConsumerGroup],
        old: Member,
        new: Member,
        reported: Partitions | None,
        *,
        replaces: bool,
    ) -> None:
        """`old`: the previous state of the member, empty if it is new. `new`: its state according to the request.
        `reported`: the partitions that it claims to have, None if it does not say. `replaces`: whether it has just
        taken a static member's place.
        """
        self._groups = groups
        self._plan = plan
        self.group = plan.group
        self.old = old
        self.new = new
        self._reported = reported
        self._is_assigned_again = replaces and groups.rules.static_replacement == "assigned again"
        self.subscription_changed = False
        """Whether the member subscribes to something else."""
        self.resolves_patterns = False
        """Whether the group's patterns are to be resolved once the plan is written."""

    def planned(self) -> Member:
        """Plan all three steps, and return the member as it is afterwards. Raises `ApiError` if its pattern is
        invalid.
        """
        return self.reconcile(self.assign(self.note_member()))

    def note_member(self) -> int:
        """The first step. Returns the group's epoch. Raises `ApiError` if the member's pattern is invalid."""
        group, old, new, rules = self.group, self.old, self.new, self._groups.rules
        if new != old or self._is_assigned_again:
            self._plan.add(member_record(group.id, new))
        names_changed = new.topics != old.topics
        pattern = PatternChange(self._groups, group, old, new)
        self._plan.add(*pattern.tombstones)
        self.resolves_patterns = pattern.is_due
        self.subscription_changed = names_changed or pattern.outcome is not Pattern.SAME
        grows = names_changed or pattern.outcome is Pattern.RESOLVED or (rules.epoch_0_left and group.epoch == 0)
        names = group.topics(group.with_member(new).values())
        epoch = note_topics(self._groups, self._plan, names, grows=grows)
        if rules.topics_kept == "hash" and group.metadata:
            self._plan.add(metadata_tombstone(group.id))
        return epoch

    # ---- the target assignment

    def current_target(self) -> Target:
        """The current target."""
        return Target(self.group.assignment_epoch, self.group.target_of(self.new))

    def assign(self, epoch: int) -> Target:
        """The second step. Returns the member's target once the group's epoch is `epoch`."""
        group, groups = self.group, self._groups
        is_needed = epoch > group.assignment_epoch or self._is_assigned_again
        if not is_needed or not groups.may_assign(group):
            return self.current_target()
        members = group.with_member(self.new)
        assignors = groups.assignors
        name = group.assignor(members.values(), next(iter(assignors)), counted_in_hash_map=True)
        there = [member_id for member_id in timeline_order(group.members) if member_id in members]
        ordered = grown_map_order(dict.fromkeys([*there, *members]))  # a new member comes last
        answer = assignors[name](self._question({member_id: members[member_id] for member_id in ordered}))
        for member_id in ordered:
            target = answer.get(member_id, {})
            if target != group.target.get(member_id):
                self._plan.add(target_record(group.id, member_id, target))
        self._plan.add(assignment_epoch_record(group.id, epoch, groups.assignment_timestamp))
        return Target(epoch, answer.get(self.new.id, {}))

    def _question(self, members: Mapping[str, Member]) -> Question:
        """The assignor's input for `members`, in their order."""
        group = self.group
        topics = subscribed_topics(self._groups.cluster, group.topics(members.values())).values()
        ids: dict[TopicName, Uuid] = {topic.name: topic.id for topic in topics}
        candidates = [
            Candidate(
                member.id,
                member.instance_id,
                frozenset(ids[name] for name in group.topics_of(member) if name in ids),
                group.target_of(member),
            )
            for member in members.values()
        ]
        return Question(candidates, group.is_homogeneous(members.values()), {t.id: t.partitions for t in topics})

    # ---- reconciliation

    def reconcile(self, target: Target) -> Member:
        """The third step. Returns the member as it is afterwards."""
        group, member, rules = self.group, self.new, self._groups.rules
        if rules.is_early:
            return self._reconcile_early(target)
        enforced = rules.subscription_enforced
        if member.is_reconciled(target.epoch) and not (enforced and self.subscription_changed):
            return member
        subscribed = self._groups.topics_of(group, member).values() if enforced else ()
        aim = Aim(
            epoch=target.epoch,
            target=target.assignment,
            owned_by_group=group.owned,
            reported=self._reported,
            subscribed=frozenset(topic.id for topic in subscribed) if enforced else None,
            subscription_changed=enforced and self.subscription_changed,
            skips_epochs=enforced,
        )
        led = reconciled(member, aim)
        if led != member:
            self._plan.add(current_record_by(rules, group.id, led))
        return led

    def _reconcile_early(self, target: Target) -> Member:
        aim = EarlyAim(target.epoch, target.assignment, self.group.owned, self._reported)
        led = reconciled_early(self.new, aim)
        if led != self.new:
            self._plan.add(current_record_by(self._groups.rules, self.group.id, led))
        return led


def plan_replacement(
    plan: Plan[ConsumerGroup], rules: ConsumerGroupsBehaviour, holder: Member, member_id: str
) -> Member:
    """The process that takes a static member's place: that member under another id, from epoch 0 on."""
    group_id = plan.group.id
    member = holder._replace(id=member_id, epoch=0, previous_epoch=0)
    plan.add(*member_tombstones(group_id, holder.id))
    if rules.static_replacement == "assigned again":
        return member._replace(assignor=None, rack=None, state=MemberState.STABLE, revoking=NOTHING, early=None)
    plan.add(member_record(group_id, member))
    plan.add(target_record(group_id, member_id, plan.group.target.get(holder.id, {})))
    plan.add(current_record_by(rules, group_id, member))
    return member
