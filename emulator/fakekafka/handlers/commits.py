"""The partitions of a request to commit offsets, and their answer: what OffsetCommit and TxnOffsetCommit share.

There are three generations of brokers (`OffsetsBehaviour.commits_kept`). The oldest keep a request as a map (`as_map`).
The others answer what does not exist as the request names it, and add what was committed: kept as a map, or as it was
asked for (OffsetCommitResponse.Builder). Recorded from 0.10.0.1 to 4.3.1: odd_requests.
"""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName, Uuid


class Partition(Protocol):
    """A partition of either request."""

    partition_index: PartitionIndex


P = TypeVar("P", bound=Partition)


class Asked(NamedTuple, Generic[P]):
    """One partition of the request."""

    entry: int
    """The number of the entry that names it: a topic may have several."""
    topic: TopicName
    topic_id: Uuid
    partition: P


Results: TypeAlias = Sequence[tuple[Asked[P], ErrorCode]]
TopicKey: TypeAlias = tuple[TopicName, Uuid]
TopicAnswer: TypeAlias = tuple[TopicName, Uuid, list[tuple[PartitionIndex, ErrorCode]]]


def flattened(topics: Iterable[tuple[TopicName, Uuid, Sequence[P]]]) -> list[Asked[P]]:
    """Every partition that a request names."""
    return [Asked(n, name, id_, one) for n, (name, id_, partitions) in enumerate(topics) for one in partitions]


def each_once(asked: Iterable[Asked[P]]) -> list[Asked[P]]:
    """What a map keeps: of a partition that is named twice, what was said last."""
    return list({(one.topic, one.topic_id, one.partition.partition_index): one for one in asked}.values())


def answered_as_map(asked: Iterable[Asked[P]], results: Results[P]) -> list[TopicAnswer]:
    """The topics of the answer, in the order of the request. `results`: of the same objects."""
    errors = {id(one): error for one, error in results}
    return answered((), (), [(one, errors[id(one)]) for one in asked], as_asked=False)


def answered(absent: Iterable[TopicKey], bad: Results[P], good: Results[P], as_asked: bool) -> list[TopicAnswer]:
    """The topics of the answer. `absent`: topics that do not exist, answered even if no partition of them was named.

    `as_asked`: whether a topic that is named twice is answered twice. It is not if anything was refused before.
    """
    topics: dict[tuple[TopicName, Uuid, int], list[tuple[PartitionIndex, ErrorCode]]] = {
        (name, id_, 0): [] for name, id_ in absent
    }
    for one, error in bad:
        topics.setdefault((one.topic, one.topic_id, 0), []).append((one.partition.partition_index, error))
    apart = as_asked and not topics
    for one, error in good:
        key = one.topic, one.topic_id, one.entry if apart else 0
        topics.setdefault(key, []).append((one.partition.partition_index, error))
    return [(name, id_, partitions) for (name, id_, _), partitions in topics.items()]
