"""KAFKA-8724: a cleaner checkpoint beyond the log's end is trusted."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-8724",
    title="a cleaner checkpoint beyond the log's end is trusted",
    part="compaction",
    kind="bug",
    releases="0.9.0.0 - 2.3.0",
    clients=("any consumer of compacted topics",),
    symptom=(
        "log cleaner stops after an unclean leader election; requirement failed, offset beyond log end;"
        " compaction of one partition never goes on"
    ),
    cause=(
        "A log was truncated below the offset up to which it is noted as clean. The cleaner begins beyond its end"
        " and fails."
    ),
    remedy="Remove the partition's line from cleaner-offset-checkpoint while the broker is down; upgrade to 2.3.1.",
    sources=("KAFKA-8724", "apache/kafka commit 064017b2b7a", "behaviour cleaner.dirty_offset_check"),
    affected=Side("2.3.0"),
    cured=Side("2.3.1"),
    sees={"offsets left after a pass": ([0, 1, 2], [2])},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    for _ in range(3):
        play.produce(play.set_of(records(1)), 7)
    play.tell("the cleaner has a note that it has reached offset 100, which the log had before it was truncated")
    play.edit({"cleaner-offset-checkpoint": b"0\n1\nt 0 100\n"})
    play.compact()
    play.see("offsets left after a pass", [record.offset for one in play.log() for record in one.records()])
