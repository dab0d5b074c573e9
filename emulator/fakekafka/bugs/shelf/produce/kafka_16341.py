"""KAFKA-16341: the time index has no entry for uncompressed records."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-16341",
    title="the time index has no entry for uncompressed records",
    part="produce",
    kind="bug",
    releases="3.7.0 -",
    clients=("any consumer that seeks by time",),
    symptom=(
        "offsetsForTimes gives a later offset since 3.7.0; time index points at the end of the batch;"
        " uncompressed topics"
    ),
    cause="The offset beside the largest timestamp of an uncompressed set is the last of its unit.",
    remedy="Read on from the offset before; ListOffsets for the largest timestamp is right from 3.8 on.",
    sources=("KAFKA-16341", "behaviour append.plain_time_offset"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour append.plain_time_offset plays it, and that one's tests show"
        " both sides"
    ),
)
