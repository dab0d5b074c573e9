"""ShareGroupHeartbeat, key 76: everything that a member of a share group does except reading (KIP-932).

Behaviour: `coordinators.groups.share.heartbeat`; error 35 while share groups are off.
Versions: 1; version 0 was the early access of 3.9 and 4.0.
"""

from fakekafka.coordinators.groups.consumer.group import Assignment as Assigned
from fakekafka.coordinators.groups.share.heartbeat import ShareHeartbeat, heartbeat
from fakekafka.coordinators.hash_order import partition_order, topic_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.share_group_heartbeat import (
    Assignment,
    ShareGroupHeartbeatRequest,
    ShareGroupHeartbeatResponse,
    TopicPartitions,
)


def handle(request: ShareGroupHeartbeatRequest, call: Call) -> ShareGroupHeartbeatResponse:
    """Carry out the heartbeat."""
    groups = call.groups.share_groups
    if not groups.is_on:
        return _refused(ErrorCode.UNSUPPORTED_VERSION)
    try:
        _check(request, call)
        status = call.groups.status(request.group_id)
        if status is not ErrorCode.NONE:
            return _refused(status)
        result = heartbeat(groups, _asked(request, call))
    except ApiError as refused:
        return _refused(refused.code, refused.message)
    return ShareGroupHeartbeatResponse(
        error_code=ErrorCode.NONE,
        member_id=result.member_id,
        member_epoch=result.epoch,
        heartbeat_interval_ms=result.interval_ms,
        assignment=None if result.assignment is None else _assignment(result.assignment),
    )


def _refused(error: ErrorCode, words: str | None = None) -> ShareGroupHeartbeatResponse:
    return ShareGroupHeartbeatResponse(error_code=error, error_message=words, member_id=None, assignment=None)


def _check(request: ShareGroupHeartbeatRequest, call: Call) -> None:
    """Check the fields. Raises `ApiError` 42 (GroupMetadataManager.throwIfShareGroupHeartbeatRequestIsInvalid)."""
    explained = call.profile.share_groups.empty_member_id == "in words"
    if not request.member_id and not explained:
        raise ApiError(ErrorCode.INVALID_REQUEST)
    if not request.group_id:
        raise ApiError(ErrorCode.INVALID_REQUEST, "GroupId can't be empty.")
    if not request.member_id:
        raise ApiError(ErrorCode.INVALID_REQUEST, "MemberId can't be empty.")
    if request.rack_id == "":
        raise ApiError(ErrorCode.INVALID_REQUEST, "RackId can't be empty.")
    if request.member_epoch == 0 and not request.subscribed_topic_names:
        raise ApiError(ErrorCode.INVALID_REQUEST, "SubscribedTopicNames must be set in first request.")
    if request.member_epoch < -1:
        raise ApiError(ErrorCode.INVALID_REQUEST, "MemberEpoch is invalid.")


def _asked(request: ShareGroupHeartbeatRequest, call: Call) -> ShareHeartbeat:
    return ShareHeartbeat(
        group_id=request.group_id,
        member_id=request.member_id,
        epoch=request.member_epoch,
        rack=request.rack_id,
        client_id=call.client_id or "",
        client_host=f"/{call.client_host}",
        topics=request.subscribed_topic_names,
    )


def _assignment(assigned: Assigned) -> Assignment:
    rows = [TopicPartitions(topic_id=t, partitions=partition_order(assigned[t])) for t in topic_order(assigned)]
    return Assignment(topic_partitions=rows)
