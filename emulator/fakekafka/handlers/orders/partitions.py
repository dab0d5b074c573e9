"""Topics with partitions, put in the order of a release's maps."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from fakekafka.ids import PartitionIndex
from fakekafka.jvm.chains import numbers_through, texts_through, through
from fakekafka.releases.behaviours.order_maps import PartitionMaps

Place: TypeAlias = tuple[Any, PartitionIndex]
"""A partition, with the name or the id of its topic."""


class Names(NamedTuple):
    """The names of fields: of a topic's name or id, of its partitions, and of a partition's number."""

    topic: str
    partitions: str
    number: str

    def places(self, topics: Iterable[Any]) -> list[Place]:
        """The partitions of a list of topics."""
        return [
            (getattr(topic, self.topic), getattr(partition, self.number))
            for topic in topics
            for partition in getattr(topic, self.partitions)
        ]

    def is_long(self, topics: Sequence[Any]) -> bool:
        """Whether the list has an order: more than one topic or partition."""
        return len(topics) > 1 or (len(topics) == 1 and len(getattr(topics[0], self.partitions)) > 1)


def arrange(
    topics: list[Any],
    asked: Iterable[Place],
    maps: PartitionMaps,
    names: Names,
    hash_of: Callable[[Any], int],
    rank: Callable[[Place, Any], int] | None = None,
) -> None:
    """Put an answer's topics and their partitions in order, in place.

    `asked`: the partitions of the request. `hash_of`: the hash code of a partition as a key. `rank`: of a partition of
    the answer; what is added to the last maps later has a higher one.
    """
    rows = [row for topic in topics for row in getattr(topic, names.partitions)]
    partitions = dict(zip(names.places(topics), rows, strict=True))
    places = [place for place in through(maps.asked, dict.fromkeys(asked), hash_of) if place in partitions]
    if rank is not None:
        places.sort(key=lambda place: rank(place, partitions[place]))
    numbers: dict[Any, list[PartitionIndex]] = {}
    for topic, number in through(maps.answered, places, hash_of):
        numbers.setdefault(topic, []).append(number)
    by_name = {getattr(topic, names.topic): topic for topic in topics}
    topics[:] = [by_name[name] for name in texts_through(maps.topics, numbers)]
    for topic in topics:
        name = getattr(topic, names.topic)
        ordered = numbers_through(maps.indexes, numbers[name])
        setattr(topic, names.partitions, [partitions[name, number] for number in ordered])
