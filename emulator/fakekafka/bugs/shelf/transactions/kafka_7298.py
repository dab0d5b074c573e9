"""KAFKA-7298: a producer that has only a marker left in the log is out of order."""

from typing import Any

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-7298",
    title="a producer that has only a marker left in the log is out of order",
    part="transactions",
    kind="bug",
    releases="1.0.0 - 2.0.0",
    clients=("kafka-clients 1.0 - 2.0",),
    symptom=(
        "OutOfOrderSequenceException, fatal, in transactional producers on topics of short retention; expected"
        " UnknownProducerId"
    ),
    cause=(
        "All data of a producer is deleted, its last marker is not. The next batch gets 45, which is fatal,"
        " instead of 59, after which the producer can start over."
    ),
    remedy="Upgrade to 2.0.1, or keep records longer.",
    sources=("KAFKA-7298", "ProducerStateManager of 2.0.0 and 2.0.1"),
    affected=Side("2.0.0"),
    cured=Side("2.0.1"),
    sees={"the next batch": ("OUT_OF_ORDER_SEQUENCE_NUMBER", "UNKNOWN_PRODUCER_ID")},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.tell("the transaction ends without data: all that the log knows about the producer is a marker")
    play.end_transaction("tx", producer)
    play.fetch(0, 4)
    topics = [{"name": "t", "partitions": [0]}]
    ids: dict[str, Any] = {"transactional_id": "tx", "producer_id": producer, "producer_epoch": 0, "topics": topics}
    play.call("AddPartitionsToTxn", 0, **{f"v3_and_below_{name}": value for name, value in ids.items()})
    sent = batch(producer=producer, sequence=3, transactional=True)
    play.see("the next batch", play.produce(sent, 6, transactional_id="tx").error)
