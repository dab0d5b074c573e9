"""KAFKA-7467: a control batch that is empty stops the cleaner."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7467",
    title="a control batch that is empty stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.0.0",
    clients=("kafka-clients >=0.11.0",),
    symptom="NoSuchElementException in the log cleaner; cleaner thread died on a transactional topic",
    cause=(
        "The marker of a control batch went in an earlier pass, and the batch stayed for its producer's sake."
        " The next pass asks for its first record."
    ),
    remedy="Upgrade to 2.0.1.",
    sources=("KAFKA-7467", "behaviour cleaner.empty_marker"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour cleaner.empty_marker plays it, and that one's tests show both sides"
    ),
)
