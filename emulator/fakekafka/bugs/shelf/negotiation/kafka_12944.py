"""KAFKA-12944: from protocol 3.0 on every configured message format is ignored."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import records, unit

BUG = Bug(
    id="KAFKA-12944",
    title="from protocol 3.0 on every configured message format is ignored",
    part="negotiation",
    kind="era",
    releases="3.0.0 - 3.9.2",
    clients=("pykafka", "kafka-clients <0.11.0", "kafka-python <1.4.0", "sarama <1.14.0"),
    symptom=(
        "high cpu on brokers after the upgrade to 3.0; down-conversion rate jumps; log.message.format.version"
        " has no effect; down-conversion eats the brokers"
    ),
    cause=(
        "inter.broker.protocol.version is 3.0 or later, as it is by default when server.properties does not name"
        " it. New records are of format 2, and every Fetch 0 to 3 is converted."
    ),
    remedy="Keep the old inter.broker.protocol.version until old consumers are gone.",
    sources=("KAFKA-12944", "KIP-724", "recorded from 3.9.1: format_lowered ibp3.0"),
    affected=Side("3.2.3", config={"log.message.format.version": "0.10.2"}),
    cured=Side("3.2.3", config={"log.message.format.version": "0.10.2", "inter.broker.protocol.version": "2.8"}),
    sees={"formats stored": ([2], [1, 1, 1])},
)


def story(play: Play) -> None:
    play.topic()
    play.produce(unit(1, records()), 2)
    play.see("formats stored", play.fetch(0, 4).magics)
