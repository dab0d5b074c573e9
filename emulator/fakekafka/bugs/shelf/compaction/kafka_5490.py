"""KAFKA-5490: batches without records are kept for the sake of their producers, and 0.11.0.0 forgets the sequence
instead.
"""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-5490",
    title="batches without records stay for the sake of their producers, and 0.11.0.0 forgets the sequence instead",
    part="compaction",
    kind="bug",
    releases="0.11.0.0",
    clients=("sarama 1.30.1 - 1.45.2", "kafkajs <1.16.0", "kafka-go <0.4.28", "aiokafka <0.2.2"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE for a live producer after a broker restart; or consumer stuck at an empty batch"
        " of 61 bytes; sarama consumer hangs on a compacted topic; skipped messages"
    ),
    cause=(
        "Compaction takes all records of an idempotent producer's last batch. From 0.11.0.1 on its header of 61 bytes"
        " stays, with count 0. 0.11.0.0 keeps the last record instead if it can, and otherwise forgets the sequence."
        " Clients that expect records in every batch get stuck at the empty one."
    ),
    remedy="Upgrade to 0.11.0.1; clients: sarama 1.46, kafkajs 1.16, kafka-go 0.4.28.",
    sources=(
        "KAFKA-5490",
        "IBM/sarama#3221",
        "segmentio/kafka-go#813",
        "recorded from 1.1.1 and 2.8.2: storage_compact idem",
    ),
    affected=Side("0.11.0.0"),
    cured=Side("0.11.0.1"),
    sees={"records in the producer's batches": ([1, 1], [0, 1]), "bytes of the first": (74, 61)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    producer = play.producer_id()
    play.produce(batch(records(1, keys=[b"a"]), producer=producer), 3)
    play.produce(batch(records(1, keys=[b"a"])), 3)
    play.compact()
    left = play.log()
    play.see("records in the producer's batches", [unit.count for unit in left])
    play.see("bytes of the first", left[0].size)
