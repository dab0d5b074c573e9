"""KAFKA-4451: a segment goes on where its index cannot follow."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-4451",
    title="a follower cannot append where offsets leave a large gap",
    part="segments",
    kind="bug",
    releases="0.8.0 - 0.10.1.1",
    clients=("followers",),
    symptom=(
        "ReplicaFetcherThread dies; IllegalArgumentException, offset is larger than Integer.MaxValue relative to"
        " base; follower of a compacted partition never catches up; negative offsets in the index, which is found"
        " corrupt and is rebuilt at each start"
    ),
    cause=(
        "Offsets of a compacted log jump by more than 2**31. The active segment does not end for that, and its"
        " index cannot hold the entry."
    ),
    remedy="Upgrade to 0.10.2; deleting the follower's copy or raising log.segment.bytes does not help.",
    sources=(
        "KAFKA-4451",
        "apache/kafka commit e36e8079d8a",
        "asked of 0.10.1.1",
        "behaviour log.roll_at_offset_overflow",
    ),
    shown="its mechanism",
    affected=Side("0.10.1.1"),
    cured=Side("0.10.2.2"),
    story_on="0.8.1.0 - 0.10.1.1",
    elsewhere="0.8.0 has no configs of topics",
    sees={
        "first offsets of the segments": ([0], [0, 2**31 + 1]),
        "relative offsets in the first one's index": ([2 - 2**31], []),
    },
)


FAR: Final = 2**31
FIRST: Final = "t-0/00000000000000000000"
ENTRY_SIZE: Final = 8


def story(play: Play) -> None:
    play.topic(index_interval_bytes=10)
    play.produce(play.set_of(records(1)), 2)
    play.tell("a copied log goes on 2**31 offsets later, as that of a follower of a compacted partition")
    play.edit({f"{FIRST}.log": (play.file(f"{FIRST}.log") or b"") + play.set_of(records(1, first=FAR))})
    play.produce(play.set_of(records(1)), 2)
    play.produce(play.set_of(records(1)), 2)
    play.see("first offsets of the segments", [int(name[4:24]) for name in play.files("t-0/", ".log")])
    index = play.file(f"{FIRST}.index") or b""
    entries = [index[at : at + ENTRY_SIZE] for at in range(0, len(index), ENTRY_SIZE)]
    offsets = [int.from_bytes(entry[:4], "big", signed=True) for entry in entries if any(entry)]
    play.see("relative offsets in the first one's index", offsets)
