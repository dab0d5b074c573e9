"""UNSUPPORTED-FORMAT-43: idempotent producers get error 43 where the topic's format is 0 or 1."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients, Sends
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="UNSUPPORTED-FORMAT-43",
    title="idempotent producers get error 43 where the topic's format is 0 or 1",
    part="produce",
    kind="era",
    releases="0.11.0.0 - 3.9.2",
    clients=("librdkafka >=1.0.0", "kafka-clients >=0.11.0", "kafka-clients >=3.0.1"),
    symptom=(
        "UnsupportedForMessageFormatException; UNSUPPORTED_FOR_MESSAGE_FORMAT 43; fatal error: idempotent"
        " producer; happens since the producers' upgrade to 3.x where idempotence is the default"
    ),
    cause=(
        "log.message.format.version, or the topic's own, is 0.10.2 or older, and a producer is idempotent, which"
        " Java's are by default from 3.0.1 and 3.1.1 on (KAFKA-13598). With a transaction the answer is -1."
    ),
    remedy=(
        "Raise the message format to 0.11 once all consumers read it, or set enable.idempotence=false; from"
        " inter.broker.protocol.version 3.0 on the format is always 2."
    ),
    sources=("KIP-98", "KIP-679", "confluentinc/librdkafka#2408", "recorded from 0.11.0.3 to 2.8.2: produce_refusals"),
    affected=Side("2.3.1", config={"log.message.format.version": "0.10.2"}),
    cured=Side("2.3.1"),
    story_on="0.11.0.0 - 2.8.2",
    elsewhere="from 3.0 on it takes inter.broker.protocol.version 2.8 as well",
    sees={
        "an idempotent batch": ("UNSUPPORTED_FOR_MESSAGE_FORMAT", "NONE"),
        "a batch without producer id": ("NONE", "NONE"),
    },
    real_clients=RealClients("confluent-kafka==2.16.1", sends=Sends(idempotent=True)),
)


def story(play: Play) -> None:
    play.topic()
    producer = play.producer_id()
    play.see("an idempotent batch", play.produce(batch(producer=producer), 7).error)
    play.see("a batch without producer id", play.produce(batch(), 7).error)
