"""ABORTED-IN-COMPRESSED: records of aborted transactions are delivered from compressed batches."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.real_clients import RealClients
from fakekafka.bugs.sets import GZIP, batch

BUG = Bug(
    id="ABORTED-IN-COMPRESSED",
    title="records of aborted transactions are delivered from compressed batches",
    part="transactions",
    kind="scenario",
    releases="0.11.0.0 -",
    clients=("librdkafka 1.4.0 - 1.5.3",),
    symptom=(
        "read_committed consumer gets aborted messages; only with compression; duplicates from aborted transactions"
    ),
    cause=(
        "A client that drops aborted batches by the producer id of their headers forgot to do so for compressed"
        " ones, and gives their records to the application."
    ),
    remedy="Upgrade to librdkafka 1.6.0.",
    sources=("confluentinc/librdkafka#3169",),
    shown="by what a reader computes",
    affected=Side("2.3.1", reader="drops uncompressed batches of aborted transactions"),
    cured=Side("2.3.1", reader="drops all batches of aborted transactions"),
    sees={"aborted transactions listed": (1, 1), "records given to the application": (3, 0)},
    real_clients=RealClients("confluent-kafka==1.5.0", "confluent-kafka==1.9.2"),
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(codec=GZIP, producer=producer, transactional=True), 7, transactional_id="tx")
    play.end_transaction("tx", producer, commit=False)
    fetched = play.fetch(0, 11, committed=True)
    play.see("aborted transactions listed", len(fetched.aborted))
    aborted = {producer_id for producer_id, _ in fetched.aborted}
    keeps = [one for one in fetched.units if not one.is_control and one.producer_id not in aborted]
    if play.side.reader == "drops uncompressed batches of aborted transactions":
        keeps += [one for one in fetched.units if not one.is_control and one.codec]
    play.see("records given to the application", sum(one.count for one in keeps))
