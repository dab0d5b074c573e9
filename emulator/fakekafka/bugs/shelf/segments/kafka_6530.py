"""KAFKA-6530: a segment after a gap is named after the wrong offset."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6530",
    title="a segment after a gap is named after the wrong offset",
    part="segments",
    kind="bug",
    releases="0.10.2.0 - 1.1.1",
    clients=("followers",),
    symptom="segment file name does not match its first offset; log cannot be opened after a roll following a gap",
    cause="The new segment's base is computed back from the last offset of the set instead of read from its first.",
    remedy="Upgrade to 2.0.",
    sources=("KAFKA-6530", "behaviour log.new_segment_base"),
    shown="not",
    unshown=("only a follower appends sets with gaps before them, and a story has one broker"),
)
