"""KAFKA-13727: a pass that ends within a segment loses entries of the index of aborted transactions."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-13727",
    title="a pass that ends within a segment loses entries of the index of aborted transactions",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 2.8.1, 3.0.0 - 3.0.1, 3.1.0",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0"),
    symptom="read_committed consumer sees aborted records after compaction; duplicates from aborted transactions",
    cause=(
        "The map of offsets is full in the middle of a segment. The new index of aborted transactions lacks those"
        " after that point, so Fetch lists none, and consumers deliver aborted records."
    ),
    remedy="Upgrade to 2.8.2, 3.0.2, 3.1.1 or 3.2.0; a larger log.cleaner.dedupe.buffer.size makes it rare.",
    sources=("KAFKA-13727", "LogCleaner of 3.1.0 and 3.1.1"),
    affected=Side("3.1.0", config={"log.cleaner.dedupe.buffer.size": 2 << 20}),
    cured=Side("3.1.1", config={"log.cleaner.dedupe.buffer.size": 2 << 20}),
    sees={"aborted transactions listed": (0, 1)},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact")
    play.tell("80000 records with keys of their own, more than the map holds, then a transaction that is aborted")
    for n in range(8):
        play.produce(batch(records(10_000, keys=[b"%d" % (10_000 * n + k) for k in range(10_000)], value=b"")), 9)
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), 9, transactional_id="tx")
    play.end_transaction("tx", producer, commit=False)
    play.compact()
    play.see("aborted transactions listed", len(play.fetch(80_000, 11, committed=True).aborted))
