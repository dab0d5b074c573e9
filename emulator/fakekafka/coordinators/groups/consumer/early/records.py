"""Records of consumer groups in the layouts of the early access (3.7), which have the types and versions of later ones.

They keep more about a member's assignment, so that has its own message; the others are translated on their way into the
log and out of it.
"""

from typing import Final

from fakekafka.coordinators.groups.consumer import records
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup, Early, Member, MemberState, assignment
from fakekafka.coordinators.groups.consumer.records import TYPES, current_record, partition_rows
from fakekafka.coordinators.groups.typed_records import RecordTypes, TypedRecord
from fakekafka.releases.behaviours.consumer_groups import ConsumerGroupsBehaviour
from fakekafka.wire.internal import consumer_group_records as shapes
from fakekafka.wire.internal import early_consumer_group_records as early
from fakekafka.wire.message import Message


class _EarlyRecordTypes(RecordTypes):
    def value(self, value: Message) -> bytes:
        return super().value(_early(value))

    def decoded(self, number: int, key: bytes, value: bytes | None) -> TypedRecord:
        typed_key, read = super().decoded(number, key, value)
        return typed_key, None if read is None else _later(read)


EARLY_TYPES: Final = _EarlyRecordTypes(
    TYPES.shapes
    | {
        4: (shapes.ConsumerGroupPartitionMetadataKey, early.EarlyPartitionMetadataValue),
        5: (shapes.ConsumerGroupMemberMetadataKey, early.EarlyMemberMetadataValue),
        7: (shapes.ConsumerGroupTargetAssignmentMemberKey, early.EarlyTargetAssignmentMemberValue),
        8: (shapes.ConsumerGroupCurrentMemberAssignmentKey, early.EarlyCurrentMemberAssignmentValue),
    }
)
_MEMBER_FIELDS: Final = (
    "instance_id",
    "rack_id",
    "client_id",
    "client_host",
    "subscribed_topic_names",
    "subscribed_topic_regex",
    "rebalance_timeout_ms",
    "server_assignor",
)


def _early(value: Message) -> Message:
    match value:
        case shapes.ConsumerGroupPartitionMetadataValue():
            return early.EarlyPartitionMetadataValue(topics=value.topics)
        case shapes.ConsumerGroupMemberMetadataValue():
            return early.EarlyMemberMetadataValue(**{name: getattr(value, name) for name in _MEMBER_FIELDS})
        case shapes.ConsumerGroupTargetAssignmentMemberValue():
            return early.EarlyTargetAssignmentMemberValue(topic_partitions=value.topic_partitions)
        case _:
            return value


def _later(value: Message) -> Message:
    match value:
        case early.EarlyPartitionMetadataValue():
            return shapes.ConsumerGroupPartitionMetadataValue(topics=value.topics)
        case early.EarlyMemberMetadataValue():
            return shapes.ConsumerGroupMemberMetadataValue(**{name: getattr(value, name) for name in _MEMBER_FIELDS})
        case early.EarlyTargetAssignmentMemberValue():
            return shapes.ConsumerGroupTargetAssignmentMemberValue(topic_partitions=value.topic_partitions)
        case _:
            return value


def current_record_by(rules: ConsumerGroupsBehaviour, group_id: str, member: Member) -> TypedRecord:
    """What a member has, in the layout of the release."""
    if rules.is_early:
        return _early_current_record(group_id, member)
    return current_record(group_id, member, with_epochs=rules.assignment_epochs)


def _early_current_record(group_id: str, member: Member) -> TypedRecord:
    """What a member has, what it must give up and what it waits for."""
    notes = member.early or Early()
    value = early.EarlyCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        target_member_epoch=notes.target_epoch,
        assigned_partitions=partition_rows(assignment(member.assigned)),
        partitions_pending_revocation=partition_rows(assignment(member.revoking)),
        partitions_pending_assignment=partition_rows(notes.pending),
    )
    return shapes.ConsumerGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.id), value


def replay_into(group: ConsumerGroup, key: Message, value: Message | None) -> None:
    """Apply a record of any layout to the group that earlier ones have built."""
    if isinstance(value, early.EarlyCurrentMemberAssignmentValue):
        assert isinstance(key, shapes.ConsumerGroupCurrentMemberAssignmentKey)
        group.put(with_early_current(group.members.get(key.member_id, Member(key.member_id)), value))
    else:
        records.replay_into(group, key, value)


def with_early_current(member: Member, value: early.EarlyCurrentMemberAssignmentValue) -> Member:
    """The member as such a record describes it."""
    owned = [
        {row.topic_id: dict.fromkeys(row.partitions, value.member_epoch) for row in rows}
        for rows in (value.assigned_partitions, value.partitions_pending_revocation)
    ]
    pending = {row.topic_id: frozenset(row.partitions) for row in value.partitions_pending_assignment}
    return member._replace(
        epoch=value.member_epoch,
        previous_epoch=value.previous_member_epoch,
        state=early_state(bool(owned[1]), bool(pending)),
        assigned=owned[0],
        revoking=owned[1],
        early=Early(value.target_member_epoch, pending),
    )


def early_state(revokes: bool, waits: bool) -> MemberState:
    """A member's state, which follows from what it must give up and what it waits for."""
    if revokes:
        return MemberState.UNREVOKED_PARTITIONS
    return MemberState.UNRELEASED_PARTITIONS if waits else MemberState.STABLE
