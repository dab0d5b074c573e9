"""KAFKA-12330: a full answer of a fetch session starves partitions."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-12330",
    title="a full answer of a fetch session starves partitions",
    part="fetch",
    kind="bug",
    releases="1.1.0 - 2.8.2",
    clients=("kafka-clients >=1.1.0", "librdkafka >=1.0.0", "sarama >=1.24.0"),
    symptom=(
        "some partitions lag for ever while others of the same broker are read; consumer lag on the last"
        " partitions only; skewed consumption"
    ),
    cause=(
        "In an incremental fetch session whose answers are full, a partition without room is answered too when"
        " its high watermark has moved. It counts as served and goes to the end of the order, although it gave"
        " no records."
    ),
    remedy="Raise fetch.max.bytes, or upgrade to 3.0.",
    sources=("KAFKA-12330", "KAFKA-9137"),
    affected=Side("2.8.2"),
    cured=Side("3.0.2"),
    sees={"answers with records of partition 0, 1 and 2": ([9, 0, 0], [4, 3, 2])},
)


def story(play: Play) -> None:
    play.topic(partitions=3)
    large = batch(records(1, value=b"v" * 600))
    places = [{"partition": p, "fetch_offset": 0, "partition_max_bytes": 700} for p in range(3)]
    offsets, served = [0, 0, 0], [0, 0, 0]
    version, session, epoch, topics = play.known("Fetch", 11), 0, 0, [{"topic": "t", "partitions": places}]
    for _ in range(9):
        for partition in range(3):
            play.produce(large, 7, partition=partition)
        answer = play.call(
            "Fetch", version, max_wait_ms=0, max_bytes=700, session_id=session, session_epoch=epoch, topics=topics
        )
        session, epoch, changed = answer.session_id, epoch + 1, []
        for part in (part for topic in answer.responses for part in topic.partitions if part.records):
            p = part.partition_index
            served[p] += 1
            offsets[p] += 1
            changed.append({"partition": p, "fetch_offset": offsets[p], "partition_max_bytes": 700})
        topics = [{"topic": "t", "partitions": changed}] if changed else []
    play.see("answers with records of partition 0, 1 and 2", served)
