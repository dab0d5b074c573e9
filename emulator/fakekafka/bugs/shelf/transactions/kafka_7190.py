"""KAFKA-7190: a producer is forgotten when its records are deleted."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-7190",
    title="a producer is forgotten when its records are deleted",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.3.1",
    clients=("kafka-clients >=0.11.0", "kafka-streams"),
    symptom=(
        "UNKNOWN_PRODUCER_ID in kafka streams on repartition topics; UnknownProducerIdException with short retention"
    ),
    cause=(
        "Streams deletes what it has read, so that the log holds nothing of the producer, and its state goes with it."
    ),
    remedy="Upgrade brokers to 2.4.",
    sources=("KAFKA-7190", "apache/kafka commit 1a5971ebdc7", "behaviour log.producers_below_log_start"),
    affected=Side("2.3.1"),
    cured=Side("2.4.1"),
    story_on="1.0.0 - 2.3.1",
    elsewhere="0.11 answers OUT_OF_ORDER_SEQUENCE_NUMBER",
    sees={"the next batch of the producer": ("UNKNOWN_PRODUCER_ID", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.producer_id()
    play.produce(batch(producer=producer), 7)
    play.tell("the application deletes what it has read, which is everything that the producer has written")
    play.delete_records(3)
    play.see("the next batch of the producer", play.produce(batch(producer=producer, sequence=3), 7).error)
