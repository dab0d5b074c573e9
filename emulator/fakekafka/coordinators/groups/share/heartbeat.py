"""ShareGroupHeartbeat: members join, stay and leave (GroupMetadataManager.shareGroupHeartbeat).

Only partitions whose state the share coordinator has are assigned. So the first heartbeat of a group only has the
states created, and the next one assigns.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.consumer.group import Assignment
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.share.assignor import hashed, simple
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated
from fakekafka.coordinators.groups.share.groups import ShareGroups
from fakekafka.coordinators.groups.share.records import (
    assignment_epoch_record,
    current_record,
    epoch_record,
    member_record,
    member_tombstones,
    target_record,
    topics_record,
)
from fakekafka.coordinators.groups.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.hash_order import hash_map_order, hash_set_order
from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, SharePartitionKey
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, Offset, TopicName, Uuid

LEAVE: Final = -1
ABSENT: Final = "Share group {} not found."
"""The answer to a member that stays in a group which does not exist. Recorded from 4.1.1: odd_share_groups."""


class ShareHeartbeat(NamedTuple):
    """A ShareGroupHeartbeat request; a field that is None is unchanged."""

    group_id: str
    member_id: str
    epoch: int
    rack: str | None
    client_id: str
    client_host: str
    topics: Sequence[TopicName] | None


class ShareHeartbeatResult(NamedTuple):
    """The answer to a ShareGroupHeartbeat."""

    member_id: str
    epoch: int
    interval_ms: DurationMs = 0
    assignment: Assignment | None = None
    """None: unchanged."""


def heartbeat(groups: ShareGroups, request: ShareHeartbeat) -> ShareHeartbeatResult:
    """Carry out a heartbeat. If it raises `ApiError`, nothing has changed."""
    if request.epoch == LEAVE:
        group = groups.require(request.group_id)
        remove(groups, group, group.require_member(request.member_id).id)
        return ShareHeartbeatResult(request.member_id, LEAVE)
    joins = request.epoch == 0
    plan = Plan(groups.find_or_new(request.group_id) if joins else groups.require(request.group_id, absent=ABSENT))
    old = _member(groups, plan.group, request)
    progress = _Progress(groups, plan, old, _updated(old, request))
    member = progress.planned()
    wanted = progress.plan_states()
    groups.commit(plan)
    group = groups.groups[request.group_id]
    keep_alive(groups, group, member.id)
    initialize(groups, group, dict.fromkeys(_keys(group.id, wanted), UNKNOWN_START))
    tells = joins or request.topics is not None or member.assigned != old.assigned
    interval = groups.setting(group.id, "heartbeat.interval.ms")
    return ShareHeartbeatResult(member.id, member.epoch, interval, member.assigned if tells else None)


def _member(groups: ShareGroups, group: ShareGroup, request: ShareHeartbeat) -> ShareMember:
    """The previous state of the member. Raises `ApiError` if it has lost touch, or if the group is full."""
    if request.epoch == 0:
        groups.check_size(group, request.member_id)
        known = group.members.get(request.member_id)
        if known is None or groups.rules.rejoins:
            return known or ShareMember(request.member_id)
    member = group.require_member(request.member_id)
    if request.epoch > member.epoch or request.epoch not in (member.epoch, member.previous_epoch):
        greater = request.epoch > member.epoch
        before = "" if greater else f", and it does not match the previous member epoch ({member.previous_epoch})"
        words = (
            f"The share group member has a {'greater' if greater else 'smaller'} member epoch ({request.epoch}) than"
            f" the one known by the group coordinator ({member.epoch}){before}."
            " The member must abandon all its partitions and rejoin."
        )
        raise ApiError(ErrorCode.FENCED_MEMBER_EPOCH, words)
    return member


def _updated(member: ShareMember, request: ShareHeartbeat) -> ShareMember:
    return member._replace(
        rack=member.rack if request.rack is None else request.rack,
        client_id=request.client_id,
        client_host=request.client_host,
        topics=member.topics if request.topics is None else frozenset(request.topics),
    )


# ---- members that leave


def remove(groups: ShareGroups, group: ShareGroup, member_id: str) -> None:
    """Remove a member that left, or whose session is over. Raises `ApiError`."""
    left = {m.topics for m in group.members.values() if m.id != member_id}
    topics = subscribed_topics(groups.cluster, frozenset().union(*left))
    plan = Plan(group)
    plan.add(*member_tombstones(group.id, member_id))
    plan.add(epoch_record(group.id, group.epoch + 1, metadata_hash(topics.values())))
    groups.commit(plan)


def keep_alive(groups: ShareGroups, group: ShareGroup, member_id: str) -> None:
    """Begin a new session."""

    def over() -> None:
        if member_id in group.members:
            with suppress(ApiError):  # there is no request to answer
                remove(groups, group, member_id)

    timeout = groups.setting(group.id, "session.timeout.ms")
    group.set_timer("session", member_id, groups.timers.after(timeout, over))


# ---- epochs and the target assignment


class _Progress:
    """A member's request being planned."""

    def __init__(self, groups: ShareGroups, plan: Plan[ShareGroup], old: ShareMember, new: ShareMember) -> None:
        self._groups = groups
        self._plan = plan
        self._group = plan.group
        self._old = old
        self._new = new
        self._members = plan.group.with_member(new)
        self._names: frozenset[TopicName] = frozenset().union(*(m.topics for m in self._members.values()))
        """The topics that the members subscribe to."""

    def planned(self) -> ShareMember:
        """Plan epochs and assignments. Returns the member as it is afterwards."""
        member = self._new
        epoch, assigned = self._target(self._note_member())
        if member.epoch == epoch:
            return member
        led = member._replace(epoch=epoch, previous_epoch=member.epoch, assigned=assigned)
        self._plan.add(current_record(self._group.id, led))
        return led

    def _note_member(self) -> int:
        """Plan to write what the member says. Returns the group's epoch."""
        group, new = self._group, self._new
        if new != self._old or new.id not in group.members:
            self._plan.add(member_record(group.id, new))
        digest = metadata_hash(subscribed_topics(self._groups.cluster, self._names).values())
        is_assigned = group.epoch <= group.assignment_epoch
        pending = (is_assigned or self._groups.rules.waits_anyway) and self._has_unassigned()
        if new.topics == self._old.topics and digest == group.metadata_hash and not pending:
            return group.epoch
        self._plan.add(epoch_record(group.id, group.epoch + 1, digest))
        return group.epoch + 1

    def _has_unassigned(self) -> bool:
        """Whether there are initialized partitions that are in no target."""
        group = self._group
        return any(
            frozenset().union(*(target.get(topic, frozenset()) for target in group.target.values()))
            != stated.partitions
            for topic, stated in group.topics.initialized.items()
            if group.members and stated.name in self._names
        )

    def _target(self, epoch: int) -> tuple[int, Assignment]:
        """The epoch of the target assignment, and the member's part of it."""
        group, groups = self._group, self._groups
        if epoch <= group.assignment_epoch or not groups.may_assign(group):
            return group.assignment_epoch, group.target.get(self._new.id, {})
        answer = self._assigned()
        for member_id, target in answer.items():
            if target != group.target.get(member_id):
                self._plan.add(target_record(group.id, member_id, target))
        self._plan.add(assignment_epoch_record(group.id, epoch, groups.assignment_timestamp))
        return epoch, answer[self._new.id]

    def _assigned(self) -> dict[str, Assignment]:
        """What the assignor gives each member."""
        group, groups = self._group, self._groups
        ready = group.topics.initialized
        ids = {stated.name: topic for topic, stated in ready.items() if topic in groups.cluster.topics_by_id}
        ordered = [self._members[member_id] for member_id in hash_map_order(self._members)]
        subscribers = {m.id: frozenset(ids[name] for name in m.topics if name in ids) for m in ordered}
        names = hash_set_order(name for name in ids if any(name in m.topics for m in ordered))
        wanted = {ids[name]: ready[ids[name]].partitions for name in names}
        assign = simple if groups.rules.assignor == "balanced" else hashed
        return assign(subscribers, group.target, wanted, alike=len({m.topics for m in ordered}) < 2)

    # ---- delivery state

    def plan_states(self) -> Mapping[Uuid, Stated]:
        """The subscribed partitions that have no state yet, which are recorded as being initialized."""
        known, wanted = self._group.topics, {}
        for name in sorted(self._names):
            topic = self._groups.cluster.topics.get(name)
            if topic is None or topic.id in known.deleting:
                continue
            has = [s[topic.id].partitions for s in (known.initializing, known.initialized) if topic.id in s]
            missing = frozenset(state.index for state in topic.partitions).difference(*has)
            if missing:
                wanted[topic.id] = Stated(name, missing)
        if wanted:
            topics = known._replace(initializing={**known.initializing, **wanted})
            self._plan.add(topics_record(self._group.id, topics))
        return wanted


def _keys(group_id: str, wanted: Mapping[Uuid, Stated]) -> list[SharePartitionKey]:
    return [SharePartitionKey(group_id, t, p) for t, stated in wanted.items() for p in sorted(stated.partitions)]


def initialize(groups: ShareGroups, group: ShareGroup, starts: Mapping[SharePartitionKey, Offset]) -> None:
    """Have states created, and record that. If that cannot be recorded, they remain to be initialized."""
    if not starts:
        return
    topics = group.topics
    for key, start in starts.items():
        groups.states.initialize(key, group.epoch, start)
    for topic in {key.topic for key in starts}:
        topics = topics.with_initialized(topic, [key.partition for key in starts if key.topic == topic])
    plan = Plan(group)
    plan.add(topics_record(group.id, topics))
    with suppress(ApiError):  # the request has been carried out
        groups.commit(plan, soon=True)
