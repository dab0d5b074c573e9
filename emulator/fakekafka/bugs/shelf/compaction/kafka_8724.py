"""KAFKA-8724: a cleaner checkpoint beyond the log's end is trusted."""

from fakekafka.bugs.bug import Bug

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
    shown="not",
    unshown=(
        "it has no story: the behaviour cleaner.dirty_offset_check plays it, and the tests of that behaviour"
        " show both sides"
    ),
)
