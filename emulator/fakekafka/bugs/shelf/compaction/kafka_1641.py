"""KAFKA-1641: a cleaner checkpoint before the log's start stops the cleaner."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-1641",
    title="a cleaner checkpoint before the log's start stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("any consumer of compacted topics",),
    symptom=(
        "log cleaner exits; requirement failed, last clean offset is smaller than the log's base; after topic"
        " deletion or retention"
    ),
    cause="Segments below the noted offset were deleted. The cleaner looks for a segment that no longer exists.",
    remedy="Remove the partition's line from the checkpoint, and restart; upgrade to 0.9.",
    sources=("KAFKA-1641", "apache/kafka commit 35f589bb465", "behaviour cleaner.dirty_offset_check"),
    affected=Side("0.8.2.2", config={"log.cleaner.enable": "true"}),
    cured=Side("0.9.0.1"),
    sees={"a pass after the log's beginning was lost": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", segment_bytes=100)
    for _ in range(4):
        play.produce(unit(0, records(1, time=-1, value=b"v" * 60)), 0)
    play.tell("the oldest segments are deleted, and the cleaner has a note that it has reached offset 0")
    old = [name for name in play.stage.files("t-0/") if name[4:24] < f"{2:020d}"]
    play.edit({**dict.fromkeys(old), "cleaner-offset-checkpoint": b"0\n1\nt 0 0\n"})
    play.see("a pass after the log's beginning was lost", play.compact())
