"""How a member's request changes its group: the three steps that joining, staying and changing have in common
(GroupMetadataManager.consumerGroupHeartbeat).

1. The member is written down if it says something new; a new subscription, or topics that have changed, make the group
   epoch grow.
2. A group epoch ahead of the assignment epoch needs a new target assignment.
3. The member is led a step towards its part of the target.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.consumer.assignors import Candidate, Question
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, TopicMetadata
from fakekafka.coordinators.groups.consumer.hash_order import hash_map_order
from fakekafka.coordinators.groups.consumer.member import Assignment, Member, MemberState
from fakekafka.coordinators.groups.consumer.patterns import Pattern, changed_pattern
from fakekafka.coordinators.groups.consumer.reconciliation import Aim, Partitions, reconciled
from fakekafka.coordinators.groups.consumer.records import (
    CoordinatorRecord,
    assignment_epoch_record,
    current_record,
    epoch_record,
    member_record,
    metadata_record,
    metadata_tombstone,
    target_record,
)
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.ids import TopicName, Uuid

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


class Step(NamedTuple):
    """A member's request on its way."""

    group: ConsumerGroup
    old: Member
    """The member as it was; an empty one if it is new."""
    new: Member
    """As it says that it is now."""
    reported: Partitions | None
    """What it says that it has; None: it does not say."""
    replaces: bool = False
    """Has it just taken a static member's place?"""


class Epochs(NamedTuple):
    """What a step did to the group."""

    group: int
    subscription_changed: bool


def note_member(on: "ConsumerGroups", step: Step, records: list[CoordinatorRecord]) -> Epochs:
    """The first step; the group's epoch, and whether the member subscribes to something else. Raises `ApiError` for a
    pattern that is none.
    """
    group, old, new = step.group, step.old, step.new
    anew = step.replaces and on.rules.static_replacement == "assigned anew"
    if new != old or anew:
        records.append(member_record(group.id, new))
    names_changed = new.topics != old.topics
    pattern = changed_pattern(on, group, old, new, records)
    grows = names_changed or pattern is Pattern.RESOLVED or (on.rules.epoch_0_left and group.epoch == 0)
    epoch = _note_topics(on, group, group.with_member(new), grows, records)
    return Epochs(epoch, names_changed or pattern is not Pattern.SAME)


def _note_topics(
    on: "ConsumerGroups",
    group: ConsumerGroup,
    members: Mapping[str, Member],
    grows: bool,
    records: list[CoordinatorRecord],
) -> int:
    """Look at the subscribed topics; the group's epoch, which has grown if they have changed."""
    topics = subscribed_topics(on.cluster, group.topics(members.values()))
    if on.rules.topics_kept == "hash":
        digest = metadata_hash(topics.values())
        grows = grows or digest != group.metadata_hash
        if grows:
            records.append(epoch_record(group.id, group.epoch + 1, digest))
        if group.metadata:
            records.append(metadata_tombstone(group.id))
        return group.epoch + grows
    if topics != group.metadata:
        grows = True
        records.append(metadata_record(group.id, topics))
    if grows:
        records.append(epoch_record(group.id, group.epoch + 1, 0))
    return group.epoch + grows


# ---- the target assignment


def target_for(
    on: "ConsumerGroups", step: Step, epoch: int, records: list[CoordinatorRecord]
) -> tuple[int, Assignment]:
    """The second step: the epoch of the target assignment, and what the member is to have."""
    group, member = step.group, step.new
    anew = step.replaces and on.rules.static_replacement == "assigned anew"
    if not (epoch > group.assignment_epoch or anew) or not _is_time(on, group):
        return group.assignment_epoch, group.target_of(member)
    members = group.with_member(member)
    topics = {t.id: t for t in subscribed_topics(on.cluster, group.topics(members.values())).values()}
    default, *_ = on.assignors
    name = group.assignor(members.values(), default, counted_in_hash_map=True)
    answer = on.assignors[name](_question(on, group, members, topics))
    for member_id in hash_map_order(members):
        target = answer.get(member_id, {})
        if target != group.target.get(member_id):
            records.append(target_record(group.id, member_id, target))
    made_at = on.now if on.rules.assignment_interval else 0
    records.append(assignment_epoch_record(group.id, epoch, made_at))
    return epoch, answer.get(member.id, {})


def _is_time(on: "ConsumerGroups", group: ConsumerGroup) -> bool:
    """May there be another target assignment already?"""
    if not on.rules.assignment_interval or not group.assignment_timestamp:
        return True
    interval = on.setting_ms(group.id, "assignment.interval.ms")
    return interval == 0 or on.now >= group.assignment_timestamp + interval


def _question(
    on: "ConsumerGroups", group: ConsumerGroup, members: Mapping[str, Member], topics: Mapping[Uuid, TopicMetadata]
) -> Question:
    ids: dict[TopicName, Uuid] = {topic.name: topic_id for topic_id, topic in topics.items()}
    candidates = [
        Candidate(
            member.id,
            member.instance_id,
            frozenset(ids[name] for name in group.topics_of(member) if name in ids),
            group.target_of(member),
        )
        for member in (members[member_id] for member_id in hash_map_order(members))
    ]
    counts = {topic_id: topic.partitions for topic_id, topic in topics.items()}
    return Question(candidates, group.is_homogeneous(members.values()), counts)


# ---- reconciliation


def lead_on(
    on: "ConsumerGroups",
    step: Step,
    target: tuple[int, Assignment],
    subscription_changed: bool,
    records: list[CoordinatorRecord],
) -> Member:
    """The third step: the member as it is afterwards."""
    group, member = step.group, step.new
    enforced = on.rules.subscription_enforced
    if member.is_reconciled(target[0]) and not (enforced and subscription_changed):
        return member
    topics = subscribed_topics(on.cluster, group.topics_of(member)).values() if enforced else ()
    aim = Aim(
        *target,
        group.owned,
        step.reported,
        frozenset(topic.id for topic in topics) if enforced else None,
        enforced and subscription_changed,
        enforced,
    )
    led = reconciled(member, aim)
    if led != member:
        records.append(current_record(group.id, led, with_epochs=on.rules.assignment_epochs))
    return led


def waits_for_revocation(member: Member) -> bool:
    """Must it give up partitions within its rebalance timeout? Classic members have other timers for that."""
    return member.classic is None and member.state is MemberState.UNREVOKED_PARTITIONS
