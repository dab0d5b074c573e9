"""What the records of share groups make of them (ShareGroup, GroupMetadataManager.replay)."""

from collections.abc import Iterable, Mapping

from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.share.records import ShareRecord
from fakekafka.ids import PartitionIndex, Uuid
from fakekafka.wire.internal import share_group_records as shapes


def replay(groups: dict[str, ShareGroup], first_epoch: int, record: ShareRecord) -> None:
    """Let one record count."""
    key, value = record
    group_id: str = key.group_id  # type: ignore[attr-defined]  # every key of these has one
    if isinstance(key, shapes.ShareGroupMetadataKey) and value is None:
        gone = groups.pop(group_id, None)
        if gone is not None:
            gone.stop_timers()
        return
    group = groups.get(group_id)
    if group is None:
        if value is None:
            return
        group = groups[group_id] = ShareGroup(group_id, first_epoch)
    match key:
        case shapes.ShareGroupMetadataKey():
            assert isinstance(value, shapes.ShareGroupMetadataValue)
            group.epoch, group.metadata_hash = value.epoch, value.metadata_hash
        case shapes.ShareGroupTargetAssignmentMetadataKey():
            _assignment_epoch(group, value)
        case shapes.ShareGroupStatePartitionMetadataKey():
            group.topics = _topics(value)
        case _:
            _of_member(group, record)


def _of_member(group: ShareGroup, record: ShareRecord) -> None:
    key, value = record
    member_id: str = key.member_id  # type: ignore[attr-defined]  # the same
    match value:
        case None:
            _tombstone(group, record, member_id)
        case shapes.ShareGroupMemberMetadataValue():
            old = group.members.get(member_id, ShareMember(member_id))
            group.members[member_id] = old._replace(
                rack=value.rack_id,
                client_id=value.client_id,
                client_host=value.client_host,
                topics=frozenset(value.subscribed_topic_names),
            )
        case shapes.ShareGroupTargetAssignmentMemberValue():
            group.target[member_id] = {t.topic_id: frozenset(t.partitions) for t in value.topic_partitions}
        case shapes.ShareGroupCurrentMemberAssignmentValue():
            old = group.members.get(member_id, ShareMember(member_id))
            group.members[member_id] = old._replace(
                epoch=value.member_epoch,
                previous_epoch=value.previous_member_epoch,
                assigned={t.topic_id: frozenset(t.partitions) for t in value.assigned_partitions},
            )


def _tombstone(group: ShareGroup, record: ShareRecord, member_id: str) -> None:
    if isinstance(record[0], shapes.ShareGroupMemberMetadataKey):
        group.members.pop(member_id, None)
        group.stop_timer(member_id)
    elif isinstance(record[0], shapes.ShareGroupTargetAssignmentMemberKey):
        group.target.pop(member_id, None)


def _assignment_epoch(group: ShareGroup, value: object) -> None:
    if value is None:
        group.assignment_epoch = -1
        return
    assert isinstance(value, shapes.ShareGroupTargetAssignmentMetadataValue)
    group.assignment_epoch = value.assignment_epoch
    group.assignment_timestamp = value.assignment_timestamp


def _topics(value: object) -> StatedTopics:
    if value is None:
        return StatedTopics()
    assert isinstance(value, shapes.ShareGroupStatePartitionMetadataValue)
    return StatedTopics(
        _stated((t.topic_id, t.topic_name, t.partitions) for t in value.initializing_topics),
        _stated((t.topic_id, t.topic_name, t.partitions) for t in value.initialized_topics),
        {t.topic_id: t.topic_name for t in value.deleting_topics},
    )


def _stated(rows: Iterable[tuple[Uuid, str, list[PartitionIndex]]]) -> Mapping[Uuid, Stated]:
    return {topic: Stated(name, frozenset(partitions)) for topic, name, partitions in rows}
