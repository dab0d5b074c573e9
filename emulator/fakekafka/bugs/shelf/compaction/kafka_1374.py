"""KAFKA-1374: the cleaner takes compressed sets apart and loses its place."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-1374",
    title="the cleaner takes compressed sets apart and loses its place",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("any producer with compression",),
    symptom=(
        "compacted topics cannot be used with compression; cleaner thread dies on compressed messages; offsets"
        " topic with compression breaks"
    ),
    cause="0.8.1 and 0.8.2 write messages of a wrapper as plain ones, and read on at a wrong position after it.",
    remedy="No compression for compacted topics before 0.9.",
    sources=("KAFKA-1374", "behaviour cleaner.wrappers"),
    shown="not",
    unshown="its story is not written; the behaviour cleaner.wrappers plays it, and its tests show both sides",
)
