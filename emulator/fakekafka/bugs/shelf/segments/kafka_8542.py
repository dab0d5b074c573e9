"""KAFKA-8542: a refused batch rolls the segment."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-8542",
    title="a refused batch rolls the segment",
    part="segments",
    kind="bug",
    releases="2.4.0 -",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "empty or tiny segments appear; segments roll though nothing was appended; duplicates of an idempotent"
        " producer roll the log"
    ),
    cause=(
        "Whether a segment must end is decided before the producer's sequence is checked, so that a duplicate or"
        " a refused batch rolls it."
    ),
    remedy="Harmless except for the number of files.",
    sources=("KAFKA-8542", "behaviour log.roll_before_producer_check"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour log.roll_before_producer_check plays it, and that one's tests"
        " show both sides"
    ),
)
