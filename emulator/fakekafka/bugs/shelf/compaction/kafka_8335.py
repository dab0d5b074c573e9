"""KAFKA-8335: __consumer_offsets fills with empty batches of 61 bytes."""

from typing import Any

from fakekafka.bugs.bug import Bug, Side
from fakekafka.bugs.play import Play

BUG = Bug(
    id="KAFKA-8335",
    title="__consumer_offsets fills with empty batches of 61 bytes",
    part="compaction",
    kind="bug",
    releases="0.11.0.1 - 2.2.0",
    clients=("kafka-clients >=0.11.0", "librdkafka >=1.4.0"),
    symptom=(
        "__consumer_offsets keeps growing with exactly-once; coordinator load takes minutes;"
        " COORDINATOR_LOAD_IN_PROGRESS for long after a restart; millions of batches without records"
    ),
    cause=(
        "The coordinator writes each transactional commit with sequence 0. Compaction keeps every batch whose"
        " sequence is its producer's last one, so all of them stay, empty."
    ),
    remedy="Upgrade to 2.2.1 or 2.3.0, which keep only the batch with the producer's last offset.",
    sources=("KAFKA-8335", "recorded from 2.1.1 to 2.3.1: storage_compact tx"),
    affected=Side("2.2.0"),
    cured=Side("2.2.1"),
    sees={"empty batches after four commits of one offset": (3, 0)},
)


def story(play: Play) -> None:
    play.topic()
    play.call("FindCoordinator", 1, key="g", key_type=0)
    producer = play.producer_id("tx")
    for offset in range(4):
        ids: dict[str, Any] = {"transactional_id": "tx", "producer_id": producer, "producer_epoch": 0}
        play.call("AddOffsetsToTxn", 0, group_id="g", **ids)
        place = {
            "name": "t",
            "partitions": [{"partition_index": 0, "committed_offset": offset, "committed_metadata": ""}],
        }
        play.call("TxnOffsetCommit", 0, group_id="g", topics=[place], **ids)
        play.end_transaction("tx", producer)
    play.compact("__consumer_offsets")
    left = [one for one in play.log("__consumer_offsets") if not one.is_control and not one.count]
    play.see("empty batches after four commits of one offset", len(left))
