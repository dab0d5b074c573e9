"""A partition on its broker: appending, who leads, what is replicated."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.log.append_info import Origin
from fakekafka.records import control, v1, v2
from fakekafka.records.append.prepared import RecordError
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.storage.partition import NOTHING_APPENDED, AppendResult, Partition

from tests.support.seeded import NOW, booted, partition_of


def batch(
    count: int = 2, sequence: int = -1, producer: int = -1, epoch: int = 0, transactional: bool = False
) -> bytearray:
    rows = [Record(n, NOW, 0, b"k", b"v") for n in range(count)]
    epoch = -1 if producer < 0 else epoch
    data = v2.build(
        rows, base_sequence=sequence, producer_id=producer, producer_epoch=epoch, transactional=transactional
    )
    return bytearray(data)


def replicated(release: str = "2.8.2") -> Partition:
    """The leader of a partition that has replicas on brokers 0, 1 and 2; the followers fetch nothing."""
    config = {"default.replication.factor": 3, "min.insync.replicas": 2}
    kafka = FakeKafka(release, config=config, brokers=3, topics={"t": 1}, clock=ManualClock(NOW)).boot()
    brokers = kafka.connect().core.cluster.brokers
    for node in brokers:
        kafka.pause_replication(node)
    (leader,) = (p for b in brokers.values() if (p := b.partition("t", 0)) is not None)
    return leader


def followers(partition: Partition) -> list[int]:
    return [n for n in partition.state.replicas if n != partition.state.leader]


# ---- appending


def test_a_set_gets_the_next_offsets_and_the_leader_epoch() -> None:
    partition = partition_of(booted("2.8.2"))
    partition.append(batch(), NOW)
    assert partition.append(batch(3), NOW) == AppendResult(base_offset=2, last_offset=4, batches=1)
    (first, second) = partition.log.segments[-1].batches()
    assert (first.base_offset, second.base_offset, second.last_offset) == (0, 2, 4)
    assert second.leader_epoch == partition.leader_epoch


def test_the_sets_buffer_is_what_the_log_keeps() -> None:
    partition = partition_of(booted("2.8.2"))
    sent = batch()
    partition.append(sent, NOW)
    sent[-2] ^= 1
    (stored,) = partition.log.segments[-1].batches()
    assert not stored.crc_ok()


def test_a_new_leader_epoch_is_stamped_at_once() -> None:
    kafka = booted("2.8.2")
    epoch = kafka.elect_leader("t", 0)
    partition = partition_of(kafka)
    partition.append(batch(), NOW)
    (stored,) = partition.log.segments[-1].batches()
    assert isinstance(stored, RecordBatch)
    assert stored.leader_epoch == epoch


def test_a_set_without_a_whole_unit_appends_nothing() -> None:
    partition = partition_of(booted("2.3.1"))
    assert partition.append(bytearray(7), NOW) is NOTHING_APPENDED
    assert partition.log.log_end_offset == 0


def test_a_refused_set_leaves_the_log_alone_and_says_why() -> None:
    partition = partition_of(booted("2.8.2", cleanup_policy="compact"))
    done = partition.append(bytearray(v2.build([Record(0, NOW, 0, None, b"v")])), NOW)
    text = "Compacted topic cannot accept message without key in topic partition t-0."
    assert done == AppendResult(
        ErrorCode.INVALID_RECORD,
        message="One or more records have been rejected",
        records=[RecordError(0, ErrorCode.INVALID_RECORD, text)],
    )
    assert partition.log.log_end_offset == 0


def test_a_set_that_the_log_refuses_is_an_error() -> None:
    partition = partition_of(booted("2.8.2", segment_bytes="200", max_message_bytes="1000"))
    assert partition.append(batch(50), NOW).error == ErrorCode.RECORD_LIST_TOO_LARGE


def test_the_append_time_is_reported_where_the_topic_has_it() -> None:
    partition = partition_of(booted("2.8.2", message_timestamp_type="LogAppendTime"))
    assert partition.append(batch(), NOW + 5).log_append_time_ms == NOW + 5


def test_configs_count_from_the_moment_they_are_set() -> None:
    kafka = booted("2.8.2")
    kafka.configure_topic("t", {"compression.type": "gzip", "max.message.bytes": 200})
    partition = partition_of(kafka)
    partition.append(batch(), NOW)
    (stored,) = partition.log.segments[-1].batches()
    assert stored.codec == 1
    assert partition.append(batch(20), NOW).error == ErrorCode.MESSAGE_TOO_LARGE


# ---- producers


def test_a_set_that_is_already_there_is_answered_with_its_offset() -> None:
    partition = partition_of(booted("2.8.2"))
    done = partition.append(batch(sequence=0, producer=7), NOW)
    again = partition.append(batch(sequence=0, producer=7), NOW + 5)
    # its largest timestamp, whatever the topic's timestamp type
    assert again == done._replace(log_append_time_ms=NOW, batches=0)
    assert partition.log.log_end_offset == 2


def test_under_append_time_a_repeated_set_is_answered_with_its_time_too() -> None:
    partition = partition_of(booted("2.8.2", message_timestamp_type="LogAppendTime"))
    done = partition.append(batch(sequence=0, producer=7), NOW)
    assert done.log_append_time_ms == NOW
    assert partition.append(batch(sequence=0, producer=7), NOW + 5) == done._replace(batches=0)


@pytest.mark.parametrize(("sequence", "epoch"), [(5, 0), (2, 1)])
def test_a_gap_in_sequences_is_error_45(sequence: int, epoch: int) -> None:
    partition = partition_of(booted("2.8.2"))
    partition.append(batch(sequence=0, producer=7), NOW)
    done = partition.append(batch(sequence=sequence, producer=7, epoch=epoch), NOW)
    assert done == AppendResult(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)


def test_an_older_epoch_is_error_47() -> None:
    partition = partition_of(booted("2.8.2"))
    partition.append(batch(sequence=0, producer=7, epoch=3), NOW)
    done = partition.append(batch(sequence=2, producer=7, epoch=2), NOW)
    assert done.error == ErrorCode.INVALID_PRODUCER_EPOCH


def test_a_transaction_is_open_until_its_marker_comes() -> None:
    partition = partition_of(booted("2.8.2"))
    assert not partition.in_transaction(7)
    partition.append(batch(sequence=0, producer=7, transactional=True), NOW)
    assert partition.in_transaction(7)
    assert partition.in_transaction(7, 0)
    assert not partition.in_transaction(7, 1)
    assert partition.last_stable_offset == 0
    marker = control.end_transaction(
        commit=True, producer_id=7, producer_epoch=0, coordinator_epoch=0, timestamp=NOW, offset=0, leader_epoch=0
    )
    done = partition.append_from(Origin.COORDINATOR, bytearray(marker), NOW)
    assert done == AppendResult(base_offset=2, last_offset=2, batches=1)
    assert not partition.in_transaction(7)
    assert partition.last_stable_offset == partition.high_watermark == 3


# ---- the broker's own writes


def test_a_set_that_the_broker_writes_in_any_format_gets_the_topics_format() -> None:
    partition = partition_of(booted("2.8.2"))
    done = partition.append_from(Origin.COORDINATOR, bytearray(v1.build([Record(0, NOW, 0, b"k", b"v")])), NOW)
    assert (done.error, done.base_offset, done.last_offset) == (ErrorCode.NONE, 0, 0)
    (stored,) = partition.log.segments[-1].batches()
    assert stored.magic == 2


def test_min_insync_replicas_does_not_count_for_sets_of_the_broker() -> None:
    partition = partition_of(booted("2.8.2", min_insync_replicas="2"))
    assert partition.append(batch(), NOW, acks=-1).error == ErrorCode.NOT_ENOUGH_REPLICAS
    assert partition.append_from(Origin.COORDINATOR, batch(), NOW).error == ErrorCode.NONE


# ---- replicas


@pytest.mark.parametrize(
    ("acks", "error"), [(-1, ErrorCode.NOT_ENOUGH_REPLICAS), (1, ErrorCode.NONE), (0, ErrorCode.NONE)]
)
def test_acks_minus_1_wants_replicas_in_sync(acks: int, error: ErrorCode) -> None:
    partition = partition_of(booted("2.8.2", min_insync_replicas="2"))
    assert partition.append(batch(), NOW, acks).error == error


def test_followers_that_never_fetch_are_waited_for() -> None:
    partition = replicated()
    partition.append(batch(), NOW)
    assert partition.high_watermark == 0


def test_the_high_watermark_is_the_offset_that_all_in_sync_replicas_have_reached() -> None:
    partition = replicated()
    one, other = followers(partition)
    assert not partition.note_follower(one, 0)
    done = partition.append(batch(), NOW, acks=-1)
    assert not partition.note_follower(one, 2)
    assert partition.high_watermark == 0
    assert not partition.has_acks(done, -1)
    assert partition.note_follower(other, 1)
    assert partition.high_watermark == 1
    assert not partition.has_acks(done, -1)
    assert partition.note_follower(other, 2)
    assert partition.high_watermark == 2
    assert partition.has_acks(done, -1)
    assert not partition.note_follower(one, 1)
    assert partition.high_watermark == 2


def test_numbers_of_acks_count_replicas_in_sync() -> None:
    partition = replicated()
    one, other = followers(partition)
    done = partition.append(batch(), NOW)
    assert [partition.has_acks(done, acks) for acks in (1, 2, 3)] == [True, False, False]
    partition.note_follower(one, 2)
    assert [partition.has_acks(done, acks) for acks in (1, 2, 3)] == [True, True, False]
    partition.note_follower(other, 2)
    assert partition.has_acks(done, 3)


def test_a_follower_that_falls_out_of_sync_is_not_waited_for_any_more() -> None:
    partition = replicated()
    one, other = followers(partition)
    partition.note_follower(one, 0)
    partition.note_follower(other, 0)
    partition.append(batch(), NOW)
    partition.note_follower(one, 2)
    assert partition.high_watermark == 0
    partition.state.isr.remove(other)
    partition.advance_high_watermark()
    assert partition.high_watermark == 2
    assert not partition.lacks_replicas
    partition.state.isr.remove(one)
    assert partition.lacks_replicas


def test_waits_for_a_partition_use_its_key() -> None:
    partition = partition_of(booted("2.8.2"))
    assert (partition.key, partition.index, partition.log_start_offset) == (("log", "t", 0, 0), 0, 0)
