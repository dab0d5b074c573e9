"""OffsetDelete, key 47: delete committed offsets of a group, of any type, for topics that it does not consume.

Behaviour: `coordinators.groups.administration`; tombstones for what is deleted.
Versions: 0.
"""

from fakekafka.coordinators.groups.administration import delete_offsets
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import TopicName, TopicPartition
from fakekafka.wire.apis.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)


def handle(request: OffsetDeleteRequest, call: Call) -> OffsetDeleteResponse:
    """Delete what may be deleted."""
    topics = call.broker.cluster.topics
    asked = [(t.name, p.partition_index) for t in request.topics for p in t.partitions]
    known = [place for place in asked if place[0] in topics and topics[place[0]].partition(place[1]) is not None]
    unnamed = _without_offset(known, request.group_id, call)
    error, errors = delete_offsets(call.groups, request.group_id, known)
    if error is not ErrorCode.NONE:
        return OffsetDeleteResponse(error_code=error)
    results = dict.fromkeys(asked, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION) | dict(zip(known, errors))
    rows = _by_topic(results, call)
    for topic in rows:
        topic.partitions = [
            p for p in topic.partitions if p.error_code or (topic.name, p.partition_index) not in unnamed
        ]
    return OffsetDeleteResponse(error_code=ErrorCode.NONE, topics=rows)


def _without_offset(known: list[TopicPartition], group_id: str, call: Call) -> set[TopicPartition]:
    """The partitions that the answer leaves out, because the group has no offset for them."""
    groups = call.groups.consumer_groups
    if not groups.is_on or groups.rules.missing_offsets_deleted == "named":
        return set()
    return {place for place in known if not call.groups.offset_manager.exists(group_id, *place)}


def _by_topic(errors: dict[TopicPartition, ErrorCode], call: Call) -> list[OffsetDeleteResponseTopic]:
    by_topic: dict[TopicName, list[OffsetDeleteResponsePartition]] = {}
    for (topic, partition), error in errors.items():
        answer = OffsetDeleteResponsePartition(partition_index=partition, error_code=error)
        by_topic.setdefault(topic, []).append(answer)
    repeats = call.profile.offsets.delete_repeats_topic
    return [
        OffsetDeleteResponseTopic(name=topic, partitions=partitions)
        for topic, partitions in by_topic.items()
        for _ in range(len(partitions) if repeats else 1)
    ]
