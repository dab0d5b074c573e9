"""DescribeShareGroupOffsets, key 90: the start offsets of share groups (KIP-932).

Behaviour: `coordinators.groups.share`; -1 for partitions that were never read; error 35 while share groups are off.
Topics that are named need no coordinator of the group (recorded from 4.1.1 to 4.3.1: odd_share_groups).
Versions: 0 - 1; lags from 1 on (KIP-1226).
"""

from collections.abc import Iterable
from typing import Final

from fakekafka.coordinators.groups.share.offsets import StartOffset, start_offset, stated_topics
from fakekafka.coordinators.share_partitions.state_records import SharePartitionKey
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.handlers.delete_share_group_offsets import words_for
from fakekafka.ids import ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.wire.apis.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
    DescribeShareGroupOffsetsRequestTopic,
    DescribeShareGroupOffsetsResponse,
    DescribeShareGroupOffsetsResponseGroup,
    DescribeShareGroupOffsetsResponsePartition,
    DescribeShareGroupOffsetsResponseTopic,
)

UNEXPECTED: Final = "The server experienced an unexpected error when processing the request."
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
    named = dict.fromkeys(group.group_id for group in request.groups if group.topics is None)
    whole = {group_id: _all_of(call, group_id) for group_id in named}
    return DescribeShareGroupOffsetsResponse(
        groups=[
            whole[group.group_id] if group.topics is None else _of_named(call, group.group_id, group.topics)
            for group in request.groups
        ]
    )


def _has_unknown_partition(request: DescribeShareGroupOffsetsRequest, call: Call) -> bool:
    topics = call.broker.cluster.topics
    return any(
        topic.topic_name in topics and topics[topic.topic_name].partition(index) is None
        for group in request.groups
        for topic in group.topics or ()
        for index in topic.partitions
    )


def _all_of(call: Call, group_id: str) -> DescribeShareGroupOffsetsResponseGroup:
    """The offsets of everything that a group reads."""
    status = call.groups.status(group_id) if group_id else ErrorCode.NONE
    if status is not ErrorCode.NONE:
        return _refused(group_id, status, words_for(status))
    stated = stated_topics(call.groups.share_groups, group_id).items()
    return _group(group_id, [_topic(call, group_id, t, s.name, sorted(s.partitions)) for t, s in stated])


def _of_named(
    call: Call, group_id: str, asked: Iterable[DescribeShareGroupOffsetsRequestTopic]
) -> DescribeShareGroupOffsetsResponseGroup:
    """The offsets of topics that the request names. The share coordinator has them, so the group's coordinator does not
    matter; what that one cannot be asked fails the group.
    """
    known = call.broker.cluster.topics
    if any(topic.topic_name in known and not (group_id and topic.partitions) for topic in asked):
        return _refused(group_id, ErrorCode.UNKNOWN_SERVER_ERROR, UNEXPECTED)
    by_name = {topic.topic_name: dict.fromkeys(topic.partitions) for topic in asked}
    return _group(
        group_id,
        [
            _topic(call, group_id, known[name].id if name in known else ZERO_UUID, name, partitions)
            for name, partitions in by_name.items()
        ],
    )


def _group(
    group_id: str, topics: list[DescribeShareGroupOffsetsResponseTopic]
) -> DescribeShareGroupOffsetsResponseGroup:
    return DescribeShareGroupOffsetsResponseGroup(
        group_id=group_id, topics=topics, error_code=ErrorCode.NONE, error_message=None
    )


def _refused(group_id: str, error: ErrorCode, words: str | None) -> DescribeShareGroupOffsetsResponseGroup:
    return DescribeShareGroupOffsetsResponseGroup(group_id=group_id, topics=[], error_code=error, error_message=words)


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
