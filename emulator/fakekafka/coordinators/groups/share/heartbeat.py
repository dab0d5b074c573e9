"""ShareGroupHeartbeat: members join, stay and leave (GroupMetadataManager.shareGroupHeartbeat).

Only partitions whose state the share coordinator has are assigned. So the first heartbeat of a group assigns nothing
but has the states made, and the next one assigns.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.hash_order import hash_map_order, hash_set_order
from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.groups.share.assignor import simple
from fakekafka.coordinators.groups.share.coordinator import ShareGroups
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.share.hashed_assignor import hashed
from fakekafka.coordinators.groups.share.records import (
    ShareRecord,
    assignment_epoch_record,
    current_record,
    epoch_record,
    member_record,
    member_tombstones,
    target_record,
    topics_record,
)
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, Place
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, TopicName, Uuid

LEAVE = -1


class ShareHeartbeatAsked(NamedTuple):
    """What a heartbeat says."""

    group_id: str
    member_id: str
    epoch: int
    rack: str | None
    client_id: str
    client_host: str
    topics: Sequence[TopicName] | None


class ShareHeartbeatResult(NamedTuple):
    """What it is answered."""

    member_id: str
    epoch: int
    interval_ms: DurationMs = 0
    assignment: Assignment | None = None


def heartbeat(on: ShareGroups, ask: ShareHeartbeatAsked) -> ShareHeartbeatResult:
    """Carry out a heartbeat. Raises `ApiError`."""
    if ask.epoch == LEAVE:
        return _leave(on, ask)
    group = _group(on, ask)
    old = _member(on, group, ask)
    new = _updated(old, ask)
    records: list[ShareRecord] = []
    members = group.with_member(new)
    epoch = _note(on, group, old, new, records)
    target = _target(on, group, members, epoch, new, records)
    led = new
    if new.epoch != target[0]:
        led = new._replace(epoch=target[0], previous_epoch=new.epoch, assigned=target[1])
        records.append(current_record(group.id, led))
    wanted = _to_initialize(on, group, members)
    if wanted:
        topics = group.topics._replace(initializing={**group.topics.initializing, **wanted})
        records.append(topics_record(group.id, topics))
    on.write(group.id, records)
    kept = on.groups.setdefault(group.id, group)
    keep_alive(on, kept, led.id)
    initialize(on, kept, dict.fromkeys(_places(group.id, wanted), UNKNOWN_START))
    tells = ask.epoch == 0 or ask.topics is not None or led.assigned != old.assigned
    interval = on.setting(group.id, "heartbeat.interval.ms")
    return ShareHeartbeatResult(led.id, led.epoch, interval, led.assigned if tells else None)


def _group(on: ShareGroups, ask: ShareHeartbeatAsked) -> ShareGroup:
    return on.found_or_new(ask.group_id) if ask.epoch == 0 else on.require(ask.group_id)


def _member(on: ShareGroups, group: ShareGroup, ask: ShareHeartbeatAsked) -> ShareMember:
    """The member as it was. Raises `ApiError` for one that has lost touch, or for too many."""
    member = group.members.get(ask.member_id)
    if ask.epoch == 0:
        limit = on.config.int("group.share.max.size")
        if member is None and len(group.members) >= limit:
            words = f"The share group has reached its maximum capacity of {limit} members."
            raise ApiError(ErrorCode.GROUP_MAX_SIZE_REACHED, words)
        if member is None or on.rules.rejoins:
            return member or ShareMember(ask.member_id)
    if member is None:
        words = f"Member {ask.member_id} is not a member of group {group.id}."
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, words)
    if ask.epoch > member.epoch or ask.epoch not in (member.epoch, member.previous_epoch):
        greater = ask.epoch > member.epoch
        before = "" if greater else f", and it does not match the previous member epoch ({member.previous_epoch})"
        words = (
            f"The share group member has a {'greater' if greater else 'smaller'} member epoch ({ask.epoch}) than the"
            f" one known by the group coordinator ({member.epoch}){before}."
            " The member must abandon all its partitions and rejoin."
        )
        raise ApiError(ErrorCode.FENCED_MEMBER_EPOCH, words)
    return member


def _updated(member: ShareMember, ask: ShareHeartbeatAsked) -> ShareMember:
    return member._replace(
        rack=member.rack if ask.rack is None else ask.rack,
        client_id=ask.client_id,
        client_host=ask.client_host,
        topics=member.topics if ask.topics is None else frozenset(ask.topics),
    )


def _leave(on: ShareGroups, ask: ShareHeartbeatAsked) -> ShareHeartbeatResult:
    group = on.require(ask.group_id)
    if ask.member_id not in group.members:
        words = f"Member {ask.member_id} is not a member of group {group.id}."
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, words)
    remove(on, group, ask.member_id)
    return ShareHeartbeatResult(ask.member_id, LEAVE)


def remove(on: ShareGroups, group: ShareGroup, member_id: str) -> None:
    """A member is gone: it left, or its session is over. Raises `ApiError`."""
    left = {m.topics for m in group.members.values() if m.id != member_id}
    topics = subscribed_topics(on.cluster, frozenset().union(*left))
    digest = metadata_hash(topics.values())
    on.write(group.id, [*member_tombstones(group.id, member_id), epoch_record(group.id, group.epoch + 1, digest)])


def keep_alive(on: ShareGroups, group: ShareGroup, member_id: str) -> None:
    """A session begins anew."""

    def over() -> None:
        if member_id in group.members:
            remove(on, group, member_id)

    group.set_timer(member_id, on.timers.after(on.setting(group.id, "session.timeout.ms"), over))


# ---- epochs and the target assignment


def _note(on: ShareGroups, group: ShareGroup, old: ShareMember, new: ShareMember, records: list[ShareRecord]) -> int:
    """Write down what the member says; the group's epoch."""
    if new != old or new.id not in group.members:
        records.append(member_record(group.id, new))
    names = frozenset().union(*(m.topics for m in group.with_member(new).values()))
    digest = metadata_hash(subscribed_topics(on.cluster, names).values())
    is_assigned = group.epoch <= group.assignment_epoch
    pending = (is_assigned or on.rules.waits_anyway) and _is_pending(group, names)
    if new.topics == old.topics and digest == group.metadata_hash and not pending:
        return group.epoch
    records.append(epoch_record(group.id, group.epoch + 1, digest))
    return group.epoch + 1


def _is_pending(group: ShareGroup, names: frozenset[TopicName]) -> bool:
    """Are there initialized partitions that nobody is to have?"""
    return any(
        frozenset().union(*(target.get(topic, frozenset()) for target in group.target.values())) != stated.partitions
        for topic, stated in group.topics.initialized.items()
        if group.members and stated.name in names
    )


def _target(
    on: ShareGroups,
    group: ShareGroup,
    members: Mapping[str, ShareMember],
    epoch: int,
    member: ShareMember,
    records: list[ShareRecord],
) -> tuple[int, Assignment]:
    """The epoch of the target assignment, and the member's part of it."""
    if epoch <= group.assignment_epoch or not _is_time(on, group):
        return group.assignment_epoch, group.target.get(member.id, {})
    ready = group.topics.initialized
    ids = {stated.name: topic for topic, stated in ready.items() if topic in on.cluster.topics_by_id}
    ordered = [members[member_id] for member_id in hash_map_order(members)]
    subscribers = {m.id: frozenset(ids[name] for name in m.topics if name in ids) for m in ordered}
    names = hash_set_order(name for name in ids if any(name in m.topics for m in ordered))
    wanted = {ids[name]: ready[ids[name]].partitions for name in names}
    assign = simple if on.rules.assignor == "balanced" else hashed
    answer = assign(subscribers, group.target, wanted, alike=len({m.topics for m in ordered}) < 2)
    for member_id, target in answer.items():
        if target != group.target.get(member_id):
            records.append(target_record(group.id, member_id, target))
    made_at = on.now if on.rules.assignment_interval else 0
    records.append(assignment_epoch_record(group.id, epoch, made_at))
    return epoch, answer[member.id]


def _is_time(on: ShareGroups, group: ShareGroup) -> bool:
    """May there be another target assignment already?"""
    if not on.rules.assignment_interval or not group.assignment_timestamp:
        return True
    interval = on.setting(group.id, "assignment.interval.ms")
    return interval == 0 or on.now >= group.assignment_timestamp + interval


# ---- delivery state


def _to_initialize(on: ShareGroups, group: ShareGroup, members: Mapping[str, ShareMember]) -> dict[Uuid, Stated]:
    """The subscribed partitions that have no state yet."""
    known = group.topics
    wanted = {}
    for name in sorted(frozenset().union(*(m.topics for m in members.values()))):
        topic = on.cluster.topics.get(name)
        if topic is None or topic.id in known.deleting:
            continue
        has = [s[topic.id].partitions for s in (known.initializing, known.initialized) if topic.id in s]
        missing = frozenset(state.index for state in topic.partitions).difference(*has)
        if missing:
            wanted[topic.id] = Stated(name, missing)
    return wanted


def _places(group_id: str, wanted: Mapping[Uuid, Stated]) -> list[Place]:
    return [Place(group_id, t, p) for t, stated in wanted.items() for p in sorted(stated.partitions)]


def initialize(on: ShareGroups, group: ShareGroup, starts: Mapping[Place, int]) -> None:
    """Have states begun, and note that they are there."""
    if not starts:
        return
    topics: StatedTopics = group.topics
    for place, start in starts.items():
        coordinators_of(on.coordinator.broker).share.states.initialize(place, group.epoch, start)
    for topic in {place.topic for place in starts}:
        topics = topics.with_initialized(topic, [p.partition for p in starts if p.topic == topic])
    on.write_soon(group.id, [topics_record(group.id, topics)])
