"""KAFKA-7215: one failure stops the cleaner for all logs."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-7215",
    title="one failure stops the cleaner for all logs",
    part="compaction",
    kind="era",
    releases="0.8.1.0 - 2.0.1",
    clients=("any consumer of compacted topics",),
    symptom="all compaction stopped because of one partition; log-cleaner thread is gone; __consumer_offsets grows",
    cause="Any error in one partition ends the thread of the cleaner until the broker starts again.",
    remedy="Restart; upgrade to 2.1, which leaves out the partition alone.",
    sources=("KAFKA-7215", "behaviour cleaner.failure"),
    shown="not",
    unshown="its story is not written; the behaviour cleaner.failure plays it, and its tests show both sides",
)
