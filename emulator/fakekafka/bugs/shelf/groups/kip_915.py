"""KIP-915: a newer record in the offsets topic stops its loading."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, unit
from fakekafka.records.record import Record
from fakekafka.records.scan import units

BUG = Bug(
    id="KIP-915",
    title="a newer record in the offsets topic stops its loading",
    part="groups",
    kind="era",
    releases="0.9.0.0 - 3.4.0",
    clients=("any consumer group",),
    symptom=(
        "all groups lost after a downgrade from 4.0; Unknown group metadata message version,"
        " IllegalStateException while loading; downgrade breaks consumers"
    ),
    cause=(
        "A newer coordinator has written a kind of record that is unknown. Loading stops there, and what follows"
        " is not loaded."
    ),
    remedy="Go back to 3.4.1 or later only.",
    sources=("KIP-915", "KAFKA-14869", "behaviour offsets.unknown_record"),
    affected=Side("3.4.0"),
    cured=Side("3.4.1"),
    sees={"the offset committed after the unknown record": (-1, 2)},
)


OFFSETS: Final = "__consumer_offsets-0/00000000000000000000.log"


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 9)
    play.commit(2)
    play.tell("a newer coordinator had written a record with key version 99 before the commit")
    unknown = unit(2, [Record(0, play.now, 0, bytes([0, 99]), b"newer")])
    commits = play.file(OFFSETS) or b""
    moved = b"".join(_one_later(commits[one.position : one.position + one.size]) for one in units(commits))
    play.edit({OFFSETS: unknown + moved})
    play.see("the offset committed after the unknown record", play.committed())


def _one_later(data: bytes) -> bytes:
    """A batch at the next offset; its checksum does not cover the offset."""
    return (int.from_bytes(data[:8], "big") + 1).to_bytes(8, "big") + data[8:]
