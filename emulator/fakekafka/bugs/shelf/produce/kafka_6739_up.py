"""KAFKA-6739-UP: records with headers are refused with -1 where the topic's format is 0 or 1."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-6739-UP",
    title="records with headers are refused with -1 where the topic's format is 0 or 1",
    part="produce",
    kind="era",
    releases="0.11.0.0 - 3.9.2",
    clients=("librdkafka >=0.11.4", "kafka-clients >=0.11.0"),
    symptom=(
        "UNKNOWN_SERVER_ERROR, producer retries for ever; Magic v1 does not support record headers on produce;"
        " after tracing was switched on"
    ),
    cause=(
        "A batch with headers for a topic whose message.format.version is 0.10.2 or older. The converter refuses"
        " headers, and the producer takes -1 for a temporary error."
    ),
    remedy=(
        "Raise the message format, or send no headers; from inter.broker.protocol.version 3.0 on the format is"
        " always 2."
    ),
    sources=(
        "confluentinc/librdkafka#2514",
        "MemoryRecordsBuilder",
        "recorded from 0.11.0.3 to 2.8.2: produce_refusals",
    ),
    affected=Side("2.3.1", config={"log.message.format.version": "0.10.2"}),
    cured=Side("2.3.1"),
    story_on="0.11.0.0 - 2.8.2",
    elsewhere="from 3.0 on it takes inter.broker.protocol.version 2.8 as well",
    sees={"a batch with headers": ("UNKNOWN_SERVER_ERROR", "NONE")},
    real_clients=RealClients("confluent-kafka==2.16.1", sends=Sends(headers=True)),
)


def story(play: Play) -> None:
    play.topic()
    play.see("a batch with headers", play.produce(batch(records(header=True)), 7).error)
