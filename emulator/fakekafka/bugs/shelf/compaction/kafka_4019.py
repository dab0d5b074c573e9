"""KAFKA-4019: a message larger than the broker's limit stops the cleaner though its topic allows it."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-4019",
    title="a message larger than the broker's limit stops the cleaner though its topic allows it",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.10.0.1",
    clients=("any producer of large messages",),
    symptom=(
        "log cleaner exits; This log contains a message larger than maximum allowable size; max.message.bytes"
        " set on the topic"
    ),
    cause=(
        "The cleaner's buffer grows up to message.max.bytes only, and dies on a message that the topic's own"
        " limit allows."
    ),
    remedy="Raise message.max.bytes on the broker; upgrade to 0.10.1.",
    sources=("KAFKA-4019", "behaviour cleaner.largest_unit"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.largest_unit plays it, and its tests show both sides"),
)
