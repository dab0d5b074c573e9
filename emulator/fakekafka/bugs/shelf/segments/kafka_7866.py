"""KAFKA-7866: offsets are assigned twice after the transaction index could not be written."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7866",
    title="offsets are assigned twice after the transaction index could not be written",
    part="segments",
    kind="fault",
    releases="0.11.0.0 - 2.2.0",
    clients=("kafka-clients >=0.11.0",),
    symptom="offsets go backwards; duplicate offsets in a log; out of order offsets on followers after an I/O error",
    cause=(
        "Records are on disk when the entry for the index of aborted transactions fails. The log's end is not"
        " moved, so that the next batch gets the same offsets."
    ),
    remedy="Upgrade to 2.2.1.",
    sources=("KAFKA-7866",),
    shown="not",
    unshown=(
        "it takes a disk that fails between two writes of one append, and the double performs them in the same"
        " order in all releases"
    ),
)
