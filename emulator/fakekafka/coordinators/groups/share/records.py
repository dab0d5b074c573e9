"""The records of share groups in `__consumer_offsets` (GroupCoordinatorRecordHelpers), and what each one changes
(GroupMetadataManager.replay). All values are of version 0.

type 10  a member: what it said about itself
type 11  the group: its epoch and a hash of its topics
type 12  the epoch of the target assignment; from 4.3 on also when it was made
type 13  the target of a member
type 14  what a member has
type 15  for which topics the share coordinator has state
"""

from collections.abc import Iterable, Mapping
from typing import Final

from fakekafka.coordinators.groups.consumer.group import Assignment
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.typed_records import RecordTypes, TypedRecord
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.ids import PartitionIndex, TimestampMs, Uuid
from fakekafka.wire.internal import share_group_records as shapes
from fakekafka.wire.message import Message

TYPES: Final = RecordTypes(
    {
        10: (shapes.ShareGroupMemberMetadataKey, shapes.ShareGroupMemberMetadataValue),
        11: (shapes.ShareGroupMetadataKey, shapes.ShareGroupMetadataValue),
        12: (shapes.ShareGroupTargetAssignmentMetadataKey, shapes.ShareGroupTargetAssignmentMetadataValue),
        13: (shapes.ShareGroupTargetAssignmentMemberKey, shapes.ShareGroupTargetAssignmentMemberValue),
        14: (shapes.ShareGroupCurrentMemberAssignmentKey, shapes.ShareGroupCurrentMemberAssignmentValue),
        15: (shapes.ShareGroupStatePartitionMetadataKey, shapes.ShareGroupStatePartitionMetadataValue),
    }
)


# ---- members


def member_record(group_id: str, member: ShareMember) -> TypedRecord:
    """What a member said about itself."""
    return shapes.ShareGroupMemberMetadataKey(
        group_id=group_id, member_id=member.id
    ), shapes.ShareGroupMemberMetadataValue(
        rack_id=member.rack,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
    )


def target_record(group_id: str, member_id: str, target: Assignment) -> TypedRecord:
    """The target of a member."""
    rows = [shapes.TopicPartition(topic_id=t, partitions=partition_order(target[t])) for t in topic_order(target)]
    key = shapes.ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.ShareGroupTargetAssignmentMemberValue(topic_partitions=rows)


def current_record(group_id: str, member: ShareMember) -> TypedRecord:
    """What a member has."""
    has = member.assigned
    rows = [shapes.TopicPartitions(topic_id=t, partitions=partition_order(has[t])) for t in topic_order(has)]
    key = shapes.ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.id)
    return key, shapes.ShareGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch, previous_member_epoch=member.previous_epoch, state=0, assigned_partitions=rows
    )


def member_tombstones(group_id: str, member_id: str) -> list[TypedRecord]:
    """The tombstones of a member."""
    return [
        (shapes.ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.ShareGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(group_id: str, epoch: int, metadata_hash: int) -> TypedRecord:
    """The record of a new group epoch."""
    value = shapes.ShareGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return shapes.ShareGroupMetadataKey(group_id=group_id), value


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> TypedRecord:
    """The record of a target assignment for an epoch. `timestamp`: 0 if the release does not keep it."""
    value = shapes.ShareGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return shapes.ShareGroupTargetAssignmentMetadataKey(group_id=group_id), value


def topics_record(group_id: str, topics: StatedTopics) -> TypedRecord:
    """The record of the topics with state."""
    deleting = topics.deleting
    value = shapes.ShareGroupStatePartitionMetadataValue(
        initializing_topics=_stated(topics.initializing),
        initialized_topics=_stated(topics.initialized),
        deleting_topics=[shapes.TopicInfo(topic_id=t, topic_name=deleting[t]) for t in topic_order(deleting)],
    )
    return shapes.ShareGroupStatePartitionMetadataKey(group_id=group_id), value


def _stated(topics: Mapping[Uuid, Stated]) -> list[shapes.TopicPartitionsInfo]:
    return [
        shapes.TopicPartitionsInfo(
            topic_id=t, topic_name=topics[t].name, partitions=partition_order(topics[t].partitions)
        )
        for t in topic_order(topics)
    ]


def group_tombstones(group: ShareGroup) -> list[TypedRecord]:
    """The tombstones of an empty group."""
    return [
        (shapes.ShareGroupTargetAssignmentMetadataKey(group_id=group.id), None),
        (shapes.ShareGroupStatePartitionMetadataKey(group_id=group.id), None),
        (shapes.ShareGroupMetadataKey(group_id=group.id), None),
    ]


# ---- replay


def replay_into(group: ShareGroup, key: Message, value: Message | None) -> None:
    """Apply a record to the group that earlier ones have built."""
    match key:
        case shapes.ShareGroupMetadataKey():
            assert isinstance(value, shapes.ShareGroupMetadataValue)
            group.epoch, group.metadata_hash = value.epoch, value.metadata_hash
        case shapes.ShareGroupTargetAssignmentMetadataKey():
            _replay_assignment_epoch(group, value)
        case shapes.ShareGroupStatePartitionMetadataKey():
            group.topics = _read_topics(value)
        case _:
            _replay_member(group, key, value)


def _replay_member(group: ShareGroup, key: Message, value: Message | None) -> None:
    member_id: str = key.member_id  # type: ignore[attr-defined]  # all others have one
    match value:
        case None:
            _bury(group, key, member_id)
        case shapes.ShareGroupMemberMetadataValue():
            old = group.members.get(member_id, ShareMember(member_id))
            group.put(
                old._replace(
                    rack=value.rack_id,
                    client_id=value.client_id,
                    client_host=value.client_host,
                    topics=frozenset(value.subscribed_topic_names),
                )
            )
        case shapes.ShareGroupTargetAssignmentMemberValue():
            group.target[member_id] = {t.topic_id: frozenset(t.partitions) for t in value.topic_partitions}
        case shapes.ShareGroupCurrentMemberAssignmentValue():
            old = group.members.get(member_id, ShareMember(member_id))
            group.put(
                old._replace(
                    epoch=value.member_epoch,
                    previous_epoch=value.previous_member_epoch,
                    assigned={t.topic_id: frozenset(t.partitions) for t in value.assigned_partitions},
                )
            )


def _bury(group: ShareGroup, key: Message, member_id: str) -> None:
    if isinstance(key, shapes.ShareGroupMemberMetadataKey):
        group.remove(member_id)
    elif isinstance(key, shapes.ShareGroupTargetAssignmentMemberKey):
        group.target.pop(member_id, None)


def _replay_assignment_epoch(group: ShareGroup, value: object) -> None:
    if value is None:
        group.assignment_epoch = -1
        return
    assert isinstance(value, shapes.ShareGroupTargetAssignmentMetadataValue)
    group.assignment_epoch = value.assignment_epoch
    group.assignment_timestamp = value.assignment_timestamp


def _read_topics(value: object) -> StatedTopics:
    if value is None:
        return StatedTopics()
    assert isinstance(value, shapes.ShareGroupStatePartitionMetadataValue)
    return StatedTopics(
        _read_stated((t.topic_id, t.topic_name, t.partitions) for t in value.initializing_topics),
        _read_stated((t.topic_id, t.topic_name, t.partitions) for t in value.initialized_topics),
        {t.topic_id: t.topic_name for t in value.deleting_topics},
    )


def _read_stated(rows: Iterable[tuple[Uuid, str, list[PartitionIndex]]]) -> Mapping[Uuid, Stated]:
    return {topic: Stated(name, frozenset(partitions)) for topic, name, partitions in rows}
