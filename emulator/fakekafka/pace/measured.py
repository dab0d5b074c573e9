"""How long real brokers took, as `tests/benchmarks/real_paces.py` and `real_cluster_paces.py` measured and printed it
(into the files of these names, with `.txt`).

Each was alone and otherwise idle, on a machine with two cores that others kept busy (load averages of 5 to 15); for
reassignments there was a second broker. News, replication, deaths and restarts were seen on a much busier one (averages
of 45 to 70), where an idle cluster is far faster, and on 1.1.1 alone: its times stand for all releases, those with a
quorum of controllers included, as long as no other was measured.
"""

from bisect import bisect
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from fakekafka.pace.events import Event
from fakekafka.releases.profile import Profile
from fakekafka.releases.release import Release


class Measured(NamedTuple):
    """A distribution."""

    median_ms: float
    high_ms: float
    """The 95th percentile."""
    errors: tuple[int, ...] = ()
    """What clients were answered meanwhile."""


Table: TypeAlias = Mapping[str, Mapping[Event, Measured]]
"""By release, oldest first, and event. 0.10.2 has no transactions, and no version of CreateTopics that was tried."""

ZOOKEEPER: Final[Table] = {
    "0.10.2.2": {
        "topic asked for": Measured(52.1, 180.0, (5,)),
        "offsets topic": Measured(958.7, 1605.7, (15,)),
        "offsets loaded": Measured(81.4, 152.9, (16,)),
    },
    "1.1.1": {
        "topic asked for": Measured(72.7, 209.6, (5,)),
        "CreateTopics answered": Measured(75.0, 135.4),
        "topic created": Measured(0.9, 16.0),
        "offsets topic": Measured(413.8, 858.6, (15,)),
        "offsets loaded": Measured(8.0, 111.1, (16,)),
        "transactions topic": Measured(416.3, 1007.9, (15,)),
        "first producer id": Measured(66.2, 197.2),
        "markers": Measured(3.5, 32.1, (51,)),
        "news": Measured(88.7, 751.4, (5,)),
        "replicated": Measured(102.9, 348.1),
        "high watermark": Measured(574.7, 757.8),
        "death noticed": Measured(10559.9, 12515.7),
        "told what it leads": Measured(550.3, 880.6),
    },
    "2.8.2": {
        "topic asked for": Measured(41.8, 138.1, (5,)),
        "CreateTopics answered": Measured(38.6, 131.3),
        "topic created": Measured(0.7, 14.1),
        "offsets topic": Measured(415.6, 640.4, (15,)),
        "offsets loaded": Measured(1.6, 5.2),
        "transactions topic": Measured(613.0, 809.3, (15,)),
        "first producer id": Measured(91.7, 121.4, (14,)),
        "markers": Measured(2.7, 20.0, (51,)),
        "reassignment": Measured(75.4, 1091.3),
    },
}
KRAFT: Final[Table] = {
    "3.9.1": {
        "topic asked for": Measured(41.1, 98.9, (3,)),
        "CreateTopics answered": Measured(34.8, 72.1),
        "topic created": Measured(2.2, 16.0, (3,)),
        "offsets topic": Measured(71.5, 583.1, (15,)),
        "offsets loaded": Measured(334.2, 445.9, (16,)),
        "transactions topic": Measured(39.1, 71.6, (15,)),
        "first producer id": Measured(599.8, 704.6, (14, 16)),
        "markers": Measured(3.6, 18.7, (51,)),
        "reassignment": Measured(1011.2, 1045.1),
    },
    "4.3.1": {
        "topic asked for": Measured(49.2, 90.8, (3,)),
        "CreateTopics answered": Measured(37.2, 58.6),
        "topic created": Measured(2.1, 30.4, (3,)),
        "offsets topic": Measured(69.8, 119.2, (15,)),
        "offsets loaded": Measured(981.2, 1182.4, (16,)),
        "transactions topic": Measured(64.2, 89.7, (15,)),
        "first producer id": Measured(665.5, 1675.8, (14, 16)),
        "markers": Measured(1.9, 31.0, (51,)),
        "reassignment": Measured(2007.1, 2064.4),
    },
}


def measured(event: Event, rules: Profile) -> Measured:
    """What was measured on the last release in that mode which is not newer than this one; if there is none, on the
    first that has the event, in the other mode if need be.
    """
    rows = _rows(_table(rules), event) or _rows(ZOOKEEPER, event)
    return list(rows.values())[max(0, bisect(list(rows), rules.release) - 1)]


def _rows(table: Table, event: Event) -> dict[Release, Measured]:
    return {Release.parse(name): row[event] for name, row in table.items() if event in row}


def _table(rules: Profile) -> Table:
    return KRAFT if rules.has_quorum else ZOOKEEPER
