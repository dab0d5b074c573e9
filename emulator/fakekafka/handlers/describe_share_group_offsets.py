"""DescribeShareGroupOffsets, key 90: the start offsets of share groups (KIP-932).

Behaviour: `coordinators.groups.share`; -1 for partitions that were never read; error 35 while share groups are off.
Versions: 0 - 1; lags from 1 on (KIP-1226).
"""

from collections.abc import Iterable

from fakekafka.coordinators.groups.share.offsets import StartOffset, start_offset, stated_topics
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.ids import ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.wire.apis.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
    DescribeShareGroupOffsetsRequestGroup,
    DescribeShareGroupOffsetsResponse,
    DescribeShareGroupOffsetsResponseGroup,
    DescribeShareGroupOffsetsResponsePartition,
    DescribeShareGroupOffsetsResponseTopic,
)

Answered = DescribeShareGroupOffsetsResponse | Outcome


def handle(request: DescribeShareGroupOffsetsRequest, call: Call) -> Answered:
    """Describe each group."""
    if not call.groups.share_groups.is_on:
        return DescribeShareGroupOffsetsResponse(
            groups=[
                DescribeShareGroupOffsetsResponseGroup(
                    group_id=group.group_id, topics=[], error_code=ErrorCode.UNSUPPORTED_VERSION
                )
                for group in request.groups
            ]
        )
    if call.profile.share_groups.unknown_partition == "no answer" and _has_unknown_partition(request, call):
        return Outcome.SILENCE
    return DescribeShareGroupOffsetsResponse(groups=[_described(call, group) for group in request.groups])


def _has_unknown_partition(request: DescribeShareGroupOffsetsRequest, call: Call) -> bool:
    topics = call.broker.cluster.topics
    return any(
        topic.topic_name in topics and topics[topic.topic_name].partition(index) is None
        for group in request.groups
        for topic in group.topics or ()
        for index in topic.partitions
    )


def _described(call: Call, group: DescribeShareGroupOffsetsRequestGroup) -> DescribeShareGroupOffsetsResponseGroup:
    groups = call.groups.share_groups
    status = call.groups.status(group.group_id) if group.group_id else ErrorCode.NONE
    if status is not ErrorCode.NONE:
        return DescribeShareGroupOffsetsResponseGroup(group_id=group.group_id, topics=[], error_code=status)
    if group.topics is None:
        stated = stated_topics(groups, group.group_id).items()
        topics = [_topic(call, group.group_id, t, s.name, sorted(s.partitions)) for t, s in stated]
    else:
        known = call.broker.cluster.topics
        topics = [
            _topic(call, group.group_id, known[n].id if n in known else ZERO_UUID, n, topic.partitions)
            for topic in group.topics
            for n in [topic.topic_name]
        ]
    return DescribeShareGroupOffsetsResponseGroup(
        group_id=group.group_id, topics=topics, error_code=ErrorCode.NONE, error_message=None
    )


def _topic(
    call: Call, group_id: str, topic: Uuid, name: TopicName, partitions: Iterable[PartitionIndex]
) -> DescribeShareGroupOffsetsResponseTopic:
    rows = []
    for index in partitions:
        known = topic != ZERO_UUID and group_id
        start = start_offset(call.broker, SharePartitionKey(group_id, topic, index)) if known else StartOffset()
        rows.append(
            DescribeShareGroupOffsetsResponsePartition(
                partition_index=index, start_offset=start.offset, leader_epoch=start.leader_epoch, lag=start.lag
            )
        )
    return DescribeShareGroupOffsetsResponseTopic(topic_name=name, topic_id=topic, partitions=rows)
