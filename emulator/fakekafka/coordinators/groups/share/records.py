"""The records of share groups in `__consumer_offsets` (GroupCoordinatorRecordHelpers). All values are of version 0.

type 10  a member: what it said of itself
type 11  the group: its epoch and a hash of its topics
type 12  the epoch of the target assignment; from 4.3 on when it was made
type 13  what a member is to have
type 14  what a member has
type 15  for which topics the share coordinator has state
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from fakekafka.coordinators.groups.consumer.hash_order import partition_order, topic_order
from fakekafka.coordinators.groups.consumer.member import Assignment
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.typed_records import Shapes, TypedRecord, from_bytes, to_bytes, types_of
from fakekafka.ids import TimestampMs, Uuid
from fakekafka.wire.internal import share_group_records as shapes

ShareRecord: TypeAlias = TypedRecord

KINDS: Final[Mapping[int, Shapes]] = {
    10: (shapes.ShareGroupMemberMetadataKey, shapes.ShareGroupMemberMetadataValue),
    11: (shapes.ShareGroupMetadataKey, shapes.ShareGroupMetadataValue),
    12: (shapes.ShareGroupTargetAssignmentMetadataKey, shapes.ShareGroupTargetAssignmentMetadataValue),
    13: (shapes.ShareGroupTargetAssignmentMemberKey, shapes.ShareGroupTargetAssignmentMemberValue),
    14: (shapes.ShareGroupCurrentMemberAssignmentKey, shapes.ShareGroupCurrentMemberAssignmentValue),
    15: (shapes.ShareGroupStatePartitionMetadataKey, shapes.ShareGroupStatePartitionMetadataValue),
}
_TYPES: Final = types_of(KINDS)


def encoded(record: ShareRecord) -> tuple[bytes, bytes | None]:
    """A record's key and value as they lie in the log."""
    return to_bytes(_TYPES, record)


def decoded(kind: int, key: bytes, value: bytes | None) -> ShareRecord:
    """A record of one of `KINDS`. Raises `MalformedBytes`."""
    return from_bytes(KINDS, kind, key, value)


# ---- members


def member_record(group_id: str, member: ShareMember) -> ShareRecord:
    """What a member said of itself."""
    return shapes.ShareGroupMemberMetadataKey(
        group_id=group_id, member_id=member.id
    ), shapes.ShareGroupMemberMetadataValue(
        rack_id=member.rack,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
    )


def target_record(group_id: str, member_id: str, target: Assignment) -> ShareRecord:
    """What a member is to have."""
    rows = [shapes.TopicPartition(topic_id=t, partitions=partition_order(target[t])) for t in topic_order(target)]
    key = shapes.ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.ShareGroupTargetAssignmentMemberValue(topic_partitions=rows)


def current_record(group_id: str, member: ShareMember) -> ShareRecord:
    """What a member has."""
    has = member.assigned
    rows = [shapes.TopicPartitions(topic_id=t, partitions=partition_order(has[t])) for t in topic_order(has)]
    key = shapes.ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.id)
    return key, shapes.ShareGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch, previous_member_epoch=member.previous_epoch, state=0, assigned_partitions=rows
    )


def member_tombstones(group_id: str, member_id: str) -> list[ShareRecord]:
    """A member is gone."""
    return [
        (shapes.ShareGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.ShareGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.ShareGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(group_id: str, epoch: int, metadata_hash: int) -> ShareRecord:
    """The group has another epoch."""
    value = shapes.ShareGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return shapes.ShareGroupMetadataKey(group_id=group_id), value


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> ShareRecord:
    """There is a target assignment for an epoch. `timestamp`: 0 where the release does not keep it."""
    value = shapes.ShareGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return shapes.ShareGroupTargetAssignmentMetadataKey(group_id=group_id), value


def topics_record(group_id: str, topics: StatedTopics) -> ShareRecord:
    """For which topics there is state."""
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


def group_tombstones(group: ShareGroup) -> list[ShareRecord]:
    """An empty group is gone."""
    return [
        (shapes.ShareGroupTargetAssignmentMetadataKey(group_id=group.id), None),
        (shapes.ShareGroupStatePartitionMetadataKey(group_id=group.id), None),
        (shapes.ShareGroupMetadataKey(group_id=group.id), None),
    ]
