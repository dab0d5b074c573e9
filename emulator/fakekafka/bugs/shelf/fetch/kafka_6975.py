"""KAFKA-6975: a log that begins within a batch cannot be replicated."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6975",
    title="a log that begins within a batch cannot be replicated",
    part="fetch",
    kind="bug",
    releases="1.0.0 - 1.0.1, 1.1.0",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "follower never comes back into the ISR after DeleteRecords; Out of order offsets found in append;"
        " OffsetOutOfRange in ReplicaFetcherThread"
    ),
    cause=(
        "DeleteRecords moves the log's start into a batch. A follower that starts there gets the whole batch,"
        " whose first offset lies before its own start, and its append fails."
    ),
    remedy="Delete records at the border of a batch, or upgrade to 1.0.2, 1.1.1 or 2.0.0.",
    sources=("KAFKA-6975",),
    shown="not",
    unshown=(
        "the defect is a follower's append; followers of the double take such a batch in every release, and no"
        " real cluster was asked"
    ),
)
