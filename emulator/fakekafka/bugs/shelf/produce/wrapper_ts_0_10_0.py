"""WRAPPER-TS-0.10.0: the timestamp of a compressed set stays what the producer wrote."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, NOW, compress, message, records, unit

BUG = Bug(
    id="WRAPPER-TS-0.10.0",
    title="the timestamp of a compressed set stays what the producer wrote",
    part="produce",
    kind="bug",
    releases="0.10.0.0 - 0.10.0.1",
    clients=("any producer that leaves out the timestamp of its sets",),
    symptom=(
        "after the upgrade to 0.10.1 data is deleted at once or never; ListOffsets by time finds nothing;"
        " timestamps of compressed messages wrong"
    ),
    cause=(
        "Produce 2 with a wrapper whose timestamp is not the largest one inside. 0.10.0 stores it as it is; time"
        " indexes and retention of 0.10.1 are then built on it."
    ),
    remedy="Upgrade to 0.10.1 before clients write format 1, or let producers write the largest timestamp.",
    sources=(
        "ByteBufferMessageSet of 0.10.0.0 and 0.10.1.0",
        "recorded from 0.10.0.1 and 0.10.1.1: produce_timestamps",
    ),
    affected=Side("0.10.0.1"),
    cured=Side("0.10.1.1"),
    sees={"timestamp of the wrapper": (-1, NOW + 2)},
)


def story(play: Play) -> None:
    play.topic()
    play.tell("a producer leaves the wrapper's timestamp at -1")
    play.produce(message(1, 2, -1, GZIP, None, compress(GZIP, unit(1, records()))), 2)
    play.see("timestamp of the wrapper", play.fetch(0, 2).units[0].max_timestamp)
