"""StreamsGroupDescribe, key 89: state, topology and members of streams groups (KIP-1071).

Behaviour: error 69 for a group of another kind; error 35 while streams groups are off. An empty group id is answered
first.
Versions: 0 - 1.
v1: the assignor; the description of the topology, when asked for (KIP-1331).
Not done: descriptions of topologies (4.4): none is ever stored, as on a broker without a plug-in for them.
"""

from collections.abc import Collection
from typing import Final

from fakekafka.coordinators.groups.streams.group import StreamsGroup, StreamsMember, TaskId, Tasks, by_subtopology
from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.handlers.streams_topologies import described_topology
from fakekafka.pieces import Stepwise, in_turn
from fakekafka.wire.apis.streams_group_describe import (
    Assignment,
    DescribedGroup,
    Endpoint,
    KeyValue,
    Member,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
    TaskIds,
)

ASSIGNOR: Final = "sticky"
NOT_STORED: Final = 1
"""There is no description of the topology (KIP-1331)."""


@stepwise
def handle(request: StreamsGroupDescribeRequest, call: Call) -> Stepwise[Result]:
    """Describe each group."""
    ordered = request.group_ids
    if call.groups.streams_groups.is_on:
        ordered = sorted(request.group_ids, key=bool)
    asked = dict.fromkeys(ordered)
    groups = dict(zip(asked, (yield from in_turn(lambda group_id: _described(call, group_id), asked))))
    for group in groups.values():
        if group.error_code == ErrorCode.NONE and request.include_authorized_operations:
            group.authorized_operations = call.profile.groups.group_operations
        if group.error_code == ErrorCode.NONE and request.include_topology_description:
            group.topology_description_status = NOT_STORED
    return StreamsGroupDescribeResponse(groups=[groups[group_id] for group_id in ordered])


def _described(call: Call, group_id: str) -> DescribedGroup:
    coordinator = call.groups
    if not coordinator.streams_groups.is_on:
        return _refused(group_id, ErrorCode.UNSUPPORTED_VERSION)
    status = coordinator.status(group_id) if group_id else ErrorCode.INVALID_GROUP_ID
    if status is not ErrorCode.NONE:
        return _refused(group_id, status)
    try:
        return _present(coordinator.streams_groups.require(group_id))
    except ApiError as refused:
        return _refused(group_id, refused.code, refused.message)


def _refused(group_id: str, error: ErrorCode, words: str | None = None) -> DescribedGroup:
    return DescribedGroup(error_code=error, error_message=words, group_id=group_id, topology=None)


def _present(group: StreamsGroup) -> DescribedGroup:
    return DescribedGroup(
        error_code=ErrorCode.NONE,
        group_id=group.id,
        group_state=group.state,
        group_epoch=group.epoch,
        assignment_epoch=group.assignment_epoch,
        topology=described_topology(group),
        members=[_member(group, member) for member in group.ordered_members()],
        assignor_name=ASSIGNOR,
    )


def _member(group: StreamsGroup, member: StreamsMember) -> Member:
    end = member.endpoint
    return Member(
        member_id=member.id,
        member_epoch=member.epoch,
        rack_id=member.rack,
        client_id=member.client_id,
        client_host=member.client_host,
        topology_epoch=member.topology_epoch,
        process_id=member.process_id,
        user_endpoint=None if end is None else Endpoint(host=end.host, port=end.port),
        client_tags=[KeyValue(key=key, value=member.tags[key]) for key in grown_map_order(member.tags)],
        task_offsets=[],
        task_end_offsets=[],
        assignment=_assignment(member.assigned.tasks),
        target_assignment=_assignment(group.target_of(member.id)),
    )


def _assignment(tasks: Tasks) -> Assignment:
    return Assignment(
        active_tasks=_task_ids(tasks.active),
        standby_tasks=_task_ids(tasks.standby),
        warmup_tasks=_task_ids(tasks.warmup),
    )


def _task_ids(tasks: Collection[TaskId]) -> list[TaskIds]:
    partitions = by_subtopology(tasks)
    return [TaskIds(subtopology_id=id, partitions=partitions[id]) for id in sorted(partitions)]
