"""A request's partitions as many handlers of real brokers keep them: in a map.

Such a handler forgets what a map does not hold: a topic without partitions is gone, a topic named twice is one topic,
and of a partition named twice only what was said last counts.
"""

from collections.abc import Callable, Hashable, Iterable, Sized
from typing import Protocol, TypeVar

from fakekafka.ids import PartitionIndex

T = TypeVar("T", bound=Hashable)
P = TypeVar("P")


class NamedTopic(Protocol):
    """A topic of a request."""

    @property
    def partitions(self) -> Sized: ...


def count_named(topics: Iterable[NamedTopic]) -> int:
    """How many topics and partitions a request names: how much there is to go through."""
    return sum(1 + len(topic.partitions) for topic in topics)


def as_map(topics: Iterable[tuple[T, Iterable[P]]], index: Callable[[P], PartitionIndex]) -> list[tuple[T, list[P]]]:
    """What a map keeps of `topics`, in the order in which each topic and partition was first named."""
    kept: dict[T, dict[PartitionIndex, P]] = {}
    for topic, partitions in topics:
        for partition in partitions:
            kept.setdefault(topic, {})[index(partition)] = partition
    return [(topic, list(partitions.values())) for topic, partitions in kept.items()]
