"""KAFKA-6530: a segment after a gap is named after the wrong offset."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6530",
    title="a segment after a gap is named after the wrong offset",
    part="segments",
    kind="bug",
    releases="0.10.2.0 - 1.1.1",
    clients=("followers",),
    symptom="segment file name is lower than the segment's first offset, on a follower of a compacted topic with gaps",
    cause=(
        "A set that follows a gap may need a new segment, named after its first offset. The broker guesses that offset"
        " as the set's last one less 2147483647 (KAFKA-4451), though in format 2 the header has it."
    ),
    remedy="Upgrade to 2.0.",
    sources=("KAFKA-6530", "apache/kafka commit ae31ee63dc3", "behaviour log.new_segment_base"),
    shown="not",
    unshown="only a follower appends sets with gaps before them, and a story has one broker",
)
