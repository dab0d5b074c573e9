"""KAFKA-2024: cleaned segments span more offsets than an index can hold."""

from fakekafka.bugs.bug import Bug

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
    sources=("KAFKA-2024", "behaviour cleaner.group_span"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.group_span plays it, and its tests show both sides"),
)
