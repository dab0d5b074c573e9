"""KAFKA-12889: the cleaner leaves empty segments at every 2**31 offsets."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-12889",
    title="the cleaner leaves empty segments at every 2**31 offsets",
    part="compaction",
    kind="bug",
    releases="0.10.2.2 - 2.8.2",
    clients=("any consumer of compacted topics",),
    symptom="thousands of empty segments; many open files; compacted partition with almost no data has many segments",
    cause=(
        "Groups of segments end where offsets could not be written relative to the first base, even where"
        " segments are empty."
    ),
    remedy="Upgrade to 3.0.",
    sources=("KAFKA-12889", "apache/kafka commit ac5ddc574ef", "behaviour cleaner.group_span"),
    affected=Side("2.8.2"),
    cured=Side("3.0.0"),
    sees={"empty segments after two passes": (4, 2)},
)


FAR: Final = 2**31


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.produce(play.set_of(records(1, keys=[b"a"])), 7)
    play.tell("a copied log has four segments, 2**31 offsets apart, with one key")
    data = play.file("t-0/00000000000000000000.log") or b""
    play.edit({f"t-0/{n * FAR:020d}.log": (n * FAR).to_bytes(8, "big") + data[8:] for n in range(4)})
    play.compact()
    play.produce(play.set_of(records(1, keys=[b"a"])), 7)
    play.compact()
    play.see("empty segments after two passes", [len(d) for d in play.files("t-0/", ".log").values()].count(0))
