"""KAFKA-7296: a producer fails because the group's coordinator is loading."""

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play, name_of

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
        "KAFKA-9656",
        "apache/kafka#8253",
        "behaviour transactions.loading_offsets",
    ),
    affected=Side("2.5.1"),
    cured=Side("2.6.3"),
    sees={"TxnOffsetCommit while the group is loaded": ("COORDINATOR_LOAD_IN_PROGRESS", "COORDINATOR_NOT_AVAILABLE")},
)


def story(play: Play) -> None:
    play.topic()
    for n in range(3):
        play.commit(n)
    producer = play.begin_transaction("tx")
    play.call("AddOffsetsToTxn", 0, transactional_id="tx", producer_id=producer, producer_epoch=0, group_id="g")
    play.restart(config={"offsets.load.buffer.size": 100})
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
