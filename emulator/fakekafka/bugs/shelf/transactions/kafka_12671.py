"""KAFKA-12671: a batch that comes after the end of its transaction opens another one that never ends."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play
from fakekafka.bugs.sets import batch

BUG = Bug(
    id="KAFKA-12671",
    title="a batch that comes after the end of its transaction opens another one that never ends",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 3.5.2",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0", "franz-go"),
    symptom=(
        "hanging transaction; LSO stuck; read_committed consumers get nothing more on one partition;"
        " kafka-transactions find-hanging; lag grows for ever"
    ),
    cause=(
        "A Produce request was delayed, its client gave up and ended the transaction. The batch arrives after"
        " the marker and is appended: a transaction without an end."
    ),
    remedy=(
        "Abort it with kafka-transactions; upgrade to 3.6, where the broker asks the coordinator first"
        " (KIP-890), and to 4.0."
    ),
    sources=("KAFKA-12671", "KIP-890", "twmb/kcl#10", "recorded from 0.11.0.3 to 4.3.1: produce_refusals"),
    affected=Side("3.5.2"),
    cured=Side("3.6.2"),
    story_on="0.11.0.0 - 1.1.1, 2.0.1 - 3.5.2",
    elsewhere="2.0.0 has the bug, and says no last stable offset",
    sees={"the late batch": ("NONE", "INVALID_TXN_STATE"), "last stable offset, high watermark": ([4, 7], [4, 4])},
)


def story(play: Play) -> None:
    play.topic()
    producer = play.begin_transaction("tx")
    play.produce(batch(producer=producer, transactional=True), 9, transactional_id="tx")
    play.end_transaction("tx", producer)
    play.fetch(3, 11)
    play.tell("the marker is written; a batch of that transaction was held up in the network, and arrives now")
    late = batch(producer=producer, sequence=3, transactional=True)
    play.see("the late batch", play.produce(late, 9, transactional_id="tx").error)
    fetched = play.fetch(0, 11, committed=True)
    play.see("last stable offset, high watermark", [fetched.stable_offset, fetched.high_watermark])
