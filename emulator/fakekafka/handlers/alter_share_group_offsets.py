"""AlterShareGroupOffsets, key 91: set the start offsets of a share group without members (KIP-932).

Behaviour: `coordinators.groups.share`; a missing group is created; in 4.1 nothing happens; error 35
while share groups are off.
Versions: 0.
"""

from fakekafka.coordinators.groups.share.offsets import NO_TOPIC, alter
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.handlers.delete_share_group_offsets import INVALID_ID, OFF, words_for
from fakekafka.ids import ZERO_UUID
from fakekafka.wire.apis.alter_share_group_offsets import (
    AlterShareGroupOffsetsRequest,
    AlterShareGroupOffsetsRequestTopic,
    AlterShareGroupOffsetsResponse,
    AlterShareGroupOffsetsResponsePartition,
    AlterShareGroupOffsetsResponseTopic,
)


def handle(request: AlterShareGroupOffsetsRequest, call: Call) -> AlterShareGroupOffsetsResponse:
    """Alter the start offsets of a group."""
    groups = call.groups.share_groups
    if not groups.is_on:
        return AlterShareGroupOffsetsResponse(error_code=ErrorCode.UNSUPPORTED_VERSION, error_message=OFF)
    if not request.group_id:
        return AlterShareGroupOffsetsResponse(error_code=ErrorCode.INVALID_GROUP_ID, error_message=INVALID_ID)
    known = call.broker.cluster.topics
    if groups.rules.alter_offsets == "ignored":
        unknown = [_altered(call, topic) for topic in request.topics if topic.topic_name not in known]
        return AlterShareGroupOffsetsResponse(error_code=ErrorCode.NONE, responses=unknown)
    status = call.groups.status(request.group_id)
    if status is not ErrorCode.NONE:
        return AlterShareGroupOffsetsResponse(error_code=status, error_message=words_for(status))
    offsets = {
        topic.topic_name: {row.partition_index: row.start_offset for row in topic.partitions}
        for topic in request.topics
        if topic.topic_name in known
    }
    try:
        alter(groups, request.group_id, offsets)
    except ApiError as refused:
        return AlterShareGroupOffsetsResponse(error_code=refused.code, error_message=refused.message)
    return AlterShareGroupOffsetsResponse(
        error_code=ErrorCode.NONE, responses=[_altered(call, topic) for topic in request.topics]
    )


def _altered(call: Call, topic: AlterShareGroupOffsetsRequestTopic) -> AlterShareGroupOffsetsResponseTopic:
    existing = call.broker.cluster.topics.get(topic.topic_name)
    error, words = (ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, NO_TOPIC) if existing is None else (ErrorCode.NONE, None)
    return AlterShareGroupOffsetsResponseTopic(
        topic_name=topic.topic_name,
        topic_id=ZERO_UUID if existing is None else existing.id,
        partitions=[
            AlterShareGroupOffsetsResponsePartition(
                partition_index=row.partition_index, error_code=error, error_message=words
            )
            for row in topic.partitions
        ],
    )
