"""KAFKA-806: an index has only one entry for a set of many batches."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-806",
    title="an index has only one entry for a set of many batches",
    part="segments",
    kind="era",
    releases="0.8.0 - 3.9.0, 4.0.0",
    clients=("followers", "any consumer"),
    symptom=(
        "fetch from the middle of a segment is slow after compaction or on followers; disk reads far more than is sent"
    ),
    cause=(
        "A position is noted at most once for an append. Followers and the cleaner append many batches at once,"
        " and reads begin far before the requested offset."
    ),
    remedy="Lower replica.fetch.max.bytes; upgrade to 3.9.1 or 4.0.1.",
    sources=(
        "KAFKA-806",
        "apache/kafka#18012",
        "apache/kafka#18842",
        "apache/kafka#18843",
        "behaviour log.index_entry_per",
    ),
    affected=Side("3.9.0"),
    cured=Side("3.9.1"),
    story_on="0.8.1.0 - 3.9.0, 4.0.0",
    elsewhere="0.8.0 has no configs of topics",
    sees={"entries in the index of 20 batches that the cleaner wrote": (0, 9)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", index_interval_bytes=100)
    for n in range(20):
        play.produce(play.set_of(records(3, keys=[b"%d" % n, b"x", b"y"])), 9)
    play.compact()
    entries = len(play.file("t-0/00000000000000000000.index") or b"") // 8
    play.see("entries in the index of 20 batches that the cleaner wrote", entries)
