"""KAFKA-1670: with segment.bytes near 2**31 segments never end, or cannot be read to the end."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-1670",
    title="with segment.bytes near 2**31 segments never end, or cannot be read to the end",
    part="segments",
    kind="bug",
    releases="0.8.0 - 0.8.1.1",
    clients=("any producer",),
    symptom=(
        "segment grows beyond segment.bytes; negative position; IllegalArgumentException when reading near 2 GB;"
        " log never rolls"
    ),
    cause=(
        "segment.bytes is 2147483647, and position plus size overflow an int. It came back twice, in 0.11 to"
        " 1.1.0 (KAFKA-6292) and in reads up to 0.10.1 (KAFKA-4576)."
    ),
    remedy="Set segment.bytes to 2147483000 or less.",
    sources=("KAFKA-1670", "KAFKA-6292", "KAFKA-4576"),
    shown="not",
    unshown="showing it takes a segment of two gigabytes",
)
