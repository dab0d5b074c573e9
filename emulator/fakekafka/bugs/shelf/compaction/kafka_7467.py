"""KAFKA-7467: an empty control batch stops the cleaner."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7467",
    title="an empty control batch stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.0.0",
    clients=("kafka-clients >=0.11.0",),
    symptom="NoSuchElementException in the log cleaner; cleaner thread died on a transactional topic",
    cause=(
        "An earlier pass removed the marker of a control batch, and the batch stayed for the sake of its producer."
        " The next pass asks for its first record."
    ),
    remedy="Upgrade to 2.0.1.",
    sources=("KAFKA-7467", "behaviour cleaner.empty_marker"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.empty_marker plays it, and its tests show both sides"),
)
