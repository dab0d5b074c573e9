"""KAFKA-9144: a marker does not keep its producer alive."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

DAY_MS: Final = 86_400_000
LONG_TRANSACTIONS: Final = {"transaction.max.timeout.ms": 7 * DAY_MS}
"""With this, transactions are not aborted for their age before the story ends them."""

BUG = Bug(
    id="KAFKA-9144",
    title="a marker does not keep its producer alive",
    part="transactions",
    kind="bug",
    releases="1.0.0 - 2.4.0",
    clients=("kafka-clients >=0.11.0",),
    symptom=(
        "producer state expires right after a transaction was aborted by timeout; coordinator epoch goes"
        " backwards; broker fails to load a partition; ProducerFencedException at start"
    ),
    cause=(
        "The age of a producer is that of its last data. A marker that comes long after it does not count, so"
        " the state goes at once, and with it the coordinator's epoch."
    ),
    remedy="Upgrade to 2.4.1 or 2.5.",
    sources=(
        "KAFKA-9144",
        "ProducerStateManager.scala of 0.11.0, 1.0.0 and 2.4.1",
        "recorded from 2.3.1 and 2.5.1: storage_producer_state",
    ),
    affected=Side("2.4.0", config=LONG_TRANSACTIONS),
    cured=Side("2.4.1", config=LONG_TRANSACTIONS),
    sees={
        "the producer's next batch, eight days after its data and two after its marker": ("UNKNOWN_PRODUCER_ID", "NONE")
    },
)


def story(play: Play) -> None:
    play.topic()
    version = min(play.newest("Produce"), 7)
    producer = play.begin_transaction("tx", timeout_ms=7 * DAY_MS)
    play.produce(batch(producer=producer, transactional=True), transactional_id="tx", version=version)
    play.tell("the transaction takes six days; its producer is idle for two more")
    play.advance(6 * DAY_MS)
    play.end_transaction("tx", producer)
    play.advance(2 * DAY_MS)
    play.restart()
    play.add_to_transaction("tx", producer)
    later = batch(records(time=play.now), producer=producer, sequence=3, transactional=True)
    found = play.produce(later, transactional_id="tx", version=version)
    play.see("the producer's next batch, eight days after its data and two after its marker", found.error)
