"""KAFKA-6834: a batch larger than the current limit stops the cleaner."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6834",
    title="a batch larger than the current limit stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.10.1.0 - 1.1.1",
    clients=("any producer of large messages",),
    symptom="log cleaner exits after max.message.bytes was lowered; batch larger than maximum allowable size",
    cause="The limit was higher when the batch was written. The cleaner's buffer grows only up to the current limit.",
    remedy="Raise max.message.bytes until the log is cleaned; upgrade to 2.0.",
    sources=("KAFKA-6834", "behaviour cleaner.largest_unit"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.largest_unit plays it, and its tests show both sides"),
)
