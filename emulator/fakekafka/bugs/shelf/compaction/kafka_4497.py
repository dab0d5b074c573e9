"""KAFKA-4497: the time index of a cleaned segment points at a wrong message."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-4497",
    title="the time index of a cleaned segment points at a wrong message",
    part="compaction",
    kind="bug",
    releases="0.10.1.0",
    clients=("any consumer that seeks by time",),
    symptom="offsetsForTimes gives a wrong offset on compacted topics; time index and log disagree after compaction",
    cause="The offset beside the largest timestamp is that of the wrapper that was read last, not of the message.",
    remedy="Upgrade to 0.10.1.1.",
    sources=("KAFKA-4497", "behaviour cleaner.offset_of_max_timestamp"),
    shown="not",
    unshown=(
        "its story is not written; the behaviour cleaner.offset_of_max_timestamp plays it, and that one's tests"
        " show both sides"
    ),
)
