"""KAFKA-6554: batches whose counts and offset deltas disagree are stored unchanged."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, sealed

BUG = Bug(
    id="KAFKA-6554",
    title="batches whose counts and offset deltas disagree are stored unchanged",
    part="produce",
    kind="bug",
    releases="0.11.0.0 - 1.0.2",
    clients=("sarama <1.15.0", "any self-made producer"),
    symptom=(
        "offsets skip or repeat; consumer offset jumps; Illegal offset, monotonic, in server.log on fetch; low"
        " level producer worked on 1.0 and gets CORRUPT_MESSAGE on 1.1"
    ),
    cause=(
        "A batch of format 2 whose last offset delta is not its count minus one. Up to 1.0 it is appended; later"
        " its offsets leave a gap or overlap, and converting it may fail the fetch."
    ),
    remedy="Repair the producer; 1.1 refuses such batches with 2, 2.4 with 87.",
    sources=("KAFKA-6554", "IBM/sarama#1013", "recorded from 0.11.0.3 to 1.1.1: produce_refusals"),
    affected=Side("1.0.2"),
    cured=Side("1.1.1"),
    sees={"three records that say they are six": ("NONE", "CORRUPT_MESSAGE"), "offsets of the batch": ([-3, 2], [])},
)


def story(play: Play) -> None:
    play.topic()
    data = bytearray(batch())
    data[23:27] = (5).to_bytes(4, "big")
    play.see("three records that say they are six", play.produce(sealed(data), 3).error)
    play.see(
        "offsets of the batch", [at for unit in play.fetch(0, 4).units for at in (unit.base_offset, unit.last_offset)]
    )
