"""KAFKA-5494: 0.11 remembers only the last batch of a producer."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-5494",
    title="0.11 remembers only the last batch of a producer",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 0.11.0.3",
    clients=("kafka-clients =0.11.0", "librdkafka >=1.0.0", "franz-go"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE_NUMBER after a retry with several requests in flight; fatal error of an"
        " idempotent producer against 0.11"
    ),
    cause=(
        "A batch that is sent again, because its answer was lost, is known as a duplicate only if it was the"
        " last. An older one seems to be out of order. From 1.0 on five are remembered."
    ),
    remedy="Set max.in.flight.requests.per.connection=1 for brokers of 0.11; upgrade to 1.0.",
    sources=("KAFKA-5494", "recorded from 0.11.0.3 to 4.3.1: produce_refusals"),
    affected=Side("0.11.0.3"),
    cured=Side("1.0.2"),
    sees={"the first of two batches again": ("OUT_OF_ORDER_SEQUENCE_NUMBER", "NONE")},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.producer_id()
    play.produce(batch(producer=producer), 3)
    play.produce(batch(producer=producer, sequence=3), 3)
    play.see("the first of two batches again", play.produce(batch(producer=producer), 3).error)
