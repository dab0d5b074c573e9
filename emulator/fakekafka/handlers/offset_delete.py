"""OffsetDelete, key 47: delete committed offsets of a group, of any type, for topics that it does not consume.

Behaviour: `coordinators.groups.administration`; tombstones for what is deleted.
Versions: 0.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import TypeAlias

from fakekafka.aside import aside
from fakekafka.coordinators.groups.administration import delete_offsets
from fakekafka.errors import ErrorCode
from fakekafka.handlers.as_map import count_named
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.ids import TopicName, TopicPartition
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteResponse,
    OffsetDeleteResponsePartition,
    OffsetDeleteResponseTopic,
)

Results: TypeAlias = Sequence[tuple[TopicPartition, ErrorCode]]


@stepwise
def handle(request: OffsetDeleteRequest, call: Call) -> Stepwise[Result]:
    """Delete what may be deleted: that is one step."""
    size = count_named(request.topics)
    known = yield from aside(lambda: _known(request, call), size)
    once = list(dict.fromkeys(known))
    unnamed = _without_offset(once, request.group_id, call)
    error, errors = delete_offsets(call.groups, request.group_id, once)
    if error is not ErrorCode.NONE:
        return OffsetDeleteResponse(error_code=error)
    deleted = {place: error for place, error in zip(once, errors) if error or place not in unnamed}
    again = known if call.profile.offsets.delete_answers_each and call.groups.consumer_groups.is_on else once
    results = [(place, deleted[place]) for place in again if place in deleted]
    return (yield from aside(lambda: _response(request, dict.fromkeys(once), results, call), size))


def _places(request: OffsetDeleteRequest) -> Iterable[TopicPartition]:
    return ((topic.name, one.partition_index) for topic in request.topics for one in topic.partitions)


def _known(request: OffsetDeleteRequest, call: Call) -> list[TopicPartition]:
    """Those partitions that exist."""
    topics = call.broker.cluster.topics
    return [(name, n) for name, n in _places(request) if name in topics and topics[name].partition(n) is not None]


def _response(
    request: OffsetDeleteRequest, known: Collection[TopicPartition], results: Results, call: Call
) -> OffsetDeleteResponse:
    missing = [(place, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION) for place in _places(request) if place not in known]
    if not call.profile.offsets.delete_answers_each:
        missing = list(dict.fromkeys(missing))
    named = _named(request, known, call)
    return OffsetDeleteResponse(error_code=ErrorCode.NONE, topics=_by_topic([*missing, *results], named, call))


def _named(request: OffsetDeleteRequest, known: Collection[TopicPartition], call: Call) -> list[TopicName]:
    """The topics in the answer, some perhaps empty: from 3.5 on first those of which something is missing."""
    if not call.profile.offsets.delete_answers_each:
        return [topic.name for topic in request.topics if topic.partitions]
    topics = call.broker.cluster.topics
    incomplete = [
        t.name
        for t in request.topics
        if t.name not in topics or any((t.name, p.partition_index) not in known for p in t.partitions)
    ]
    return [*incomplete, *(name for name, _ in known)]


def _without_offset(known: list[TopicPartition], group_id: str, call: Call) -> set[TopicPartition]:
    """The partitions that the answer leaves out, because the group has no offset for them."""
    groups = call.groups.consumer_groups
    if not groups.is_on or groups.rules.missing_offsets_deleted == "named":
        return set()
    return {place for place in known if not call.groups.offset_manager.exists(group_id, *place)}


def _by_topic(
    errors: Iterable[tuple[TopicPartition, ErrorCode]], named: Iterable[TopicName], call: Call
) -> list[OffsetDeleteResponseTopic]:
    """`named`: topics that are named in any case."""
    by_topic: dict[TopicName, list[OffsetDeleteResponsePartition]] = {name: [] for name in named}
    for (topic, partition), error in errors:
        answer = OffsetDeleteResponsePartition(partition_index=partition, error_code=error)
        by_topic.setdefault(topic, []).append(answer)
    repeats = call.profile.offsets.delete_repeats_topic
    return [
        OffsetDeleteResponseTopic(name=topic, partitions=partitions)
        for topic, partitions in by_topic.items()
        for _ in range(len(partitions) if repeats else 1)
    ]
