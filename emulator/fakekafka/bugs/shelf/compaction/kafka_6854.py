"""KAFKA-6854: the cleaner's buffers grow without limit where whole batches are removed."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch, records

BUG = Bug(
    id="KAFKA-6854",
    title="the cleaner's buffers grow without limit where whole batches are removed",
    part="compaction",
    kind="bug",
    releases="0.11.0.0 - 1.0.1, 1.1.0",
    clients=("any transactional producer",),
    symptom=(
        "log cleaner thread died on a topic with transactions; This log contains a message larger than maximum"
        " allowable size; compaction stopped"
    ),
    cause=(
        "A portion that consists only of removable batches (aborted or empty ones) looks like one that did not"
        " fit, and the buffers grow until the limit is passed."
    ),
    remedy="Restart, or raise max.message.bytes, for a while; upgrade to 1.0.2, 1.1.1 or 2.0.0.",
    sources=("KAFKA-6854", "LogCleaner of 1.1.0 and 1.1.1"),
    affected=Side("1.1.0", config={"log.cleaner.io.buffer.size": 1 << 10, "message.max.bytes": 2 << 10}),
    cured=Side("1.1.1", config={"log.cleaner.io.buffer.size": 1 << 10, "message.max.bytes": 2 << 10}),
    sees={"a pass": ("the cleaner stops", "done")},
)


def story(play: Play) -> None:
    play.topic(cleanup_policy="compact", max_message_bytes=2048)
    producer = play.begin_transaction("tx")
    for n in range(30):
        rows = records(1, keys=[b"a"], value=b"v" * 300)
        play.produce(batch(rows, producer=producer, sequence=n, transactional=True), 5, transactional_id="tx")
    play.end_transaction("tx", producer, commit=False)
    play.see("a pass", play.compact())
