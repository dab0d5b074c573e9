"""OffsetFetch, key 9: read the offsets that a group has committed.

Behaviour: -1 for what is not committed, without an error; version 0 reads from ZooKeeper and says 3 then.
Versions: 0 - 10; all topics by null from 2 on, stable offsets from 7 on, several groups from 8 on, topic ids from 10.
Not done: member epochs of the consumer protocol (KIP-848).
"""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from fakekafka.broker.groups.offsets import Committed
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call, Outcome
from fakekafka.ids import NO_EPOCH, NO_OFFSET, ZERO_UUID, PartitionIndex, TopicName, Uuid
from fakekafka.wire.apis.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)

FIRST_IN_TOPIC: Final = 1
FIRST_WITH_NULL_TOPICS: Final = 2
FIRST_WITH_SEVERAL_GROUPS: Final = 8
FIRST_WITH_TOPIC_IDS: Final = 10
NOTHING: Final = Committed(NO_OFFSET, NO_EPOCH, "", -1)


class Answer(NamedTuple):
    """What is known of one partition."""

    partition: PartitionIndex
    error: ErrorCode
    committed: Committed


class AskedTopic(NamedTuple):
    """The partitions of one topic."""

    name: TopicName
    topic_id: Uuid
    partitions: Sequence[PartitionIndex]


class TopicAnswer(NamedTuple):
    """The answers for one topic."""

    name: TopicName
    topic_id: Uuid
    partitions: list[Answer]


def handle(request: OffsetFetchRequest, call: Call) -> OffsetFetchResponse | Outcome:
    """Read the offsets of one group, or of several."""
    if call.version >= FIRST_WITH_SEVERAL_GROUPS:
        return _several(request, call)
    error, topics = _one_group(call, request.group_id, _asked(request, call), request.require_stable)
    if error is not ErrorCode.NONE and call.version < FIRST_WITH_NULL_TOPICS:
        return _response([_all_with(error, t) for t in _asked(request, call) or ()], ErrorCode.NONE)
    return _response(topics, error)
