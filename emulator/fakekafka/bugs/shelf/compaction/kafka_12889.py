"""KAFKA-12889: the cleaner leaves empty segments at every 2**31 offsets."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-12889",
    title="the cleaner leaves empty segments at every 2**31 offsets",
    part="compaction",
    kind="bug",
    releases="0.10.2.2 - 2.8.2",
    clients=("any consumer of compacted topics",),
    symptom="thousands of empty segments; many open files; compacted partition with almost no data has many segments",
    cause=(
        "Groups of segments end where offsets could not be written relative to the first base, even where"
        " segments are empty."
    ),
    remedy="Upgrade to 3.0.",
    sources=("KAFKA-12889", "behaviour cleaner.group_span"),
    shown="not",
    unshown=("its story is not written; the behaviour cleaner.group_span plays it, and its tests show both sides"),
)
