"""KAFKA-2000: offsets of deleted topics are kept."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-2000",
    title="offsets of deleted topics stay",
    part="groups",
    kind="era",
    releases="0.8.1.0 - 0.10.1.1",
    clients=("any consumer group",),
    symptom=(
        "lag of a deleted topic is still reported; consumer of a recreated topic starts at the old offset and"
        " skips records"
    ),
    cause=(
        "Committed offsets are not deleted with their topic. If it is created again, groups continue at the old"
        " offsets."
    ),
    remedy="Delete the group, or commit 0; upgrade to 0.10.2.",
    sources=("KAFKA-2000", "behaviour offsets.deleted_topics"),
    shown="not",
    unshown=("its story is not written; the behaviour offsets.deleted_topics plays it, and its tests show both sides"),
)
