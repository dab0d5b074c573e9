"""KAFKA-8764: holes at a segment's end are cleaned again and again."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-8764",
    title="holes at a segment's end are cleaned again and again",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.4.0",
    clients=("any consumer of compacted topics",),
    symptom=(
        "log cleaner runs without pause; high cpu of the cleaner thread on an idle topic; the same segment is"
        " cleaned for ever"
    ),
    cause=(
        "The cleaned part ends at the last batch that was read. Where a hole follows, the rest of the segment"
        " stays dirty, and the next pass finds it again."
    ),
    remedy="Upgrade to 2.4.1.",
    sources=("KAFKA-8764", "behaviour cleaner.cleaned_up_to"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.cleaned_up_to plays it, and its tests show both sides"),
)
