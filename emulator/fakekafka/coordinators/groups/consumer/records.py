"""The records of consumer groups in `__consumer_offsets`: which ones a change writes (GroupTypedRecordHelpers),
and what each one changes (GroupMetadataManager.replay).

A record is its key and its value as messages; a value of None is a tombstone. All values are of version 0. The shapes
are in `wire.internal.consumer_group_records`.

    type 3   the group: its epoch; from 4.1 on a hash of its topics
    type 4   its topics (3.7 to 4.0)
    type 5   a member: what it said about itself
    type 6   the epoch of the target assignment; from 4.3 on also when it was made
    type 7   the target of a member
    type 8   what a member has; from 4.3 on also since which epoch
    type 16  a resolved pattern (from 4.0 on)
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from fakekafka.coordinators.groups.consumer.group import (
    Assignment,
    ClassicMember,
    ConsumerGroup,
    Member,
    MemberState,
    Owned,
    ResolvedRegex,
)
from fakekafka.coordinators.groups.subscriptions import TopicMetadata
from fakekafka.coordinators.groups.typed_records import RecordTypes, TypedRecord
from fakekafka.coordinators.hash_order import Filled, hash_map_order, partition_order, topic_order
from fakekafka.ids import TimestampMs, TopicName
from fakekafka.wire.internal import consumer_group_records as shapes
from fakekafka.wire.message import Message

NO_TAGS: Final = b"\0"
NULL_CLASSIC_METADATA: Final = b"\1\0\1\0"
"""Brokers write this tagged field even if it is null: one tag, its number, its size, nothing."""


class _ConsumerRecordTypes(RecordTypes):
    def value(self, value: Message) -> bytes:
        data = super().value(value)
        if isinstance(value, shapes.ConsumerGroupMemberMetadataValue) and value.classic_member_metadata is None:
            return data[: -len(NO_TAGS)] + NULL_CLASSIC_METADATA
        return data


TYPES: Final = _ConsumerRecordTypes(
    {
        3: (shapes.ConsumerGroupMetadataKey, shapes.ConsumerGroupMetadataValue),
        4: (shapes.ConsumerGroupPartitionMetadataKey, shapes.ConsumerGroupPartitionMetadataValue),
        5: (shapes.ConsumerGroupMemberMetadataKey, shapes.ConsumerGroupMemberMetadataValue),
        6: (shapes.ConsumerGroupTargetAssignmentMetadataKey, shapes.ConsumerGroupTargetAssignmentMetadataValue),
        7: (shapes.ConsumerGroupTargetAssignmentMemberKey, shapes.ConsumerGroupTargetAssignmentMemberValue),
        8: (shapes.ConsumerGroupCurrentMemberAssignmentKey, shapes.ConsumerGroupCurrentMemberAssignmentValue),
        16: (shapes.ConsumerGroupRegularExpressionKey, shapes.ConsumerGroupRegularExpressionValue),
    }
)


# ---- members


def member_record(group_id: str, member: Member) -> TypedRecord:
    """What a member said about itself."""
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


def current_record(group_id: str, member: Member, *, with_epochs: bool) -> TypedRecord:
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
    for topic in topic_order(owned, Filled.COMPUTED):
        partitions = partition_order(owned[topic])
        entry = shapes.TopicPartitions(topic_id=topic, partitions=partitions)
        if with_epochs:
            entry.assignment_epochs = [owned[topic][partition] for partition in partitions]
        out.append(entry)
    return out


def target_record(group_id: str, member_id: str, target: Assignment) -> TypedRecord:
    """The target of a member."""
    key = shapes.ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.ConsumerGroupTargetAssignmentMemberValue(topic_partitions=partition_rows(target))


def partition_rows(target: Assignment) -> list[shapes.TopicPartition]:
    """Partitions by topic, in the order of HashMaps."""
    ordered = topic_order(target, Filled.COMPUTED)
    return [shapes.TopicPartition(topic_id=t, partitions=partition_order(target[t])) for t in ordered]


def member_tombstones(group_id: str, member_id: str) -> list[TypedRecord]:
    """The tombstones of a member. Their order matters to readers."""
    return [
        (shapes.ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.ConsumerGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.ConsumerGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(group_id: str, epoch: int, metadata_hash: int) -> TypedRecord:
    """The group's epoch; a hash of 0 is left out."""
    value = shapes.ConsumerGroupMetadataValue(epoch=epoch, metadata_hash=metadata_hash)
    return shapes.ConsumerGroupMetadataKey(group_id=group_id), value


def metadata_record(group_id: str, topics: "Mapping[TopicName, TopicMetadata]") -> TypedRecord:
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


def metadata_tombstone(group_id: str) -> TypedRecord:
    """The tombstone of the topics, which are no longer kept."""
    return shapes.ConsumerGroupPartitionMetadataKey(group_id=group_id), None


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> TypedRecord:
    """Which epoch the target assignment is for; a timestamp of 0 is left out."""
    key = shapes.ConsumerGroupTargetAssignmentMetadataKey(group_id=group_id)
    value = shapes.ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return key, value


def regex_record(group_id: str, regex: str, resolved: ResolvedRegex) -> TypedRecord:
    """What a pattern matched."""
    key = shapes.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex)
    topics = sorted(resolved.topics)
    return key, shapes.ConsumerGroupRegularExpressionValue(
        topics=topics, version=resolved.version, timestamp=resolved.at
    )


def regex_tombstone(group_id: str, regex: str) -> TypedRecord:
    """The tombstone of a pattern without subscribers."""
    return shapes.ConsumerGroupRegularExpressionKey(group_id=group_id, regular_expression=regex), None


def group_tombstones(group: ConsumerGroup, renamed: Mapping[str, str]) -> list[TypedRecord]:
    """The tombstones of a group. `renamed`: ids under which members are in the log by now."""
    members = [renamed.get(member.id, member.id) for member in group.ordered_members()]
    by_member: Iterable[tuple[TypedRecord, ...]] = zip(*(member_tombstones(group.id, m) for m in members))
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


def group_records(group: ConsumerGroup, *, with_epochs: bool) -> list[TypedRecord]:
    """All records of a group that was a classic one."""
    members = group.ordered_members()
    return [
        *(member_record(group.id, member) for member in members),
        *([metadata_record(group.id, group.metadata)] if group.metadata else []),
        epoch_record(group.id, group.epoch, group.metadata_hash),
        *(target_record(group.id, member.id, group.target.get(member.id, {})) for member in members),
        assignment_epoch_record(group.id, group.epoch, 0),
        *(current_record(group.id, member, with_epochs=with_epochs) for member in members),
    ]


# ---- replay


def replay_into(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    """Apply a record to the group that earlier ones have built (GroupMetadataManager.replay)."""
    _REPLAY[type(key)](group, key, value)


def _replay_epoch(group: ConsumerGroup, _: Message, value: Message | None) -> None:
    assert isinstance(value, shapes.ConsumerGroupMetadataValue)
    group.epoch = value.epoch
    group.metadata_hash = value.metadata_hash


def _replay_metadata(group: ConsumerGroup, _: Message, value: Message | None) -> None:
    topics = value.topics if isinstance(value, shapes.ConsumerGroupPartitionMetadataValue) else []
    group.metadata = {
        t.topic_name: TopicMetadata(
            t.topic_id,
            t.topic_name,
            t.num_partitions,
            tuple((p.partition, frozenset(p.racks)) for p in t.partition_metadata),
        )
        for t in topics
    }


def _replay_member(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupMemberMetadataKey)
    if value is None:
        group.remove(key.member_id)
        return
    assert isinstance(value, shapes.ConsumerGroupMemberMetadataValue)
    classic = value.classic_member_metadata
    known = group.members.get(key.member_id, Member(key.member_id))
    group.put(
        known._replace(
            instance_id=value.instance_id,
            rack=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            topics=frozenset(value.subscribed_topic_names),
            regex=value.subscribed_topic_regex or "",
            assignor=value.server_assignor,
            classic=None
            if classic is None
            else ClassicMember(
                classic.session_timeout_ms, tuple((p.name, bytes(p.metadata)) for p in classic.supported_protocols)
            ),
        )
    )


def _replay_assignment_epoch(group: ConsumerGroup, _: Message, value: Message | None) -> None:
    if isinstance(value, shapes.ConsumerGroupTargetAssignmentMetadataValue):
        group.assignment_epoch = value.assignment_epoch
        group.assignment_timestamp = value.assignment_timestamp


def _replay_target(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupTargetAssignmentMemberKey)
    if value is None:
        group.target.pop(key.member_id, None)
        return
    assert isinstance(value, shapes.ConsumerGroupTargetAssignmentMemberValue)
    group.target[key.member_id] = {t.topic_id: frozenset(t.partitions) for t in value.topic_partitions}


def _replay_current(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupCurrentMemberAssignmentKey)
    member = group.members.get(key.member_id, Member(key.member_id))
    if value is None:
        if key.member_id in group.members:
            group.put(member._replace(epoch=-1, previous_epoch=-1, assigned={}, revoking={}))
        return
    assert isinstance(value, shapes.ConsumerGroupCurrentMemberAssignmentValue)
    group.put(
        member._replace(
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            state=MemberState(value.state),
            assigned=_read_owned(value.assigned_partitions, value.member_epoch),
            revoking=_read_owned(value.partitions_pending_revocation, value.member_epoch),
        )
    )


def _read_owned(rows: list[shapes.TopicPartitions], epoch: int) -> dict[bytes, dict[int, int]]:
    """What a member has. Without epochs in the record, the member's own counts."""
    return {t.topic_id: dict(zip(t.partitions, t.assignment_epochs or [epoch] * len(t.partitions))) for t in rows}


def _replay_regex(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupRegularExpressionKey)
    if value is None:
        group.regexes.pop(key.regular_expression, None)
        return
    assert isinstance(value, shapes.ConsumerGroupRegularExpressionValue)
    resolved = ResolvedRegex(frozenset(value.topics), value.version, value.timestamp)
    group.regexes[key.regular_expression] = resolved


_REPLAY: Final[dict[type[Message], Callable[[ConsumerGroup, Message, Message | None], None]]] = {
    shapes.ConsumerGroupMetadataKey: _replay_epoch,
    shapes.ConsumerGroupPartitionMetadataKey: _replay_metadata,
    shapes.ConsumerGroupMemberMetadataKey: _replay_member,
    shapes.ConsumerGroupTargetAssignmentMetadataKey: _replay_assignment_epoch,
    shapes.ConsumerGroupTargetAssignmentMemberKey: _replay_target,
    shapes.ConsumerGroupCurrentMemberAssignmentKey: _replay_current,
    shapes.ConsumerGroupRegularExpressionKey: _replay_regex,
}
