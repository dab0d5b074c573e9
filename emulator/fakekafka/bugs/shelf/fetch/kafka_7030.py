"""KAFKA-7030: with down-conversion switched off, old consumers get error 35."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-7030",
    title="with down-conversion switched off, old consumers get error 35",
    part="fetch",
    kind="era",
    releases="2.0.0 - 3.9.2",
    clients=("pykafka", "kafka-clients <0.11.0", "kafka-python <1.4.0", "sarama <1.14.0"),
    symptom=(
        "UNSUPPORTED_VERSION 35 on fetch; The version of API is not supported; Unexpected error code 35 while"
        " fetching data"
    ),
    cause=(
        "log.message.downconversion.enable, or the topic's own switch, is false, and a Fetch 0 to 3 meets newer"
        " units. The partition gets error 35, which clients of that age do not expect there."
    ),
    remedy="This switch protects brokers: upgrade the consumers, or switch conversion on.",
    sources=("KIP-283", "KAFKA-7030", "recorded from 2.2.2 to 3.8.1: fetch_formats"),
    affected=Side("2.3.1", config={"log.message.downconversion.enable": "false"}),
    cured=Side("2.3.1"),
    sees={"a Fetch 3": ("UNSUPPORTED_VERSION", "NONE"), "a Fetch 4": ("NONE", "NONE")},
    real_clients=RealClients("pykafka==2.8.0", "kafka-python==2.0.2"),
)


def story(play: Play) -> None:
    play.topic()
    play.produce(batch(), 7)
    play.see("a Fetch 3", play.fetch(0, 3).error)
    play.see("a Fetch 4", play.fetch(0, 4).error)
