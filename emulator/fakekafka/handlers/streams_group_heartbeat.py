"""StreamsGroupHeartbeat, key 88: everything that a member of a streams group does (KIP-1071).

Behaviour: `coordinators.groups.streams`; error 35 while streams groups are off. Missing internal topics are created
once the answer is made. Features that no release has yet are refused with 42: static members, warm-up tasks, offsets of
tasks, source topics by pattern; a different topology for a group that has one.
Versions: 0 - 1.
v1: a wider field for the acceptable recovery lag, which is not filled in; the broker may ask for a description of the
topology (KIP-1331).
Not done: the early access of 4.1: error 35; what the branch of 4.4 adds, which behaves as 4.3 here: static members,
warm-up tasks, descriptions of topologies.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.coordinators.groups.streams.endpoints import EndpointPartitions, Partitions
from fakekafka.coordinators.groups.streams.group import AWAY, LEFT, TaskId, Tasks, by_subtopology
from fakekafka.coordinators.groups.streams.group import Endpoint as EndpointOfMember
from fakekafka.coordinators.groups.streams.groups import leave
from fakekafka.coordinators.groups.streams.heartbeat import StreamsHeartbeat, heartbeat
from fakekafka.coordinators.groups.streams.topology.configured import MISSING_INTERNAL_TOPICS
from fakekafka.coordinators.groups.streams.topology.configured import Status as MemberStatus
from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.streams_topologies import check_topics, topology_of
from fakekafka.ids import DurationMs, TopicName
from fakekafka.security.acl import Operation, ResourceType
from fakekafka.wire.apis.streams_group_heartbeat import (
    Endpoint,
    EndpointToPartitions,
    KeyValue,
    Status,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    TaskIds,
    TopicPartition,
)

UNCHANGED: Final = -1


def handle(request: StreamsGroupHeartbeatRequest, call: Call) -> StreamsGroupHeartbeatResponse:
    """Carry out the heartbeat."""
    groups = call.groups.streams_groups
    if not groups.is_on:
        return _refused(ErrorCode.UNSUPPORTED_VERSION)
    try:
        check_topics(request.topology, call)
        _check_features(request)
        _check(request)
        status = call.groups.status(request.group_id)
        if status is not ErrorCode.NONE:
            return _refused(status)
        if request.member_epoch == LEFT:
            leave(groups, request.group_id, request.member_id, shutdown=request.shutdown_application)
            return _left(request)
        return _answered(request, call)
    except ApiError as refused:
        return _refused(refused.code, refused.message)


def _refused(error: ErrorCode, words: str | None = None) -> StreamsGroupHeartbeatResponse:
    return StreamsGroupHeartbeatResponse(error_code=error, error_message=words, status=[])


def _left(request: StreamsGroupHeartbeatRequest) -> StreamsGroupHeartbeatResponse:
    return StreamsGroupHeartbeatResponse(
        error_code=ErrorCode.NONE, member_id=request.member_id, member_epoch=request.member_epoch, status=[]
    )


def _answered(request: StreamsGroupHeartbeatRequest, call: Call) -> StreamsGroupHeartbeatResponse:
    groups = call.groups.streams_groups
    result = heartbeat(groups, _asked(request, call))
    statuses = groups.internal_topics.with_failures(result.statuses, result.to_create)
    if forbidden := _forbidden(result.to_create, call):
        statuses = [_with_forbidden(status, forbidden) for status in statuses]
    else:
        groups.internal_topics.create(result.to_create, call.client_id, _failures_kept_ms(request, call))
    active, standby, warmup = result.tasks or (None, None, None)
    return StreamsGroupHeartbeatResponse(
        error_code=ErrorCode.NONE,
        member_id=request.member_id,
        member_epoch=result.epoch,
        heartbeat_interval_ms=result.interval_ms,
        status=[Status(status_code=status.code, status_detail=status.words) for status in statuses],
        active_tasks=_task_ids(active),
        standby_tasks=_task_ids(standby),
        warmup_tasks=_task_ids(warmup),
        endpoint_information_epoch=result.endpoint_epoch,
        partitions_by_user_endpoint=None if result.endpoints is None else [_served(one) for one in result.endpoints],
    )


def _forbidden(topics: Sequence[NewTopic], call: Call) -> list[TopicName]:
    """The internal topics that the client may not create. If there are any, none is created."""
    if not topics or call.would_allow_on_cluster(Operation.CREATE):
        return []
    names = [topic.name for topic in topics]
    return [name for name in names if not call.authorized(Operation.CREATE, ResourceType.TOPIC, name)]


def _with_forbidden(status: MemberStatus, topics: Sequence[TopicName]) -> MemberStatus:
    if status.code != MISSING_INTERNAL_TOPICS:
        return status
    return status._replace(words=f"{status.words}; Unauthorized to CREATE on topics {', '.join(topics)}.")


def _failures_kept_ms(request: StreamsGroupHeartbeatRequest, call: Call) -> DurationMs:
    """How long members are told that an internal topic could not be created: two heartbeats."""
    return 2 * call.groups.streams_groups.setting(request.group_id, "heartbeat.interval.ms")


def _task_ids(tasks: Iterable[TaskId] | None) -> list[TaskIds] | None:
    """Tasks in the order of the broker's map."""
    if tasks is None:
        return None
    partitions = by_subtopology(frozenset(tasks))
    return [TaskIds(subtopology_id=id, partitions=partitions[id]) for id in grown_map_order(partitions)]


def _served(one: EndpointPartitions) -> EndpointToPartitions:
    return EndpointToPartitions(
        user_endpoint=Endpoint(host=one.endpoint.host, port=one.endpoint.port),
        active_partitions=_partitions(one.active),
        standby_partitions=_partitions(one.standby),
    )


def _partitions(rows: Partitions) -> list[TopicPartition]:
    return [TopicPartition(topic=name, partitions=partitions) for name, partitions in rows]


# ---- what is asked


def _asked(request: StreamsGroupHeartbeatRequest, call: Call) -> StreamsHeartbeat:
    timeout, end = request.rebalance_timeout_ms, request.user_endpoint
    return StreamsHeartbeat(
        group_id=request.group_id,
        member_id=request.member_id,
        epoch=request.member_epoch,
        client_id=call.client_id or "",
        client_host=f"/{call.client_host}",
        rack=request.rack_id,
        rebalance_timeout_ms=None if timeout == UNCHANGED else timeout,
        topology=None if request.topology is None else topology_of(request.topology),
        owned=_owned(request),
        process_id=request.process_id,
        endpoint=None if end is None else EndpointOfMember(end.host, end.port),
        tags=_tags(request.client_tags),
        shutdown=request.shutdown_application,
        endpoint_epoch=request.endpoint_information_epoch,
    )


def _owned(request: StreamsGroupHeartbeatRequest) -> Tasks | None:
    """The tasks that a member claims to have; None if it does not say."""
    if request.active_tasks is None or request.standby_tasks is None or request.warmup_tasks is None:
        return None
    return Tasks(*map(_tasks, (request.active_tasks, request.standby_tasks, request.warmup_tasks)))


def _tasks(rows: Sequence[TaskIds]) -> frozenset[TaskId]:
    return frozenset((row.subtopology_id, partition) for row in rows for partition in row.partitions)


def _tags(rows: Sequence[KeyValue] | None) -> Mapping[str, str] | None:
    """The client's tags. Raises `ApiError` -1 for a duplicate tag."""
    if rows is None:
        return None
    tags = {row.key: row.value for row in rows}
    if len(tags) < len(rows):
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
    return tags


# ---- what is refused


def _check_features(request: StreamsGroupHeartbeatRequest) -> None:
    """Check the features. Raises `ApiError` 42 (throwIfStreamsGroupHeartbeatRequestIsUsingUnsupportedFeatures)."""
    topology = request.topology
    patterns = topology is not None and any(part.source_topic_regex for part in topology.subtopologies)
    for is_used, words in (
        (request.instance_id is not None, "Static membership is not yet supported."),
        (request.task_offsets is not None, "TaskOffsets are not supported yet."),
        (request.task_end_offsets is not None, "TaskEndOffsets are not supported yet."),
        (bool(request.warmup_tasks), "WarmupTasks are not supported yet."),
        (patterns, "Regular expressions for source topics are not supported yet."),
    ):
        _refuse_if(is_used, words)


def _check(request: StreamsGroupHeartbeatRequest) -> None:
    """Check the request. Raises `ApiError` 42 or 130
    (GroupCoordinatorService.throwIfStreamsGroupHeartbeatRequestIsInvalid).
    """
    epoch = request.member_epoch
    kinds = (request.active_tasks, request.standby_tasks, request.warmup_tasks)
    _refuse_if(not request.member_id, "MemberId can't be empty.")
    _refuse_if(not request.group_id, "GroupId can't be empty.")
    _refuse_if(request.rack_id == "", "RackId can't be empty.")
    if epoch == 0:
        _check_joining(request)
    _refuse_if(epoch == AWAY, "InstanceId can't be null.")
    _refuse_if(epoch < AWAY, f"MemberEpoch is {epoch}, but must be greater than or equal to {AWAY}.")
    _refuse_if(None in kinds and kinds != (None, None, None), "If one task-type is non-null, all must be non-null.")
    _refuse_if(epoch != 0 and request.topology is not None, "Topology can only be provided when (re-)joining.")


def _check_joining(request: StreamsGroupHeartbeatRequest) -> None:
    _refuse_if(request.rebalance_timeout_ms == UNCHANGED, "RebalanceTimeoutMs must be provided in first request.")
    _refuse_if(request.active_tasks != [], "ActiveTasks must be empty when (re-)joining.")
    _refuse_if(request.standby_tasks != [], "StandbyTasks must be empty when (re-)joining.")
    _refuse_if(request.warmup_tasks != [], "WarmupTasks must be empty when (re-)joining.")
    _refuse_if(request.topology is None, "Topology must be non-null when (re-)joining.")
    for part in request.topology.subtopologies if request.topology is not None else ():
        for topic in part.state_changelog_topics:
            if topic.partitions != 0:
                words = (
                    f"Changelog topic {topic.name} must have an undefined partition count, but it is set to"
                    f" {topic.partitions}."
                )
                raise ApiError(ErrorCode.STREAMS_INVALID_TOPOLOGY, words)


def _refuse_if(wrong: bool, words: str) -> None:
    if wrong:
        raise ApiError(ErrorCode.INVALID_REQUEST, words)
