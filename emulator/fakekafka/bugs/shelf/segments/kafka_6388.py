"""KAFKA-6388: a segment is rolled onto its own name."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records

BUG = Bug(
    id="KAFKA-6388",
    title="a segment is rolled onto its own name",
    part="segments",
    kind="bug",
    releases="0.8.0 - 2.1.0",
    clients=("any producer",),
    symptom=(
        "Trying to roll a new log segment for topic partition with start offset while it already exists; produce"
        " fails for one partition for ever; idle partition"
    ),
    cause=(
        "A file with the new segment's name already exists, from an empty active segment or a failed roll. The"
        " roll deletes or overwrites it, and the append fails."
    ),
    remedy="Restart the broker after the file was removed; upgrade to 2.1.1, which replaces an empty one.",
    sources=("KAFKA-6388", "recorded from 1.1.1 and 2.3.1: storage_recovery mcut"),
    shown="its mechanism",
    affected=Side("2.1.0"),
    cured=Side("2.1.1"),
    story_on="0.8.1.0 - 2.1.0",
    elsewhere="0.8.0 has no configs of topics",
    sees={"two sets to an empty segment with a full index": (["UNKNOWN_SERVER_ERROR"] * 2, ["NONE"] * 2)},
)


ROOM: Final = 10
ENTRY_SIZE: Final = 8


def story(play: Play) -> None:
    play.topic(segment_index_bytes=ROOM * ENTRY_SIZE)
    play.tell("the index of an empty segment is full of entries, so that the segment ends before its first record")
    entries = [offset.to_bytes(4, "big") + bytes(4) for offset in range(1, ROOM + 1)]
    play.edit({f"t-0/{0:020d}.index": b"".join(entries)})
    answers = [play.produce(play.set_of(records()), 7).error for _ in range(2)]
    play.see("two sets to an empty segment with a full index", answers)
