"""BLIND-MAGIC-0.9: 0.8 and 0.9 store messages of formats that they do not know."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import NOW, message, sealed

BUG = Bug(
    id="BLIND-MAGIC-0.9",
    title="0.8 and 0.9 store messages of formats that they do not know",
    part="produce",
    kind="era",
    releases="0.8.0 - 0.9.0.1",
    clients=("sarama", "franz-go", "librdkafka"),
    symptom=(
        "garbage keys and values on a 0.9 cluster; client configured for 0.10 writes to a 0.9 broker without an"
        " error; key shifted by 8 bytes"
    ),
    cause=(
        "Their reader checks the checksum and never looks at the magic byte. What a client of a newer version"
        " sends is stored as it came, and read in the layout of format 0."
    ),
    remedy="Configure the client for the broker's version; 0.10 refuses magics that it does not know.",
    sources=("Message.scala of 0.9.0.1", "recorded from 0.8.2.2 and 0.9.0.1: produce_refusals"),
    affected=Side("0.9.0.1"),
    cured=Side("0.10.0.1"),
    sees={"a message of format 3": ("NONE", "UNKNOWN_SERVER_ERROR")},
)


def story(play: Play) -> None:
    play.topic()
    data = bytearray(message(1, 0, NOW, 0, b"key", b"value"))
    data[16] = 3
    play.see("a message of format 3", play.produce(sealed(data), 1).error)
