"""KAFKA-2235: a segment with more offsets than the map holds stops the cleaner."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-2235",
    title="a segment with more offsets than the map holds stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.9.0.0 - 0.9.0.1",
    clients=("any producer to compacted topics",),
    symptom="log cleaner exits; requirement failed: messages in segment but offset map can fit only; 0.9",
    cause=(
        "Whether a segment fits is judged by its range of offsets, most of which compaction has removed, instead of"
        " its keys."
    ),
    remedy="A larger log.cleaner.dedupe.buffer.size; upgrade to 0.10.",
    sources=("KAFKA-2235", "behaviour cleaner.map_limit"),
    shown="not",
    unshown="its story is not written; the behaviour cleaner.map_limit plays it, and its tests show both sides",
)
