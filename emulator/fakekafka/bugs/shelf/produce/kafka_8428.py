"""KAFKA-8428: several compressed wrappers in one set are merged, and from 2.4 on they are refused."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, records, unit

BUG = Bug(
    id="KAFKA-8428",
    title="several compressed wrappers in one set are merged, and from 2.4 on they are refused",
    part="produce",
    kind="bug",
    releases="0.11.0.0 - 2.3.1",
    clients=("any self-made producer",),
    symptom=(
        "producer gets INVALID_RECORD since 2.4; Compressed outer record has more than one batch; offsets went"
        " backwards on disk before"
    ),
    cause=(
        "Produce 0 to 2 with two compressed wrappers for one partition. Up to 2.3 the broker makes one wrapper"
        " of them, or stamps only the first of them in place, so that offsets overlap; from 2.4 on it refuses"
        " the set."
    ),
    remedy="Send one wrapper per partition and request.",
    sources=("KAFKA-8428", "KAFKA-8106", "recorded from 0.10.2.2 to 3.9.1: produce_shapes"),
    affected=Side("2.3.1"),
    cured=Side("2.4.1"),
    sees={"two wrappers": ("NONE", "INVALID_RECORD")},
)


def story(play: Play) -> None:
    play.topic()
    play.see("two wrappers", play.produce(unit(1, records(), GZIP) * 2, 2).error)
