"""KAFKA-16341: the time index points at the end of an uncompressed batch."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, batch, records

BUG = Bug(
    id="KAFKA-16341",
    title="the time index points at the end of an uncompressed batch",
    part="produce",
    kind="bug",
    releases="3.7.0 -",
    clients=("any admin client",),
    symptom=(
        "kafka-get-offsets --time -3 gives a later offset for uncompressed topics since 3.7.0; time index points at the"
        " end of the batch"
    ),
    cause=(
        "The time index gets the largest timestamp of an uncompressed batch with the batch's last offset; before 3.7 it"
        " got the offset of the record that has this timestamp. 3.7 also answers ListOffsets for the largest timestamp"
        " (-3) with the last offset. Other look-ups by time search the batch, and are right."
    ),
    remedy="Upgrade to 3.8, which searches the batch for -3 as well; in 3.7, read the batch and search it.",
    sources=("KAFKA-16341", "apache/kafka commit bf3f088c944", "behaviour append.plain_time_offset"),
    affected=Side("3.7.2"),
    cured=Side("3.6.2"),
    sees={"offset beside the largest timestamp": (2, 0)},
)


def story(play: Play) -> None:
    play.topic()
    rows = records()
    play.produce(batch([rows[0]._replace(timestamp=NOW + 1000), *rows[1:]]), 9)
    play.tell("the first of three records is the newest; a clean stop writes the time index")
    play.restart()
    entry = (play.file("t-0/00000000000000000000.timeindex") or b"")[:12]
    play.see("offset beside the largest timestamp", int.from_bytes(entry[8:], "big"))
