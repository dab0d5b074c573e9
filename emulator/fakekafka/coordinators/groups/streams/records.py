"""The records of streams groups in `__consumer_offsets` (streams.StreamsCoordinatorRecordHelpers).

A record is a pair of messages, the value None for a tombstone. Lists of tasks are sorted.
"""

from collections.abc import Collection, Mapping
from typing import Final, TypeAlias

from fakekafka.coordinators.groups.streams.group import AssignmentConfigs, StreamsGroup
from fakekafka.coordinators.groups.streams.member import Owned, StreamsMember, TaskId, Tasks, by_subtopology
from fakekafka.coordinators.groups.typed_records import Shapes, TypedRecord, from_bytes, to_bytes, types_of
from fakekafka.ids import TimestampMs
from fakekafka.wire.internal import streams_group_records as shapes

StreamsRecord: TypeAlias = TypedRecord
Rows: TypeAlias = list[shapes.StreamsGroupCurrentMemberAssignmentValueTaskIds]

KINDS: Final[Mapping[int, Shapes]] = {
    17: (shapes.StreamsGroupMetadataKey, shapes.StreamsGroupMetadataValue),
    19: (shapes.StreamsGroupMemberMetadataKey, shapes.StreamsGroupMemberMetadataValue),
    20: (shapes.StreamsGroupTargetAssignmentMetadataKey, shapes.StreamsGroupTargetAssignmentMetadataValue),
    21: (shapes.StreamsGroupTargetAssignmentMemberKey, shapes.StreamsGroupTargetAssignmentMemberValue),
    22: (shapes.StreamsGroupCurrentMemberAssignmentKey, shapes.StreamsGroupCurrentMemberAssignmentValue),
    23: (shapes.StreamsGroupTopologyKey, shapes.StreamsGroupTopologyValue),
}
_TYPES: Final = types_of(KINDS)


def encoded(record: StreamsRecord) -> tuple[bytes, bytes | None]:
    """A record's key and value as they lie in the log."""
    return to_bytes(_TYPES, record)


def decoded(kind: int, key: bytes, value: bytes | None) -> StreamsRecord:
    """A record of one of `KINDS`. Raises `MalformedBytes`."""
    return from_bytes(KINDS, kind, key, value)


def group_of(record: StreamsRecord) -> str:
    """The id of the group that a record is about."""
    group_id: str = record[0].group_id  # type: ignore[attr-defined]  # every key of these has one
    return group_id


# ---- members


def member_record(group_id: str, member: StreamsMember) -> StreamsRecord:
    """What a member said of itself."""
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


def target_record(group_id: str, member_id: str, target: Tasks) -> StreamsRecord:
    """What a member is to have."""
    active, standby, warmup = map(_task_ids, target)
    key = shapes.StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id)
    return key, shapes.StreamsGroupTargetAssignmentMemberValue(
        active_tasks=active, standby_tasks=standby, warmup_tasks=warmup
    )


def _task_ids(tasks: Collection[TaskId]) -> list[shapes.TaskIds]:
    rows = by_subtopology(tasks).items()
    return [shapes.TaskIds(subtopology_id=id, partitions=partitions) for id, partitions in rows]


def current_record(group_id: str, member: StreamsMember) -> StreamsRecord:
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
        row(subtopology_id=id, partitions=found, assignment_epochs=[owned.active[id, p] for p in found])
        for id, found in by_subtopology(owned.active).items()
    ]
    standby, warmup = (
        [row(subtopology_id=id, partitions=found) for id, found in by_subtopology(part).items()] for part in owned[1:]
    )
    return active, standby, warmup


def member_tombstones(group_id: str, member_id: str) -> list[StreamsRecord]:
    """A member is gone."""
    return [
        (shapes.StreamsGroupCurrentMemberAssignmentKey(group_id=group_id, member_id=member_id), None),
        (shapes.StreamsGroupTargetAssignmentMemberKey(group_id=group_id, member_id=member_id), None),
        (shapes.StreamsGroupMemberMetadataKey(group_id=group_id, member_id=member_id), None),
    ]


# ---- the group


def epoch_record(
    group_id: str, epoch: int, metadata_hash: int, validated_epoch: int, configs: AssignmentConfigs
) -> StreamsRecord:
    """The group has another epoch. `validated_epoch`: of the topology, -1 while something is missing for it."""
    value = shapes.StreamsGroupMetadataValue(
        epoch=epoch,
        metadata_hash=metadata_hash,
        validated_topology_epoch=validated_epoch,
        last_assignment_configs=[
            shapes.LastAssignmentConfig(key=name, value=text) for name, text in sorted(configs.items())
        ],
    )
    return shapes.StreamsGroupMetadataKey(group_id=group_id), value


def topology_record(group_id: str, topology: shapes.StreamsGroupTopologyValue) -> StreamsRecord:
    """The group has a topology."""
    return shapes.StreamsGroupTopologyKey(group_id=group_id), topology


def assignment_epoch_record(group_id: str, epoch: int, timestamp: TimestampMs) -> StreamsRecord:
    """There is a target assignment for an epoch. `timestamp`: 0 where the release does not keep it."""
    value = shapes.StreamsGroupTargetAssignmentMetadataValue(assignment_epoch=epoch, assignment_timestamp=timestamp)
    return shapes.StreamsGroupTargetAssignmentMetadataKey(group_id=group_id), value


def group_tombstones(group: StreamsGroup) -> list[StreamsRecord]:
    """An empty group is gone."""
    return [
        (shapes.StreamsGroupTargetAssignmentMetadataKey(group_id=group.id), None),
        (shapes.StreamsGroupMetadataKey(group_id=group.id), None),
        (shapes.StreamsGroupTopologyKey(group_id=group.id), None),
    ]
