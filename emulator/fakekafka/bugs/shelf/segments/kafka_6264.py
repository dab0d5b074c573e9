"""KAFKA-6264: a segment whose offsets reach beyond its base by 2**31 cannot be cleaned or indexed."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

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
    sources=(
        "KAFKA-6264",
        "KAFKA-4451",
        "KAFKA-5413",
        "KAFKA-6530",
        "asked of 1.1.1 and 2.0.1",
        "behaviour log.index_overflow",
    ),
    affected=Side("1.1.1"),
    cured=Side("2.0.1"),
    story_on="0.9.0.0 - 0.9.0.1, 0.10.2.0 - 1.1.1",
    elsewhere="0.8, 0.10.0 and 0.10.1 pass over this log without an error (asked of 0.8.2.2 and 0.10.1.1)",
    sees={
        "a pass": ("the cleaner stops", "done"),
        "first offsets of the segments": ([0, 2**31 + 1], [0, 2**31, 2**31 + 1]),
    },
)


FAR: Final = 2**31


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.produce(play.set_of(records(1, keys=[b"a"])), 6)
    play.tell("a copied log has a segment whose last offset is 2**31")
    units = [play.set_of(records(1, first=offset, keys=[b"%d" % offset])) for offset in (0, 1, FAR)]
    play.edit({f"t-0/{0:020d}.log": b"".join(units)})
    play.see("a pass", play.compact())
    play.see("first offsets of the segments", [int(name[4:24]) for name in play.files("t-0/", ".log")])
