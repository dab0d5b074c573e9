"""KAFKA-6388: a segment is rolled onto its own name."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6388",
    title="a segment is rolled onto its own name",
    part="segments",
    kind="bug",
    releases="0.8.0 - 2.1.0",
    clients=("any producer",),
    symptom=(
        "Trying to roll a new log segment for topic partition with start offset while it already exists; produce"
        " fails for one partition for ever; idle partition"
    ),
    cause=(
        "A file with the new segment's name already exists, from an empty active segment or a failed roll. The"
        " roll deletes or overwrites it, and the append fails."
    ),
    remedy="Restart the broker after the file was removed; upgrade to 2.1.1, which replaces an empty one.",
    sources=("KAFKA-6388", "recorded from 1.1.1 and 2.3.1: storage_recovery mcut"),
    shown="not",
    unshown=(
        "the index of an empty segment must believe that it is full, which depends on the size of a memory map;"
        " the recordings of 1.1.1 and 2.3.1 show the failed roll"
    ),
)
