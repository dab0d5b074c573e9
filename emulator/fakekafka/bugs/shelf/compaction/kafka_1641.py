"""KAFKA-1641: a cleaner checkpoint before the log's start stops the cleaner."""

from fakekafka.bugs.bug import Bug

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
    cause=(
        "Segments were deleted below the offset that is noted. The cleaner looks for a segment that no longer exists."
    ),
    remedy="Restart after the checkpoint's line is removed; upgrade to 0.9.",
    sources=("KAFKA-1641", "behaviour cleaner.dirty_offset_check"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour cleaner.dirty_offset_check plays it, and that one's tests show"
        " both sides"
    ),
)
