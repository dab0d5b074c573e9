"""KAFKA-6264: a segment whose offsets reach beyond its base by 2**31 cannot be cleaned or indexed."""

from fakekafka.bugs.bug import Bug

BUG = Bug(
    id="KAFKA-6264",
    title="a segment whose offsets reach beyond its base by 2**31 cannot be cleaned or indexed",
    part="segments",
    kind="bug",
    releases="0.8.0 - 1.1.1",
    clients=("mirror-maker", "any producer to compacted topics"),
    symptom=(
        "log cleaner dies; Argument is greater than Integer.MaxValue; negative relative offset; index sanity"
        " check failed; __consumer_offsets cannot be compacted"
    ),
    cause=(
        "Entries of an offset index are four bytes, relative to the segment's base. A sparse compacted log, or"
        " one whose producer was restored elsewhere, has a segment with offsets further away; the entry wraps,"
        " or the cleaner's check fails."
    ),
    remedy="Upgrade to 2.0, which splits such segments when it starts.",
    sources=("KAFKA-6264", "KAFKA-4451", "KAFKA-5413", "KAFKA-6530"),
    shown="not",
    unshown=(
        "the emulator does not load a segment whose offsets reach beyond 2**31: it neither splits it, as 2.0 does,"
        " nor writes wrapped entries"
    ),
)
