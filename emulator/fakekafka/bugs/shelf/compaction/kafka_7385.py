"""KAFKA-7385: the cleaner stops when only empty batches are left of what it read."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-7385",
    title="the cleaner stops when only empty batches are left of what it read",
    part="compaction",
    kind="bug",
    releases="2.0.0",
    clients=("any idempotent producer",),
    symptom=(
        "log cleaner thread died; IllegalArgumentException, largest offset -1; disk usage grows, compaction"
        " stopped for every topic"
    ),
    cause=(
        "All records of a portion are superseded, and only the last batches of producers stay, empty. Their"
        " largest offset is computed from records, and is -1; the append to the new segment fails."
    ),
    remedy="Restart helps until the next such portion; upgrade to 2.0.1 or 2.1.0.",
    sources=("KAFKA-7385", "LogCleaner of 2.0.0 and 2.0.1"),
    affected=Side("2.0.0"),
    cured=Side("2.0.1"),
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", segment_bytes=100)
    producer = play.producer_id()
    play.produce(batch(records(1, keys=[b"a"]), producer=producer), 6)
    play.produce(batch(records(1, keys=[b"a"])), 6)
    play.see("a pass", play.compact())
