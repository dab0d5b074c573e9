"""KAFKA-3587: a segment with more offsets than the map holds stops the cleaner."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-3587",
    title="a segment with more offsets than the map holds stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("any producer to compacted topics",),
    symptom="log cleaner exits; requirement failed: messages in segment but offset map can fit only; 0.9",
    cause=(
        "Whether a segment fits is judged by its range of offsets, most of which compaction has removed, instead of"
        " its keys."
    ),
    remedy="Raise log.cleaner.dedupe.buffer.size; upgrade to 0.10.",
    sources=(
        "KAFKA-3587",
        "apache/kafka commit 2caf872c2e5",
        "KAFKA-2235, whose cure brought it",
        "behaviour cleaner.map_limit",
    ),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.tell("90000 messages with a hundred keys, in one segment; the map of 2 MiB has room for some 78000")
    for _ in range(9):
        play.produce(unit(0, records(10_000, keys=[b"%d" % (n % 100) for n in range(10_000)], value=b"", time=-1)), 1)
    play.see("a pass", play.compact())
