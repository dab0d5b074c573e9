"""KAFKA-2024: cleaned segments span more offsets than an index can hold."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-2024",
    title="cleaned segments span more offsets than an index can hold",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("any producer to compacted topics",),
    symptom=(
        "negative offsets in the index after compaction; IllegalArgumentException when appending to the offset"
        " index in the cleaner"
    ),
    cause="Segments are merged as long as their sizes fit, however far apart their offsets are.",
    remedy="Upgrade to 0.9.",
    sources=("KAFKA-2024", "apache/kafka commit 7acfa92c09b", "behaviour cleaner.group_span"),
    affected=Side("0.8.2.2"),
    cured=Side("0.9.0.1"),
    sees={
        "first offsets of the segments that a pass leaves": ([0, 4294967297], [0, 2147483648, 4294967296, 4294967297])
    },
)


FAR: Final = 2**31


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.produce(unit(0, records(1, time=-1, keys=[b"a"])), 0)
    play.tell("a copied log has three small segments, 2**31 offsets apart")
    data = play.file("t-0/00000000000000000000.log") or b""
    play.edit({f"t-0/{n * FAR:020d}.log": (n * FAR).to_bytes(8, "big") + data[8:] for n in range(3)})
    play.compact()
    bases = [int(name[4:24]) for name in play.files("t-0/", ".log")]
    play.see("first offsets of the segments that a pass leaves", bases)
