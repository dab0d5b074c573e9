"""Answers to which a broker first adds what it refuses, and then what its coordinator has answered."""

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from fakekafka.handlers.orders.partitions import Names, Place, Topic
from fakekafka.jvm.chains import Chain, through


class Added(NamedTuple):
    """How an answer is put together."""

    names: Names
    chain: Chain
    """The maps that the coordinator's answer passes. If there are none, it keeps the order of the request."""
    hash_of: Callable[[Any], int]
    """The hash code of a partition as a key."""
    is_refused: Callable[[Any], bool]
    comes_first: Callable[[Any], bool] = lambda row: False
    """Whether a row is put into the maps before others."""

    def arrange(self, topics: list[Any], asked: Iterable[Topic]) -> None:
        """Put the topics of an answer and their partitions in order, in place. `asked`: the topics of the request."""
        names, order = self.names, self._order(topics)
        refused: set[Place] = set()
        for topic in topics:
            rows = getattr(topic, names.partitions)
            rows.sort(key=lambda row: -1 if self.is_refused(row) else order.get(_place(topic, row, names), 0))
            refused.update(_place(topic, row, names) for row in rows if self.is_refused(row))
        first = _first_refused(topics, asked, names, refused)

        def place_of(topic: Any) -> tuple[int, int]:
            name, rows = getattr(topic, names.topic), getattr(topic, names.partitions)
            if name in first:
                return 0, first[name]
            return 1, min((order.get(_place(topic, row, names), 0) for row in rows), default=0)

        topics.sort(key=place_of)

    def _order(self, topics: list[Any]) -> dict[Place, int]:
        """The places of what is not refused in the last map."""
        rows = [(topic, row) for topic in topics for row in getattr(topic, self.names.partitions) if self.chain]
        rows.sort(key=lambda pair: not self.comes_first(pair[1]))
        places = dict.fromkeys(_place(topic, row, self.names) for topic, row in rows if not self.is_refused(row))
        return {place: n for n, place in enumerate(through(self.chain, places, self.hash_of))}


def _place(topic: Any, row: Any, names: Names) -> Place:
    return getattr(topic, names.topic), getattr(row, names.number)


def _first_refused(
    topics: Iterable[Any], asked: Iterable[Topic], names: Names, refused: Collection[Place]
) -> dict[Any, int]:
    """Where the request first names something of a topic that is refused. A topic that is unknown is refused even if no
    partition of it is named.
    """
    empty = {getattr(topic, names.topic) for topic in topics if not getattr(topic, names.partitions)}
    first: dict[Any, int] = {}
    for n, (name, numbers) in enumerate(asked):
        if any((name, number) in refused for number in numbers) or (not numbers and name in empty):
            first.setdefault(name, n)
    return first
