"""The records of streams groups in `__consumer_offsets` (streams.StreamsCoordinatorRecordHelpers), and
what each one changes (GroupMetadataManager.replay).

A record is a pair of messages; the value of a tombstone is None. Lists of tasks are sorted.
"""

from collections.abc import Collection, Iterable
from typing import Final, TypeAlias

from fakekafka.coordinators.groups.streams.group import (
    AssignmentConfigs,
    Endpoint,
    MemberState,
    Owned,
    StreamsGroup,
    StreamsMember,
    TaskId,
    Tasks,
    by_subtopology,
)
from fakekafka.coordinators.groups.typed_records import RecordTypes, TypedRecord
from fakekafka.ids import TimestampMs
from fakekafka.wire.internal import streams_group_records as shapes
from fakekafka.wire.message import Message

Rows: TypeAlias = list[shapes.StreamsGroupCurrentMemberAssignmentValueTaskIds]

TYPES: Final = RecordTypes(
    {
        17: (shapes.StreamsGroupMetadataKey, shapes.StreamsGroupMetadataValue),
        19: (shapes.StreamsGroupMemberMetadataKey, shapes.StreamsGroupMemberMetadataValue),
        20: (shapes.StreamsGroupTargetAssignmentMetadataKey, shapes.StreamsGroupTargetAssignmentMetadataValue),
        21: (shapes.StreamsGroupTargetAssignmentMemberKey, shapes.StreamsGroupTargetAssignmentMemberValue),
        22: (shapes.StreamsGroupCurrentMemberAssignmentKey, shapes.StreamsGroupCurrentMemberAssignmentValue),
        23: (shapes.StreamsGroupTopologyKey, shapes.StreamsGroupTopologyValue),
    }
)


# ---- members


def member_record(group_id: str, member: StreamsMember) -> TypedRecord:
    """What a member said about itself."""
    end = member.endpoint
    value = shapes.StreamsGroupMemberMetadataValue(
        instance_id=None,
        rack_id=member.rack,
        client_id=member.client_id,
        client_host=member.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        topology_epoch=member.topology_epoch,
        process_id=member.process_id,
        user_endpoint=None if end is None else shapes.Endpoint(host=end.host, port=end.port),
        client_tags=[shapes.KeyValue(key=key, value=tag) for key, tag in sorted(member.tags.items())],
    )
    return shapes.StreamsGroupMemberMetadataKey(group_id=group_id, member_id=member.id), value


def target_record(group_id: str, member_id: str, target: Tasks) -> TypedRecord:
    """The target of a member."""
    active, standby, warmup = map(_task_ids, target)
    key = shapes.StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.StreamsGroupTargetAssignmentMemberValue(
        active_tasks=active, standby_tasks=standby, warmup_tasks=warmup
    )


def _task_ids(tasks: Collection[TaskId]) -> list[shapes.TaskIds]:
    rows = by_subtopology(tasks).items()
    return [shapes.TaskIds(subtopology_id=id, partitions=partitions) for id, partitions in rows]


def current_record(group_id: str, member: StreamsMember) -> TypedRecord:
    """What a member has."""
    has, revokes = _owned(member.assigned), _owned(member.revoking)
    key = shapes.StreamsGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member.id)
    return key, shapes.StreamsGroupCurrentMemberAssignmentValue(
        member_epoch=member.epoch,
        previous_member_epoch=member.previous_epoch,
        state=member.state,
        active_tasks=has[0],
        standby_tasks=has[1],
        warmup_tasks=has[2],
        active_tasks_pending_revocation=revokes[0],
        standby_tasks_pending_revocation=revokes[1],
        warmup_tasks_pending_revocation=revokes[2],
    )


def _owned(owned: Owned) -> tuple[Rows, Rows, Rows]:
    row = shapes.StreamsGroupCurrentMemberAssignmentValueTaskIds
    active = [
        row(subtopology_id=id, partitions=indexes, assignment_epochs=[owned.active[id, p] for p in indexes])
        for id, indexes in by_subtopology(owned.active).items()
    ]
    standby, warmup = (
        [row(subtopology_id=id, partitions=indexes) for id, indexes in by_subtopology(part).items()]
        for part in owned[1:]
    )
    return active, standby, warmup


def member_tombstones(group_id: str, member_id: str) -> list[TypedRecord]:
    """The tombstones of a member."""
    return [
        (shapes.StreamsGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.StreamsGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(
    group_id: str, epoch: int, metadata_hash: int, validated_epoch: int, configs: AssignmentConfigs
) -> TypedRecord:
    """The record of a new group epoch. `validated_epoch`: the epoch of the topology, -1 while something is missing for
    it.
    """
    value = shapes.StreamsGroupMetadataValue(
        epoch=epoch,
        metadata_hash=metadata_hash,
        validated_topology_epoch=validated_epoch,
        last_assignment_configs=[
            shapes.LastAssignmentConfig(key=name, value=text) for name, text in sorted(configs.items())
        ],
    )
    return shapes.StreamsGroupMetadataKey(group_id=group_id), value


def topology_record(group_id: str, topology: shapes.StreamsGroupTopologyValue) -> TypedRecord:
    """The record of the group's topology."""
    return shapes.StreamsGroupTopologyKey(group_id=group_id), topology


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> TypedRecord:
    """The record of a target assignment for an epoch. `timestamp`: 0 if the release does not keep it."""
    value = shapes.StreamsGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return shapes.StreamsGroupTargetAssignmentMetadataKey(group_id=group_id), value


def group_tombstones(group: StreamsGroup) -> list[TypedRecord]:
    """The tombstones of an empty group."""
    return [
        (shapes.StreamsGroupTargetAssignmentMetadataKey(group_id=group.id), None),
        (shapes.StreamsGroupMetadataKey(group_id=group.id), None),
        (shapes.StreamsGroupTopologyKey(group_id=group.id), None),
    ]


# ---- replay


def replay_into(group: StreamsGroup, key: Message, value: Message | None) -> None:
    """Apply a record to the group that earlier ones have built."""
    match key:
        case shapes.StreamsGroupMetadataKey():
            assert isinstance(value, shapes.StreamsGroupMetadataValue)
            _replay_epoch(group, value)
        case shapes.StreamsGroupTargetAssignmentMetadataKey():
            _replay_assignment_epoch(group, value)
        case shapes.StreamsGroupTopologyKey():
            assert value is None or isinstance(value, shapes.StreamsGroupTopologyValue)
            group.topology = value
        case _:
            _replay_member(group, key, value)


def _replay_epoch(group: StreamsGroup, value: shapes.StreamsGroupMetadataValue) -> None:
    group.epoch, group.metadata_hash = value.epoch, value.metadata_hash
    group.validated_topology_epoch = value.validated_topology_epoch
    group.configs = {config.key: config.value for config in value.last_assignment_configs or ()}


def _replay_assignment_epoch(group: StreamsGroup, value: object) -> None:
    if value is None:
        group.assignment_epoch, group.assignment_timestamp = -1, 0
        return
    assert isinstance(value, shapes.StreamsGroupTargetAssignmentMetadataValue)
    group.assignment_epoch, group.assignment_timestamp = value.assignment_epoch, value.assignment_timestamp


def _replay_member(group: StreamsGroup, key: Message, value: Message | None) -> None:
    member_id: str = key.member_id  # type: ignore[attr-defined]  # all others have one
    old = group.members.get(member_id, StreamsMember(member_id))
    match value:
        case None:
            _bury(group, key, member_id)
        case shapes.StreamsGroupMemberMetadataValue():
            group.put(_described(old, value))
        case shapes.StreamsGroupTargetAssignmentMemberValue():
            parts = (value.active_tasks, value.standby_tasks, value.warmup_tasks)
            group.target[member_id] = Tasks(*map(_tasks, parts))
        case shapes.StreamsGroupCurrentMemberAssignmentValue():
            group.put(_placed(old, value))


def _bury(group: StreamsGroup, key: Message, member_id: str) -> None:
    if isinstance(key, shapes.StreamsGroupMemberMetadataKey):
        group.remove(member_id)
    elif isinstance(key, shapes.StreamsGroupTargetAssignmentMemberKey):
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
        assigned=_read_owned(value.active_tasks, value.standby_tasks, value.warmup_tasks, epoch),
        revoking=_read_owned(
            value.active_tasks_pending_revocation,
            value.standby_tasks_pending_revocation,
            value.warmup_tasks_pending_revocation,
            epoch,
        ),
    )


def _read_owned(active: Rows, standby: Rows, warmup: Rows, epoch: int) -> Owned:
    """The tasks that a member has. `epoch`: since when it has those for which the record does not say."""
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
