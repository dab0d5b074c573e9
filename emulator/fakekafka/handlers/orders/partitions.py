"""Topics with partitions, put in the order of a release's maps."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from fakekafka.ids import PartitionIndex
from fakekafka.jvm.chains import Chain, numbers_through, texts_through, through
from fakekafka.jvm.maps import MapKind
from fakekafka.releases.behaviours.order_maps import COMPUTED, PartitionMaps

Place: TypeAlias = tuple[Any, PartitionIndex]
"""A partition, with the name or the id of its topic."""
Topic: TypeAlias = tuple[Any, Sequence[PartitionIndex]]
"""A topic's name or id, with its partitions."""


class Names(NamedTuple):
    """The names of fields: of a topic's name or id, of its partitions, and of a partition's number."""

    topic: str
    partitions: str
    number: str

    def places(self, topics: Iterable[Any]) -> list[Place]:
        """The partitions of a list of topics."""
        return [place for topic in topics for place, _ in self.rows(topic)]

    def rows(self, topic: Any) -> list[tuple[Place, Any]]:
        """The partitions of a topic, each with where it is."""
        name = getattr(topic, self.topic)
        return [((name, getattr(row, self.number)), row) for row in getattr(topic, self.partitions)]

    def is_long(self, topics: Sequence[Any]) -> bool:
        """Whether the list has an order: more than one topic or partition."""
        return len(topics) > 1 or (len(topics) == 1 and len(getattr(topics[0], self.partitions)) > 1)


def arrange(
    topics: list[Any],
    asked: Sequence[Place],
    maps: PartitionMaps,
    names: Names,
    hash_of: Callable[[Any], int],
    rank: Callable[[Place, Any], int] | None = None,
) -> None:
    """Put an answer's topics and their partitions in order, in place.

    `asked`: the partitions of the request. `hash_of`: the hash code of a partition as a key. `rank`: of a partition of
    the answer; what is added later has a higher one, and the first have 0.
    """
    partitions = {place: row for topic in topics for place, row in names.rows(topic)}
    hash_of = {place: hash_of(place) for place in partitions}.__getitem__  # each code is asked for several times
    places = [place for place in dict.fromkeys(asked) if place in partitions]
    late: list[Place] = []
    if rank is None:
        places = through((*maps.asked, *maps.first), places, hash_of)
    else:
        ranks = {place: rank(place, row) for place, row in partitions.items()}
        if maps.late_apart:
            late = [place for place in places if ranks[place]]
            places = [place for place in places if not ranks[place]]
        places = _by_rank(places, ranks, maps, hash_of)
    by_name = {getattr(topic, names.topic): topic for topic in topics}
    ordered = [*by_topic(places, maps, hash_of), *by_topic(late, PartitionMaps(indexes=maps.indexes), hash_of)]
    topics[:] = [by_name[name] for name, _ in ordered]
    for topic, (name, numbers) in zip(topics, ordered):
        setattr(topic, names.partitions, [partitions[name, number] for number in numbers])


def _by_rank(
    places: Iterable[Place], ranks: Mapping[Place, int], maps: PartitionMaps, hash_of: Callable[[Any], int]
) -> list[Place]:
    ranked: dict[int, list[Place]] = {}
    for place in through(maps.asked, places, hash_of):
        ranked.setdefault(ranks[place], []).append(place)
    chains = [(ranked[n], maps.later if n else maps.first) for n in sorted(ranked)]
    return [place for some, chain in chains for place in through(chain, some, hash_of)]


def by_topic(places: Iterable[Place], maps: PartitionMaps, hash_of: Callable[[Any], int]) -> list[Topic]:
    """The topics of these results, with their partitions, as the last maps give them back."""
    answered = through(maps.answered, places, hash_of)
    topics: dict[Any, list[Place]] = {}
    for place in answered:
        topics.setdefault(place[0], []).append(place)
    return [
        (topic, numbers_through(maps.indexes, [number for _, number in through(maps.grouped, topics[topic], hash_of)]))
        for topic in topics_through(maps.topics, answered)
    ]


def topics_through(maps: Chain, places: Sequence[Place]) -> list[Any]:
    """The topics of these partitions, as maps give them back in which partitions are put by topic."""
    names = list(dict.fromkeys(name for name, _ in places))
    is_asked_again = bool(places) and places[-1][0] in {name for name, _ in places[:-1]}
    if maps == (COMPUTED,) and is_asked_again:
        maps = (MapKind.JAVA_GROUPED,)
    return texts_through(maps, names)
