"""KAFKA-1374: the cleaner takes compressed sets apart and loses its place."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import GZIP, compress, message, records, unit

BUG = Bug(
    id="KAFKA-1374",
    title="the cleaner takes compressed sets apart and loses its place",
    part="compaction",
    kind="bug",
    releases="0.8.1.0 - 0.8.2.2",
    clients=("any producer with compression",),
    symptom=(
        "compacted topics cannot be used with compression; cleaner thread dies on compressed messages; offsets"
        " topic with compression breaks"
    ),
    cause=(
        "The cleaner of 0.8.1 and 0.8.2 writes the messages inside a compressed one as plain messages, and then reads"
        " on at a wrong position."
    ),
    remedy="Upgrade to 0.9; before, do not compress what is sent to compacted topics.",
    sources=("KAFKA-1374", "apache/kafka commit bb133c63b06", "behaviour cleaner.wrappers"),
    affected=Side("0.8.2.2"),
    cured=Side("0.9.0.1"),
    sees={"codecs of what a pass leaves": ([0, 0, 0, 0], [1, 0])},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    for n in range(2):
        inner = unit(0, records(3, time=-1))
        play.produce(message(2, 0, -1, GZIP, b"k%d" % n, compress(GZIP, inner)), 0)
    play.produce(unit(0, records(1, time=-1, keys=[b"last"])), 0)
    play.tell("two sets compressed with gzip, the second with the keys of the first, and a plain message")
    play.compact()
    play.see("codecs of what a pass leaves", [one.codec for one in play.log()])
