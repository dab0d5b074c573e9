"""KAFKA-7467: an empty control batch stops the cleaner."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records, sealed

BUG = Bug(
    id="KAFKA-7467",
    title="an empty control batch stops the cleaner",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.0.0",
    clients=("kafka-clients >=0.11.0",),
    symptom="NoSuchElementException in the log cleaner; cleaner thread died on a transactional topic",
    cause=(
        "An earlier pass removed the marker of a control batch, and the batch stayed for the sake of its producer."
        " The next pass asks for its first record."
    ),
    remedy="Upgrade to 2.0.1.",
    sources=("KAFKA-7467", "apache/kafka commit 431752bdf7f", "behaviour cleaner.empty_marker"),
    affected=Side("2.0.0"),
    cured=Side("2.0.1"),
    sees={"a pass over what an earlier one left": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    producer = play.begin_transaction("tx")
    play.end_transaction("tx", producer, commit=False)
    play.produce(batch(records(1)), 6)
    play.tell("an earlier pass removed the marker, and left its batch empty for the sake of the producer")
    name = "t-0/00000000000000000000.log"
    data = play.file(name) or b""
    marker = play.log()[0].size
    play.edit({name: _emptied(data[:marker]) + data[marker:]})
    play.see("a pass over what an earlier one left", play.compact())


def _emptied(data: bytes) -> bytes:
    """The header of a batch, with no records after it."""
    return sealed(data[:8] + (61 - 12).to_bytes(4, "big") + data[12:57] + bytes(4))
