"""KAFKA-5490: 0.11.0.0 forgets the sequence of a producer whose records are compacted away; later releases keep an
empty batch.
"""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-5490",
    title="0.11.0.0 forgets producers whose records are compacted away; later releases keep an empty batch of each",
    part="compaction",
    kind="bug",
    releases="0.11.0.0",
    clients=("sarama 1.30.1 - 1.45.2", "kafkajs <1.16.0", "kafka-go <0.4.28", "aiokafka <0.2.2"),
    symptom=(
        "OUT_OF_ORDER_SEQUENCE for a live producer after a broker restart; or consumer stuck at an empty batch"
        " of 61 bytes; sarama consumer hangs on a compacted topic; skipped messages"
    ),
    cause=(
        "After a restart a producer's sequence is read from its last batch, and compaction may have removed all records"
        " of that batch. From 0.11.0.1 on the batch stays without them: a header of 61 bytes, with a count of 0."
        " Clients that expect records in every batch get stuck there. 0.11.0.0 keeps the producer's last record instead"
        " where it can, and otherwise forgets the sequence."
    ),
    remedy="Upgrade to 0.11.0.1, and clients to sarama 1.46, kafkajs 1.16, kafka-go 0.4.28 or aiokafka 0.2.2.",
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
