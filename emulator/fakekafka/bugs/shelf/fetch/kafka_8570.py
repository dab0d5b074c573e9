"""KAFKA-8570: a slice of new and then old formats does not fit into the buffer of its conversion."""

from random import Random

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import GZIP, batch, records, unit

BUG = Bug(
    id="KAFKA-8570",
    title="a slice of new and then old formats does not fit into the buffer of its conversion",
    part="fetch",
    kind="bug",
    releases="0.11.0.0 - 1.1.1",
    clients=("kafka-clients <0.11.0", "kafka-python <1.4.0", "pykafka", "sarama <1.14.0"),
    symptom=(
        "UNKNOWN -1 for fetches after message.format.version was lowered and raised; BufferOverflowException in"
        " server.log during down-conversion"
    ),
    cause=(
        "Compressed batches of format 2 come before an old unit that stays as it is. The buffer's size is"
        " estimated for what is compressed, and the copy of the old unit does not fit: the whole fetch gets -1."
        " The ticket names releases up to 2.2.1 and 2.3.0; brokers of 2.0.1 and 2.3.1 that were asked did not"
        " fail."
    ),
    remedy="Upgrade consumers, or do not lower the format; the lazy conversion of 2.0 grows its buffer.",
    sources=("KAFKA-8570", "recorded from 0.11.0.3 and 2.3.1: odd_sets", "asked of 1.0.2, 1.1.1 and 2.0.1"),
    affected=Side("1.1.1"),
    cured=Side("2.0.1"),
    sees={"the fetch": ("UNKNOWN_SERVER_ERROR", "NONE")},
    real_clients=RealClients("pykafka==2.8.0"),
)


def story(play: Play) -> None:
    play.topic()
    noise = Random(1)
    play.produce(batch([row._replace(value=noise.randbytes(200)) for row in records(40)], GZIP), 3)
    play.tell("the format is lowered, an old producer writes a large message, and the format is raised again")
    play.configure(message_format_version="0.10.2")
    play.produce(unit(1, records(1, value=bytes(range(256)) * 40)), 2)
    play.configure(message_format_version="0.11.0")
    play.see("the fetch", play.fetch(0, 3).error)
