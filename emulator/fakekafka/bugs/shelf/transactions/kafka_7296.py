"""KAFKA-7296: a producer fails because the group's coordinator is loading."""

from typing import Final

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of
from fakekafka.bugs.sets import GZIP, NOW, batch
from fakekafka.records.record import Record

SMALL_PORTIONS: Final = {"offsets.load.buffer.size": 100}
OFFSETS: Final = "__consumer_offsets"
BATCHES: Final = 100
IN_A_BATCH: Final = 10_000

BUG = Bug(
    id="KAFKA-7296",
    title="a producer fails because the group's coordinator is loading",
    part="transactions",
    kind="bug",
    releases="0.11.0.0 - 2.5.1",
    clients=("librdkafka 1.4.0 - 1.4.4", "kafka-clients <2.0.1"),
    symptom=(
        "TxnOffsetCommit fails fatally with COORDINATOR_LOAD_IN_PROGRESS; transactional producer dies while a"
        " broker restarts"
    ),
    cause=(
        "While a group is loaded TxnOffsetCommit answers 14, which some producers take for fatal. From 2.6 on"
        " versions 0 and 1 get 15."
    ),
    remedy="Upgrade the client (Java: 2.0.1), or brokers to 2.6.",
    sources=(
        "KAFKA-7296",
        "apache/kafka commit 1b0340b8328",
        "apache/kafka#8253",
        "behaviour transactions.loading_offsets",
    ),
    affected=Side("2.5.1", config=SMALL_PORTIONS),
    cured=Side("2.6.3", config=SMALL_PORTIONS),
    story_on="2.0.0 - 2.5.1",
    elsewhere="up to 1.1 the answer is NOT_COORDINATOR",
    sees={"TxnOffsetCommit while the group is loaded": ("COORDINATOR_LOAD_IN_PROGRESS", "COORDINATOR_NOT_AVAILABLE")},
)


def story(play: Play) -> None:
    play.topic()
    play.commit(0)
    producer = play.begin_transaction("tx")
    play.call("AddOffsetsToTxn", 0, transactional_id="tx", producer_id=producer, producer_epoch=0, group_id="g")
    play.tell(f"the log of offsets has {BATCHES} more batches of {IN_A_BATCH} commits, so that it takes time to load")
    play.edit(_many_commits(play))
    part = {"partition_index": 0, "committed_offset": 1, "committed_metadata": ""}
    answer = play.call(
        "TxnOffsetCommit",
        0,
        transactional_id="tx",
        group_id="g",
        producer_id=producer,
        producer_epoch=0,
        topics=[{"name": "t", "partitions": [part]}],
    )
    play.see("TxnOffsetCommit while the group is loaded", name_of(answer.topics[0].partitions[0].error_code))


def _many_commits(play: Play) -> dict[str, bytes]:
    """The segment of the offsets topic, followed by many batches that repeat its commit."""
    (committed,) = (record for one in play.log(OFFSETS) for record in one.records())
    row = Record(0, NOW, 0, committed.key, committed.value, ())
    many = batch([row._replace(offset=n) for n in range(IN_A_BATCH)], GZIP)[8:]
    bases = range(1, BATCHES * IN_A_BATCH, IN_A_BATCH)
    name = f"{OFFSETS}-0/{0:020d}.log"
    return {name: (play.file(name) or b"") + b"".join(base.to_bytes(8, "big") + many for base in bases)}
