"""How long real brokers took, as `tests/benchmarks/real_paces.py` and `real_cluster_paces.py` measured and printed it
(into the files of these names, with `.txt`).

Each had a machine with two cores to itself and was otherwise idle. Most times are those of single brokers, of each
release four, one after the other; for reassignments there were two brokers. News, replication and deaths were seen in
clusters of three, and restarts on a single broker under ZooKeeper.
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
        "topic asked for": Measured(28.1, 59.3, (5,)),
        "offsets topic": Measured(446.9, 456.5, (15,)),
        "offsets loaded": Measured(29.9, 34.9, (16,)),
        "news": Measured(2.7, 40.7, (5,)),
        "replicated": Measured(3.2, 6.7),
        "high watermark": Measured(501.9, 505.5),
        "death noticed": Measured(6135.8, 6345.8),
        "told what it leads": Measured(82.0, 96.5, (5, 38)),
    },
    "1.1.1": {
        "topic asked for": Measured(22.3, 39.4, (5,)),
        "CreateTopics answered": Measured(13.1, 20.7),
        "topic created": Measured(0.6, 1.2),
        "offsets topic": Measured(190.2, 427.0, (15,)),
        "offsets loaded": Measured(5.4, 8.0, (16,)),
        "transactions topic": Measured(159.8, 291.6, (15,)),
        "first producer id": Measured(28.7, 35.6),
        "markers": Measured(2.2, 9.3, (51,)),
        "news": Measured(3.3, 67.1, (5,)),
        "replicated": Measured(3.8, 6.6),
        "high watermark": Measured(501.9, 514.3),
        "death noticed": Measured(5763.0, 6291.5),
        "told what it leads": Measured(3.5, 3.8),
    },
    "2.8.2": {
        "topic asked for": Measured(27.8, 44.9, (5,)),
        "CreateTopics answered": Measured(18.3, 25.7),
        "topic created": Measured(0.6, 1.2),
        "offsets topic": Measured(312.8, 408.8, (15,)),
        "offsets loaded": Measured(1.3, 2.0),
        "transactions topic": Measured(332.3, 412.4, (15,)),
        "first producer id": Measured(51.7, 53.8, (14,)),
        "markers": Measured(2.0, 8.0, (51,)),
        "reassignment": Measured(32.3, 121.1),
        "news": Measured(5.9, 33.4, (5,)),
        "replicated": Measured(4.7, 7.7),
        "high watermark": Measured(501.8, 505.6),
        "death noticed": Measured(5565.7, 6240.9),
        "told what it leads": Measured(27.9, 46.6, (5, 38)),
    },
}
KRAFT: Final[Table] = {
    "3.9.1": {
        "topic asked for": Measured(37.4, 51.7, (3,)),
        "CreateTopics answered": Measured(31.2, 35.2),
        "topic created": Measured(4.0, 8.9, (3,)),
        "offsets topic": Measured(51.1, 60.1, (15,)),
        "offsets loaded": Measured(355.2, 477.9, (16,)),
        "transactions topic": Measured(43.1, 45.1, (15,)),
        "first producer id": Measured(370.7, 537.6, (14, 16)),
        "markers": Measured(2.0, 6.9, (51,)),
        "reassignment": Measured(11.9, 1025.0),
        "news": Measured(12.6, 48.6, (3,)),
        "replicated": Measured(2.5, 5.4),
        "high watermark": Measured(502.2, 508.4),
        "death noticed": Measured(7360.9, 7391.5),
    },
    "4.3.1": {
        "topic asked for": Measured(35.7, 45.6, (3,)),
        "CreateTopics answered": Measured(29.6, 35.9),
        "topic created": Measured(3.1, 8.1, (3,)),
        "offsets topic": Measured(45.8, 48.1, (15,)),
        "offsets loaded": Measured(369.9, 435.7, (16,)),
        "transactions topic": Measured(37.2, 39.7, (15,)),
        "first producer id": Measured(414.0, 479.0, (14, 16)),
        "markers": Measured(1.9, 3.1, (51,)),
        "reassignment": Measured(10.7, 1013.2),
        "news": Measured(8.0, 44.1, (3,)),
        "replicated": Measured(4.9, 11.8),
        "high watermark": Measured(502.2, 507.1),
        "death noticed": Measured(8924.8, 9652.8),
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
