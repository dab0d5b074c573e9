"""KAFKA-3894: the cleaner dies on a segment with more keys than its map has room for."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

LITTLE_ROOM: Final = {"log.cleaner.dedupe.buffer.size": 2 << 20, "log.cleaner.io.buffer.load.factor": 0.001}

BUG = Bug(
    id="KAFKA-3894",
    title="the cleaner dies on a segment with more keys than its map has room for",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.10.0.1",
    clients=("any producer to compacted topics",),
    symptom=(
        "log cleaner thread died; requirement failed: messages in segment but offset map can fit only;"
        " __consumer_offsets grows; disk full"
    ),
    cause=(
        "Whole segments are read into the map of log.cleaner.dedupe.buffer.size. A segment with more keys than"
        " the map has slots ends the thread, for all topics."
    ),
    remedy=(
        "Raise log.cleaner.dedupe.buffer.size or lower segment.bytes, and restart; 0.10.1 ends its pass within"
        " the segment."
    ),
    sources=("KAFKA-3894", "KAFKA-2235", "KAFKA-3587", "Cleaner of 0.10.0.1 and 0.10.1.0"),
    affected=Side("0.10.0.1", config=LITTLE_ROOM),
    cured=Side("0.10.1.0", config=LITTLE_ROOM),
    story_on="0.9.0.0 - 0.10.0.1",
    elsewhere="0.8 stops only when the whole buffer is full",
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.tell("100 records with keys of their own, in one segment; a thousandth of a buffer of 2 MiB has room for 87")
    keys = [b"%d" % n for n in range(100)]
    play.produce(play.set_of(records(100, keys=keys, value=b"")), 2)
    play.see("a pass", play.compact())
