"""KAFKA-4529: tombstones are removed by the first pass."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, records, unit

BUG = Bug(
    id="KAFKA-4529",
    title="tombstones are removed by the first pass",
    part="compaction",
    kind="bug",
    releases="0.10.1.0",
    clients=("any consumer of compacted topics", "kafka-streams"),
    symptom=(
        "deleted keys come back; state store shows records that were deleted; consumer never saw the tombstone;"
        " tombstones removed too early"
    ),
    cause=(
        "delete.retention.ms is counted from the largest timestamp of a segment instead of its file's time."
        " Tombstones with old timestamps, such as those of replicated data, are gone before a slow consumer sees"
        " them."
    ),
    remedy="Upgrade to 0.10.1.1.",
    sources=("KAFKA-4529", "recorded from 0.8.2.2 to 4.3.1: storage_compact d0, d1"),
    affected=Side("0.10.1.0"),
    cured=Side("0.10.1.1"),
    sees={"tombstones after the first passes": (0, 1)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", delete_retention_ms=86_400_000, segment_bytes=120)
    play.tell("tombstones with timestamps of last year, in segments of one day")
    old = NOW - 365 * 86_400_000
    play.produce(unit(1, records(1, time=old, keys=[b"gone"])), 2)
    play.produce(unit(1, records(1, time=old, keys=[b"gone"], value=None)), 2)
    play.produce(unit(1, records(1, keys=[b"other"])), 2)
    play.compact()
    play.produce(unit(1, records(1, keys=[b"another"])), 2)
    play.compact()
    play.see("tombstones after the first passes", sum(r.value is None for one in play.log() for r in one.records()))
