"""ShareAcknowledge, key 79: acknowledgements of records by a member of a share group (KIP-932).

Behaviour: `coordinators.share_partitions`. Only partitions with acknowledgements are in the answer.
Versions: 1 - 2; locks can be renewed from 2 on (KIP-1222); version 0 was the early access of 3.9 and 4.0.
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.coordinators.share_partitions.requests import (
    ShareClient,
    acknowledge,
    check_ids,
    leader_elsewhere,
    leading_brokers,
)
from fakekafka.coordinators.share_partitions.sessions import FINAL, FIRST
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicIdPartition
from fakekafka.wire.apis.share_acknowledge import (
    AcknowledgeTopic,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
    ShareAcknowledgeRequest,
    ShareAcknowledgeResponse,
    ShareAcknowledgeTopicResponse,
)

FIRST_WITH_RENEWALS: Final = 2


def handle(request: ShareAcknowledgeRequest, call: Call) -> ShareAcknowledgeResponse:
    """Process the member's acknowledgements; end its session if it asks for that."""
    groups = call.groups.share_groups
    if not groups.is_on:
        return ShareAcknowledgeResponse(error_code=ErrorCode.UNSUPPORTED_VERSION)
    try:
        check_ids(call.broker, request.group_id, request.member_id)
        client = ShareClient(call.share, request.group_id or "", request.member_id or "")
        topics = _acknowledged(request, client, call)
    except ApiError as refused:
        return ShareAcknowledgeResponse(error_code=refused.code, error_message=refused.message)
    return ShareAcknowledgeResponse(
        error_code=ErrorCode.NONE,
        acquisition_lock_timeout_ms=call.share.partitions.lock_ms(client.group),
        responses=topics,
        node_endpoints=[
            NodeEndpoint(node_id=b.node_id, **call.endpoint_of(b), rack=b.rack)
            for b in leading_brokers(call.broker, _errors(topics))
        ],
    )


def _errors(topics: Iterable[ShareAcknowledgeTopicResponse]) -> list[tuple[TopicIdPartition, int]]:
    return [((topic.topic_id, row.partition_index), row.error_code) for topic in topics for row in topic.partitions]


def _acknowledged(
    request: ShareAcknowledgeRequest, client: ShareClient, call: Call
) -> list[ShareAcknowledgeTopicResponse]:
    epoch, sessions = request.share_session_epoch, call.share.sessions
    if epoch == FIRST:
        raise ApiError(ErrorCode.INVALID_SHARE_SESSION_EPOCH)
    if epoch != FINAL:
        sessions.go_on(client.group, client.member, epoch)
    else:
        sessions.check(client.group, client.member)
    renews = call.version >= FIRST_WITH_RENEWALS and request.is_renew_ack
    answers = [_topic(topic, client, renews=renews) for topic in request.topics]
    if epoch == FINAL:
        call.share.end_session(client.group, client.member)
    return [answer for answer in answers if answer.partitions]


def _topic(topic: AcknowledgeTopic, client: ShareClient, *, renews: bool) -> ShareAcknowledgeTopicResponse:
    rows: list[PartitionData] = []
    for asked in topic.partitions:
        if asked.acknowledgement_batches:
            tp = topic.topic_id, asked.partition_index
            result = acknowledge(client, tp, asked.acknowledgement_batches, renews=renews)
            leader = leader_elsewhere(client.broker, tp, result.error)
            rows.append(
                PartitionData(
                    partition_index=asked.partition_index,
                    error_code=result.error,
                    error_message=result.words,
                    current_leader=LeaderIdAndEpoch(leader_id=leader.node_id, leader_epoch=leader.epoch),
                )
            )
    return ShareAcknowledgeTopicResponse(topic_id=topic.topic_id, partitions=rows)
