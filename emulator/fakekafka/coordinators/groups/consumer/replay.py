"""What a record does to the groups: the one way in which their state changes, at run time and when a log is read
(GroupMetadataManager.replay).
"""

from collections.abc import Callable
from typing import Final, TypeAlias, TypeVar

from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, ResolvedRegex, TopicMetadata
from fakekafka.coordinators.groups.consumer.member import ClassicMember, Member, MemberState
from fakekafka.coordinators.groups.consumer.records import CoordinatorRecord, group_of
from fakekafka.wire.internal import consumer_group_records as shapes
from fakekafka.wire.message import Message

V = TypeVar("V", bound=Message)
Groups: TypeAlias = dict[str, ConsumerGroup]


def replay(groups: Groups, first_epoch: int, record: CoordinatorRecord) -> None:
    """Let a record count. A tombstone of a group that is not there does nothing."""
    key, value = record
    if isinstance(key, bytes) or isinstance(value, bytes):
        return  # about a classic group: that is done elsewhere
    group_id = group_of(record)
    group = groups.get(group_id)
    if isinstance(key, shapes.ConsumerGroupMetadataKey) and value is None:
        groups.pop(group_id, None)
        return
    if group is None:
        if value is None:
            return
        group = groups[group_id] = ConsumerGroup(group_id, first_epoch)
    _APPLY[type(key)](group, key, value)


def _epoch(group: ConsumerGroup, _: Message, value: Message | None) -> None:
    assert isinstance(value, shapes.ConsumerGroupMetadataValue)
    group.epoch = value.epoch
    group.metadata_hash = value.metadata_hash


def _metadata(group: ConsumerGroup, _: Message, value: Message | None) -> None:
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


def _member(group: ConsumerGroup, key: Message, value: Message | None) -> None:
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


def _assignment_epoch(group: ConsumerGroup, _: Message, value: Message | None) -> None:
    if isinstance(value, shapes.ConsumerGroupTargetAssignmentMetadataValue):
        group.assignment_epoch = value.assignment_epoch
        group.assignment_timestamp = value.assignment_timestamp


def _target(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupTargetAssignmentMemberKey)
    if value is None:
        group.target.pop(key.member_id, None)
        return
    assert isinstance(value, shapes.ConsumerGroupTargetAssignmentMemberValue)
    group.target[key.member_id] = {t.topic_id: frozenset(t.partitions) for t in value.topic_partitions}


def _current(group: ConsumerGroup, key: Message, value: Message | None) -> None:
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
            assigned=_owned(value.assigned_partitions, value.member_epoch),
            revoking=_owned(value.partitions_pending_revocation, value.member_epoch),
        )
    )


def _owned(rows: list[shapes.TopicPartitions], epoch: int) -> dict[bytes, dict[int, int]]:
    """Releases that write no epochs leave that of the member."""
    return {t.topic_id: dict(zip(t.partitions, t.assignment_epochs or [epoch] * len(t.partitions))) for t in rows}


def _regex(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    assert isinstance(key, shapes.ConsumerGroupRegularExpressionKey)
    if value is None:
        group.regexes.pop(key.regular_expression, None)
        return
    assert isinstance(value, shapes.ConsumerGroupRegularExpressionValue)
    resolved = ResolvedRegex(frozenset(value.topics), value.version, value.timestamp)
    group.regexes[key.regular_expression] = resolved


_APPLY: Final[dict[type[Message], Callable[[ConsumerGroup, Message, Message | None], None]]] = {
    shapes.ConsumerGroupMetadataKey: _epoch,
    shapes.ConsumerGroupPartitionMetadataKey: _metadata,
    shapes.ConsumerGroupMemberMetadataKey: _member,
    shapes.ConsumerGroupTargetAssignmentMetadataKey: _assignment_epoch,
    shapes.ConsumerGroupTargetAssignmentMemberKey: _target,
    shapes.ConsumerGroupCurrentMemberAssignmentKey: _current,
    shapes.ConsumerGroupRegularExpressionKey: _regex,
}
