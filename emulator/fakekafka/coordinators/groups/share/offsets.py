"""The start offsets of share groups, for administrators: described, altered, deleted (KIP-932).

Only groups without members can be changed.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.share.group import ShareGroup, Stated
from fakekafka.coordinators.groups.share.groups import ShareGroups
from fakekafka.coordinators.groups.share.heartbeat import initialize
from fakekafka.coordinators.groups.share.records import topics_record
from fakekafka.coordinators.groups.typed_records import TypedRecord
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, SharePartitionKey
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import ZERO_UUID, Offset, PartitionIndex, TopicName, Uuid

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

UNKNOWN_LAG = -1
NO_TOPIC = "This server does not host this topic-partition."
NO_OFFSETS = "There is no offset information to delete."


class StartOffset(NamedTuple):
    """Where a group starts to read a partition, and how much is before it."""

    offset: Offset = UNKNOWN_START
    leader_epoch: int = 0
    lag: int = UNKNOWN_LAG


class Deleted(NamedTuple):
    """The state of a topic, once it is deleted."""

    topic_id: Uuid
    error: ErrorCode
    words: str | None


def start_offset(broker: "Broker", place: SharePartitionKey) -> StartOffset:
    """Where a group starts to read a partition."""
    state = coordinators_of(broker).share.states.read(place)
    topic = broker.cluster.topics_by_id.get(place.topic)
    led = None if topic is None else topic.partition(place.partition)
    if state is None or led is None or topic is None:
        return StartOffset()
    leader = broker.cluster.brokers.get(led.leader)
    partition = None if leader is None else leader.partition(topic.name, place.partition)
    if state.start == UNKNOWN_START or partition is None:
        return StartOffset(state.start, state.leader_epoch)
    lag = partition.high_watermark - state.start - max(state.complete, 0)
    return StartOffset(state.start, state.leader_epoch, max(lag, 0))


def stated_topics(groups: ShareGroups, group_id: str) -> Mapping[Uuid, Stated]:
    """The topics for which a group has offsets."""
    group = groups.groups.get(group_id)
    return {} if group is None else group.topics.initialized


def alter(groups: ShareGroups, group_id: str, offsets: Mapping[TopicName, Mapping[PartitionIndex, Offset]]) -> None:
    """Change a group's start offset; a missing group is created. Raises `ApiError`."""
    group = groups.find_or_new(group_id)
    _check_empty(group)
    topics = groups.cluster.topics
    wanted = {topics[name].id: Stated(name, frozenset(starts)) for name, starts in offsets.items()}
    if not wanted:
        return
    changed = group.topics._replace(initializing={**group.topics.initializing, **wanted})
    _write(groups, group, topics_record(group_id, changed))
    starts = {
        SharePartitionKey(group_id, topics[name].id, partition): offset
        for name, of_topic in offsets.items()
        for partition, offset in of_topic.items()
    }
    initialize(groups, groups.groups[group_id], starts)


def delete(groups: ShareGroups, group_id: str, names: Sequence[TopicName]) -> list[Deleted]:
    """Delete a group's offsets of some topics. Raises `ApiError`."""
    group = groups.require(group_id)
    _check_empty(group)
    ids = {name: groups.cluster.topics[name].id for name in names if name in groups.cluster.topics}
    topics = group.topics
    gone = {topic: topics.initialized[topic] for topic in ids.values() if topic in topics.initialized}
    left = {topic: stated for topic, stated in topics.initialized.items() if topic not in gone}
    marked = {**topics.deleting, **{topic: stated.name for topic, stated in gone.items()}}
    _write(groups, group, topics_record(group_id, topics._replace(initialized=left, deleting=marked)))
    places = [
        SharePartitionKey(group_id, topic, p) for topic, stated in gone.items() for p in sorted(stated.partitions)
    ]
    for place in places:
        groups.states.delete(place)
    if gone:
        kept = {topic: name for topic, name in group.topics.deleting.items() if topic not in gone}
        _write(groups, group, topics_record(group_id, group.topics._replace(deleting=kept)))
    return [_deleted(ids.get(name), gone) for name in names]


def _write(groups: ShareGroups, group: ShareGroup, record: TypedRecord) -> None:
    plan = Plan(group)
    plan.add(record)
    groups.commit(plan)


def _deleted(topic: Uuid | None, gone: Mapping[Uuid, Stated]) -> Deleted:
    if topic is None:
        return Deleted(ZERO_UUID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NO_TOPIC)
    if topic not in gone:
        return Deleted(ZERO_UUID, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NO_OFFSETS)
    return Deleted(topic, ErrorCode.NONE, None)


def _check_empty(group: ShareGroup) -> None:
    if group.members:
        raise ApiError(ErrorCode.NON_EMPTY_GROUP, "The group is not empty.")
