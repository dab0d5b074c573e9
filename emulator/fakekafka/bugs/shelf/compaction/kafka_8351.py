"""KAFKA-8351: a marker is removed when its transaction lies in several groups of segments."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-8351",
    title="a marker is removed when its transaction lies in several groups of segments",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.2.1",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0"),
    symptom="hanging transaction after compaction; aborted data visible to read_committed; LSO does not move",
    cause=(
        "The cleaner forgets from one group of segments to the next which transactions had data. A marker in a"
        " later group seems to have none, and is removed."
    ),
    remedy="Upgrade to 2.2.2 or 2.3.0.",
    sources=("KAFKA-8351", "CleanedTransactionMetadata of 2.2.1 and 2.3.0"),
    affected=Side("2.2.1"),
    cured=Side("2.2.2"),
    sees={"commit markers left": (0, 1)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", segment_bytes=200, delete_retention_ms=0)
    producer = play.begin_transaction("tx")
    for n in range(3):
        rows = records(1, keys=[b"key %d" % n], value=b"v" * 80)
        play.produce(batch(rows, producer=producer, sequence=n, transactional=True), 7, transactional_id="tx")
    play.end_transaction("tx", producer)
    play.produce(batch(records(1, keys=[b"later"], value=b"v" * 100)), 7)
    play.advance(1000)
    play.compact()
    play.advance(1000)
    play.produce(batch(records(1, keys=[b"last"], value=b"v" * 100)), 7)
    play.compact()
    play.see("commit markers left", sum(one.is_control and one.count for one in play.log()))
