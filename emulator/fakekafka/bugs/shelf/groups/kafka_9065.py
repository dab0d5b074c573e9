"""KAFKA-9065: a coordinator loads for ever if the offsets log ends in a gap."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-9065",
    title="a coordinator loads for ever if the offsets log ends in a gap",
    part="groups",
    kind="bug",
    releases="0.11.0.0 - 2.4.0",
    clients=("any consumer group",),
    symptom=(
        "COORDINATOR_LOAD_IN_PROGRESS 14 for ever; groups of one partition of __consumer_offsets cannot join"
        " after a restart"
    ),
    cause=(
        "Loading reads until the position reaches the log's end. If the last batches were compacted away, no read"
        " gets there, and loading never ends."
    ),
    remedy="Write to the partition (a commit of another group does), or upgrade to 2.4.1.",
    sources=("KAFKA-9065",),
    affected=Side("2.4.0"),
    cured=Side("2.4.1"),
    sees={"the group is loaded after a restart": (False, True)},
)


OFFSETS: Final = "__consumer_offsets-0"


def story(play: Play) -> None:
    play.topic()
    for offset in (1, 2):
        play.commit(offset)
    play.tell("the last batch of the offsets topic was compacted away; an empty segment begins after it")
    (first, last) = play.log("__consumer_offsets")
    name = f"{OFFSETS}/00000000000000000000.log"
    kept = (play.file(name) or b"")[: first.size]
    play.edit({name: kept, f"{OFFSETS}/{last.last_offset + 1:020d}.log": b""})
    play.advance(1000)
    play.see("the group is loaded after a restart", play.group_error() == "NONE")
