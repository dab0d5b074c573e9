"""KAFKA-19367: InitProducerId raises the epoch twice."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-19367",
    title="InitProducerId raises the epoch twice",
    part="transactions",
    kind="bug",
    releases="4.0.0",
    clients=("kafka-clients =4.0.0",),
    symptom=(
        "ProducerFencedException or INVALID_PRODUCER_EPOCH in the producer that just began; transaction stuck"
        " when the epoch reaches its end; epochs grow by two"
    ),
    cause=(
        "With transaction.version 2 the end of a transaction raises the epoch. InitProducerId that aborts an"
        " open transaction raises it once for the fence and once for that end."
    ),
    remedy="Upgrade to 4.0.1 or 4.1.",
    sources=("KAFKA-19367", "asked of 4.0.1 and 4.1.1", "recorded from 4.0.0 and 4.3.1: transactions"),
    affected=Side("4.0.0"),
    cured=Side("4.0.1"),
    sees={"InitProducerId of the owner after the coordinator has aborted": ("PRODUCER_FENCED", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    play.call("FindCoordinator", 1, key="tx", key_type=1)
    mine = play.call(
        "InitProducerId", 5, transactional_id="tx", transaction_timeout_ms=10_000, producer_id=-1, producer_epoch=-1
    )
    sent = batch(producer=mine.producer_id, epoch=mine.producer_epoch, transactional=True)
    play.produce(sent, 12, transactional_id="tx")
    play.tell("the transaction times out, and the coordinator aborts it")
    play.advance(60_000)
    again = play.call(
        "InitProducerId",
        5,
        transactional_id="tx",
        transaction_timeout_ms=10_000,
        producer_id=mine.producer_id,
        producer_epoch=mine.producer_epoch,
    )
    play.see("InitProducerId of the owner after the coordinator has aborted", name_of(again.error_code))
