"""KAFKA-806: an index has only one entry for a set of many batches."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-806",
    title="an index has only one entry for a set of many batches",
    part="segments",
    kind="era",
    releases="0.8.0 - 3.9.0, 4.0.0",
    clients=("followers", "any consumer"),
    symptom=(
        "fetch from the middle of a segment is slow after compaction or on followers; disk reads far more than is sent"
    ),
    cause=(
        "A position is noted at most once for an append. Followers and the cleaner append many batches at once,"
        " and reads begin far before the requested offset."
    ),
    remedy="A smaller replica.fetch.max.bytes; upgrade to 3.9.1 or 4.0.1.",
    sources=("KAFKA-806", "behaviour log.index_entry_per"),
    shown="not",
    unshown=("its story is not written; the behaviour log.index_entry_per plays it, and its tests show both sides"),
)
