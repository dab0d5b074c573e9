"""KAFKA-7692: sequences that start again at 0 are remembered wrongly."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-7692",
    title="sequences that start again at 0 are remembered wrongly",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.1.0",
    clients=("librdkafka >=1.0.0", "kafka-clients >=0.11.0"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE_NUMBER after 2 billion records of one producer; long running idempotent producer fails"
    ),
    cause=(
        "In the middle of a batch, sequences go from 2147483647 to 0. Its length is remembered as the difference"
        " of its sequences, so offsets of duplicates are computed wrongly."
    ),
    remedy="Upgrade to 2.1.1; restart the producer.",
    sources=("KAFKA-7692", "ProducerStateManager of 2.1.0 and 2.1.1"),
    affected=Side("2.1.0"),
    cured=Side("2.1.1"),
    sees={"offsets of a batch and of its duplicate": ([2, 2147483650], [2, 2])},
)


LAST: Final = 2**31 - 1


def story(play: Play) -> None:
    play.topic()
    producer = play.producer_id()
    play.produce(batch(records(2), producer=producer), 7)
    play.tell("two billion records later: the producer's last batch in the log ends at sequence 2147483643")
    name = "t-0/00000000000000000000.log"
    play.edit({name: batch(records(2), producer=producer, sequence=LAST - 5)}, crash=True)
    twice = [play.produce(batch(records(8), producer=producer, sequence=LAST - 3), 7).offset for _ in range(2)]
    play.see("offsets of a batch and of its duplicate", twice)
