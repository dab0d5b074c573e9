"""KAFKA-16310: the offset of the largest timestamp is that of the last record of its batch."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, batch, records

BUG = Bug(
    id="KAFKA-16310",
    title="the offset of the largest timestamp is that of the last record of its batch",
    part="timestamps",
    kind="bug",
    releases="3.0.0 - 3.7.2",
    clients=("kafka-clients >=3.0.0", "librdkafka >=2.3.0", "any admin client"),
    symptom=(
        "kafka-get-offsets --time -3 gives a wrong offset; OffsetSpec.maxTimestamp; latest record by timestamp"
        " is another one"
    ),
    cause=(
        "ListOffsets for -3 answers with the offset that the segment keeps beside its largest timestamp, which"
        " is the last one of a compressed batch, wherever in it the record is."
    ),
    remedy="Read the batch and search in it; upgrade to 3.8.",
    sources=("KAFKA-16310", "KAFKA-16341", "KIP-734", "recorded from 3.0.2 to 3.9.1: list_offsets"),
    affected=Side("3.6.2"),
    cured=Side("3.8.1"),
    sees={"offset of the youngest record, which is 0": (2, 0)},
)


def story(play: Play) -> None:
    play.topic()
    rows = records()
    play.produce(batch([rows[0]._replace(timestamp=NOW + 500), *rows[1:]], GZIP), 9)
    play.see("offset of the youngest record, which is 0", play.list_offset(-3, 7)[1])
