"""What the records of streams groups make of them (GroupMetadataManager.replay)."""

from collections.abc import Iterable

from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import Endpoint, MemberState, Owned, StreamsMember, TaskId, Tasks
from fakekafka.coordinators.groups.streams.records import Rows, StreamsRecord, group_of
from fakekafka.wire.internal import streams_group_records as shapes


def replay(groups: dict[str, StreamsGroup], first_epoch: int, record: StreamsRecord) -> None:
    """Let one record count."""
    key, value = record
    group_id = group_of(record)
    if isinstance(key, shapes.StreamsGroupMetadataKey) and value is None:
        gone = groups.pop(group_id, None)
        if gone is not None:
            gone.stop_timers()
        return
    group = groups.get(group_id)
    if group is None:
        if value is None:
            return
        group = groups[group_id] = StreamsGroup(group_id, first_epoch)
    match key:
        case shapes.StreamsGroupMetadataKey():
            assert isinstance(value, shapes.StreamsGroupMetadataValue)
            _epoch(group, value)
        case shapes.StreamsGroupTargetAssignmentMetadataKey():
            _assignment_epoch(group, value)
        case shapes.StreamsGroupTopologyKey():
            assert value is None or isinstance(value, shapes.StreamsGroupTopologyValue)
            group.topology = value
        case _:
            _of_member(group, record)


def _epoch(group: StreamsGroup, value: shapes.StreamsGroupMetadataValue) -> None:
    group.epoch, group.metadata_hash = value.epoch, value.metadata_hash
    group.validated_topology_epoch = value.validated_topology_epoch
    group.configs = {config.key: config.value for config in value.last_assignment_configs or ()}


def _assignment_epoch(group: StreamsGroup, value: object) -> None:
    if value is None:
        group.assignment_epoch, group.assignment_timestamp = -1, 0
        return
    assert isinstance(value, shapes.StreamsGroupTargetAssignmentMetadataValue)
    group.assignment_epoch, group.assignment_timestamp = value.assignment_epoch, value.assignment_timestamp


def _of_member(group: StreamsGroup, record: StreamsRecord) -> None:
    key, value = record
    member_id: str = key.member_id  # type: ignore[attr-defined]  # every key of these has one
    old = group.members.get(member_id, StreamsMember(member_id))
    match value:
        case None:
            _tombstone(group, record, member_id)
        case shapes.StreamsGroupMemberMetadataValue():
            group.put(_described(old, value))
        case shapes.StreamsGroupTargetAssignmentMemberValue():
            parts = (value.active_tasks, value.standby_tasks, value.warmup_tasks)
            group.target[member_id] = Tasks(*map(_tasks, parts))
        case shapes.StreamsGroupCurrentMemberAssignmentValue():
            group.put(_placed(old, value))


def _tombstone(group: StreamsGroup, record: StreamsRecord, member_id: str) -> None:
    if isinstance(record[0], shapes.StreamsGroupMemberMetadataKey):
        group.remove(member_id)
        group.stop_timer("session", member_id)
        group.stop_timer("rebalance", member_id)
    elif isinstance(record[0], shapes.StreamsGroupTargetAssignmentMemberKey):
        group.target.pop(member_id, None)


def _described(old: StreamsMember, value: shapes.StreamsGroupMemberMetadataValue) -> StreamsMember:
    end = value.user_endpoint
    return old._replace(
        rack=value.rack_id,
        client_id=value.client_id,
        client_host=value.client_host,
        rebalance_timeout_ms=value.rebalance_timeout_ms,
        topology_epoch=value.topology_epoch,
        process_id=value.process_id,
        endpoint=None if end is None else Endpoint(end.host, end.port),
        tags={tag.key: tag.value for tag in value.client_tags},
    )


def _placed(old: StreamsMember, value: shapes.StreamsGroupCurrentMemberAssignmentValue) -> StreamsMember:
    epoch = value.member_epoch
    return old._replace(
        epoch=epoch,
        previous_epoch=value.previous_member_epoch,
        state=MemberState(value.state),
        assigned=_owned(value.active_tasks, value.standby_tasks, value.warmup_tasks, epoch),
        revoking=_owned(
            value.active_tasks_pending_revocation,
            value.standby_tasks_pending_revocation,
            value.warmup_tasks_pending_revocation,
            epoch,
        ),
    )


def _owned(active: Rows, standby: Rows, warmup: Rows, epoch: int) -> Owned:
    """`epoch`: since when a member has the tasks for which the record does not say it."""
    since: dict[TaskId, int] = {}
    for row in active:
        epochs = row.assignment_epochs
        if epochs is None or len(epochs) != len(row.partitions):
            epochs = [epoch] * len(row.partitions)
        since.update({(row.subtopology_id, p): e for p, e in zip(row.partitions, epochs)})
    return Owned(since, _tasks(standby), _tasks(warmup))


def _tasks(
    rows: Iterable[shapes.TaskIds | shapes.StreamsGroupCurrentMemberAssignmentValueTaskIds],
) -> frozenset[TaskId]:
    return frozenset((row.subtopology_id, partition) for row in rows for partition in row.partitions)
