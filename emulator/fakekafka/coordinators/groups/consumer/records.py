"""The records of consumer groups in `__consumer_offsets`: which ones a change writes (GroupCoordinatorRecordHelpers).

A record is its key and its value as messages; a value of None is a tombstone. All values are of version 0. The shapes
are in `wire.internal.consumer_group_records`.

    type 3   the group: its epoch; from 4.1 on a hash of its topics
    type 4   its topics (3.7 to 4.0)
    type 5   a member: what it said of itself
    type 6   the epoch of the target assignment; from 4.3 on when it was made
    type 7   what a member is to have
    type 8   what a member has; from 4.3 on since which epoch
    type 16  a resolved pattern (from 4.0 on)
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, ResolvedRegex, TopicMetadata
from fakekafka.coordinators.groups.consumer.hash_order import hash_map_order, partition_order, topic_order
from fakekafka.coordinators.groups.consumer.member import Assignment, Member, Owned
from fakekafka.coordinators.groups.typed_records import Shapes, from_bytes, to_bytes, types_of
from fakekafka.ids import TimestampMs, TopicName
from fakekafka.wire.internal import consumer_group_records as shapes
from fakekafka.wire.message import Message

CoordinatorRecord: TypeAlias = tuple[Message | bytes, Message | bytes | None]
"""As messages; or as bytes, if it is about a classic group."""

KINDS: Final[Mapping[int, Shapes]] = {
    3: (shapes.ConsumerGroupMetadataKey, shapes.ConsumerGroupMetadataValue),
    4: (shapes.ConsumerGroupPartitionMetadataKey, shapes.ConsumerGroupPartitionMetadataValue),
    5: (shapes.ConsumerGroupMemberMetadataKey, shapes.ConsumerGroupMemberMetadataValue),
    6: (shapes.ConsumerGroupTargetAssignmentMetadataKey, shapes.ConsumerGroupTargetAssignmentMetadataValue),
    7: (shapes.ConsumerGroupTargetAssignmentMemberKey, shapes.ConsumerGroupTargetAssignmentMemberValue),
    8: (shapes.ConsumerGroupCurrentMemberAssignmentKey, shapes.ConsumerGroupCurrentMemberAssignmentValue),
    16: (shapes.ConsumerGroupRegularExpressionKey, shapes.ConsumerGroupRegularExpressionValue),
}
NO_TAGS: Final = b"\0"
NULL_CLASSIC_METADATA: Final = b"\1\0\1\0"
"""Brokers write this tagged field even if it is null: one tag, its number, its size, nothing."""
_TYPES: Final = types_of(KINDS)


def encoded(record: CoordinatorRecord) -> tuple[bytes, bytes | None]:
    """A record's key and value as they lie in the log."""
    key, value = record
    if isinstance(key, bytes):
        assert not isinstance(value, Message)
        return key, value
    assert not isinstance(value, bytes)
    typed, data = to_bytes(_TYPES, (key, value))
    if isinstance(value, shapes.ConsumerGroupMemberMetadataValue) and value.classic_member_metadata is None:
        assert data is not None
        data = data[: -len(NO_TAGS)] + NULL_CLASSIC_METADATA
    return typed, data


def decoded(kind: int, key: bytes, value: bytes | None) -> CoordinatorRecord:
    """A record of one of `KINDS`. Raises `MalformedBytes`."""
    return from_bytes(KINDS, kind, key, value)


def group_of(record: CoordinatorRecord) -> str:
    """The id of the group that a record is about, one of `KINDS`."""
    group_id: str = record[0].group_id  # type: ignore[union-attr]  # every key of these has one
    return group_id


# ---- members


def member_record(group_id: str, member: Member) -> CoordinatorRecord:
    """What a member said of itself."""
    classic = None
    if member.classic is not None:
        protocols = [shapes.ClassicProtocol(name=name, metadata=data) for name, data in member.classic.protocols]
        classic = shapes.ClassicMemberMetadata(
            session_timeout_ms=member.classic.session_timeout_ms, supported_protocols=protocols
        )
    value = shapes.ConsumerGroupMemberMetadataValue(
        instance_id=member.instance_id,
        rack_id=member.rack,
        client_id=member.client_id,
        client_host=member.client_host,
        subscribed_topic_names=sorted(member.topics),
        subscribed_topic_regex=member.regex,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        server_assignor=member.assignor,
        classic_member_metadata=classic,
    )
    return shapes.ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member.id), value


def current_record(group_id: str, member: Member, *, with_epochs: bool) -> CoordinatorRecord:
    """What a member has."""
    value = shapes.ConsumerGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        state=member.state,
        assigned_partitions=_owned(member.assigned, with_epochs),
        partitions_pending_revocation=_owned(member.revoking, with_epochs),
    )
    return shapes.ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.id), value


def _owned(owned: Owned, with_epochs: bool) -> list[shapes.TopicPartitions]:
    out = []
    for topic in topic_order(owned):
        partitions = partition_order(owned[topic])
        entry = shapes.TopicPartitions(topic_id=topic, partitions=partitions)
        if with_epochs:
            entry.assignment_epochs = [owned[topic][partition] for partition in partitions]
        out.append(entry)
    return out


def target_record(group_id: str, member_id: str, target: Assignment) -> CoordinatorRecord:
    """What a member is to have."""
    rows = [shapes.TopicPartition(topic_id=t, partitions=partition_order(target[t])) for t in topic_order(target)]
    key = shapes.ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.ConsumerGroupTargetAssignmentMemberValue(topic_partitions=rows)


def member_tombstones(group_id: str, member_id: str) -> list[CoordinatorRecord]:
    """A member is gone. The order matters to who reads them."""
    return [
        (shapes.ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(group_id: str, epoch: int, metadata_hash: int) -> CoordinatorRecord:
    """The group's epoch; a hash of 0 is left out."""
    value = shapes.ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return shapes.ConsumerGroupMetadataKey(group_id=group_id), value


def metadata_record(group_id: str, topics: "Mapping[TopicName, TopicMetadata]") -> CoordinatorRecord:
    """The topics that an assignment is made from."""
    rows = [
        shapes.TopicMetadata(
            topic_id=topic.id,
            topic_name=topic.name,
            num_partitions=topic.partitions,
            partition_metadata=[
                shapes.PartitionMetadata(partition=partition, racks=sorted(racks)) for partition, racks in topic.racks
            ],
        )
        for topic in (topics[name] for name in hash_map_order(topics))
    ]
    key = shapes.ConsumerGroupPartitionMetadataKey(group_id=group_id)
    return key, shapes.ConsumerGroupPartitionMetadataValue(topics=rows)


def metadata_tombstone(group_id: str) -> CoordinatorRecord:
    """The topics are not kept any more."""
    return shapes.ConsumerGroupPartitionMetadataKey(group_id=group_id), None


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> CoordinatorRecord:
    """Which epoch the target assignment is for; a timestamp of 0 is left out."""
    key = shapes.ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id)
    value = shapes.ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return key, value


def regex_record(group_id: str, regex: str, resolved: ResolvedRegex) -> CoordinatorRecord:
    """What a pattern matched."""
    key = shapes.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex)
    topics = sorted(resolved.topics)
    return key, shapes.ConsumerGroupRegularExpressionValue(
        topics=topics, version=resolved.version, timestamp=resolved.at
    )


def regex_tombstone(group_id: str, regex: str) -> CoordinatorRecord:
    """Nobody subscribes to a pattern any more."""
    return shapes.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex), None


def group_tombstones(group: ConsumerGroup, renamed: Mapping[str, str]) -> list[CoordinatorRecord]:
    """A group is gone. `renamed`: ids under which members stand in the log by now."""
    members = [renamed.get(member.id, member.id) for member in group.ordered_members()]
    by_member: Iterable[tuple[CoordinatorRecord, ...]] = zip(*(member_tombstones(group.id, m) for m in members))
    current, target, metadata = (list(part) for part in by_member) if members else ([], [], [])
    regexes = [regex_tombstone(group.id, regex) for regex in group.regexes]
    return [
        *current,
        *target,
        (shapes.ConsumerGroupTargetAssignmentMetadataKey(group_id=group.id), None),
        *metadata,
        *regexes,
        metadata_tombstone(group.id),
        (shapes.ConsumerGroupMetadataKey(group_id=group.id), None),
    ]


def group_records(group: ConsumerGroup, *, with_epochs: bool) -> list[CoordinatorRecord]:
    """Everything about a group that was a classic one."""
    members = group.ordered_members()
    return [
        *(member_record(group.id, member) for member in members),
        epoch_record(group.id, group.epoch, group.metadata_hash),
        *(target_record(group.id, member.id, group.target.get(member.id, {})) for member in members),
        assignment_epoch_record(group.id, group.epoch, 0),
        *(current_record(group.id, member, with_epochs=with_epochs) for member in members),
    ]
