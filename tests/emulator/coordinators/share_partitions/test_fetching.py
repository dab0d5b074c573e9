"""Records for members of share groups, fetched with requests."""

import pytest
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.delivery import Want
from fakekafka.coordinators.share_partitions.fetching import Acquisitions, Limits, aborted_ranges, give, rotated
from fakekafka.coordinators.share_partitions.requests import ShareClient
from fakekafka.errors import ErrorCode
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records import control, v2
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.wire.apis.share_fetch import ShareFetchRequest, ShareFetchResponse

from tests.support.brokers import answer_over
from tests.support.group_clients import clock_of
from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, place, shared, state_of
from tests.support.transaction_clients import TransactionalProducer, coordinator_is_there


def written(first: int, last: int, producer: int) -> bytes:
    """A batch in a transaction."""
    rows = [Record(offset, 0, 0, None, b"v") for offset in range(first, last + 1)]
    return v2.build(rows, producer_id=producer, producer_epoch=0, base_sequence=0, transactional=True)


def ended(at: int, producer: int, *, commit: bool) -> bytes:
    """A marker."""
    return control.end_transaction(
        commit=commit, producer_id=producer, producer_epoch=0, coordinator_epoch=0, timestamp=0, offset=at
    )


def test_batches_of_a_producer_are_aborted_from_its_transaction_to_its_marker() -> None:
    plain = v2.build([Record(0, 0, 0, None, b"v")])
    log = plain + written(1, 2, 7) + written(3, 3, 8) + written(4, 5, 7) + ended(6, 7, commit=False)
    log += written(7, 7, 7) + ended(8, 7, commit=True) + ended(9, 8, commit=True)
    found = aborted_ranges(batches(log), [AbortedTxn(7, 1, 6, 3)])
    assert found == [(1, 2), (4, 5)]


def test_records_written_before_the_aborted_transaction_are_not_aborted() -> None:
    log = written(0, 0, 7) + ended(1, 7, commit=True) + written(2, 2, 7) + ended(3, 7, commit=False)
    assert aborted_ranges(batches(log), [AbortedTxn(7, 2, 3, 2)]) == [(2, 2)]


def test_nothing_is_aborted_without_transactions() -> None:
    assert aborted_ranges(batches(written(0, 3, 7)), []) == []


def joined(records: int = 4, partitions: int = 1) -> ShareMember:
    member = ShareMember(shared(records=records, partitions=partitions))
    member.join()
    return member


def test_records_are_returned_as_they_are_in_the_log() -> None:
    member = joined()
    (topic,) = member.fetch().responses
    (row,) = topic.partitions
    units = list(batches(bytes(row.records or b"")))
    assert [unit.base_offset for unit in units] == [0, 1, 2, 3]
    assert [record.value for unit in units for record in unit.records()] == [b"0", b"1", b"2", b"3"]


def test_batches_that_are_already_acquired_are_not_returned() -> None:
    member = joined()
    member.fetch(most=2)
    (topic,) = member.fetch().responses
    units = batches(bytes(topic.partitions[0].records or b""))
    assert [unit.base_offset for unit in units] == [2, 3]


def test_the_maximum_number_of_records_is_for_all_partitions_together() -> None:
    member = joined(records=8, partitions=2)
    said = member.fetch(partitions=(0, 1), most=5)
    spans = [span for row in said.responses[0].partitions for span in row.acquired_records]
    assert sum(span.last_offset - span.first_offset + 1 for span in spans) == 5


def test_records_acknowledged_with_a_fetch_are_finished() -> None:
    member = joined()
    assert member.got() == [(0, 3, 1)]
    assert member.got([(0, 3, [1])]) == []
    assert member.got() == []


def test_each_request_begins_with_another_partition() -> None:
    topic = b"t" * 16
    tps = [(topic, 0), (topic, 1), (topic, 2)]
    order = [[p for _, p in rotated(tps, epoch)] for epoch in range(5)]
    assert order == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2], [1, 2, 0]]
    assert rotated([], 3) == []


def test_partitions_share_the_maximum_number_of_bytes() -> None:
    member = joined(records=8, partitions=2)
    one_record = len(bytes(member.fetch(most=1).responses[0].partitions[0].records or b""))
    other = ShareMember(member.kafka, "other")
    said = other.fetch(partitions=(0, 1), max_bytes=2 * one_record)
    assert [len(row.acquired_records) for row in said.responses[0].partitions] == [1, 1]


def test_a_fetch_waits_while_there_are_too_few_bytes() -> None:
    member = joined()
    said = member.fetch(min_bytes=100_000)
    assert said.responses[0].partitions[0].acquired_records, "its time is over at once"
    member.kafka.send("t", b"new")
    assert not give_without_waiting(member, min_bytes=100_000).enough
    assert give_without_waiting(member, min_bytes=1).enough


def give_without_waiting(member: ShareMember, *, min_bytes: int) -> Acquisitions:
    """The answer to a request before it waits."""
    who = ShareClient(coordinators_of(broker_of(member.kafka)).share, member.group, member.id)
    at = place(member.kafka)
    return give(who, [(at.topic, 0)], Limits(1 << 20, min_bytes, Want(100, 100)))


def test_a_group_that_reads_committed_records_gets_no_aborted_ones() -> None:
    member = joined(records=1)
    kafka = member.kafka
    broker_of(kafka).cluster.settings.groups["g"]["share.isolation.level"] = "read_committed"
    coordinator_is_there(kafka)
    for commit in (False, True):
        producer = TransactionalProducer(kafka, f"x{commit}").initialised()
        producer.send(b"a")
        assert member.got() == ([(0, 0, 1)] if not commit else [(2, 2, 1)])
        producer.end(commit)
    assert member.got() == [(3, 4, 1)]
    member.acknowledge((0, 0, [1]))
    assert state_of(kafka).complete == 2


def test_a_group_that_reads_uncommitted_records_gets_all_of_them() -> None:
    member = joined(records=1)
    coordinator_is_there(member.kafka)
    producer = TransactionalProducer(member.kafka, "x").initialised()
    producer.send(b"a")
    assert member.got() == [(0, 1, 1)]


def test_a_group_without_states_gets_an_error() -> None:
    stranger = ShareMember(shared(records=1), group="nowhere")
    assert stranger.fetch().responses == []
    said = stranger.fetch(max_wait_ms=1)
    assert said.responses[0].partitions[0].error_code == ErrorCode.UNKNOWN_SERVER_ERROR


def test_a_partition_that_the_topic_does_not_have_fails_alone() -> None:
    said = joined().fetch(partitions=(0, 7))
    assert said.error_code == ErrorCode.NONE
    rows = {row.partition_index: row for row in said.responses[0].partitions}
    assert rows[7].error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert [(span.first_offset, span.last_offset) for span in rows[0].acquired_records] == [(0, 3)]


def test_a_topic_that_does_not_exist_fails_the_request() -> None:
    member = joined()
    assert member.got() == [(0, 3, 1)]
    member.kafka.delete_topic("t")
    request = ShareFetchRequest(group_id="g", member_id=member.id, share_session_epoch=1, max_records=1, batch_size=1)
    said = answer_over(member.connection, request, 2, ShareFetchResponse)
    assert said.error_code == ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.parametrize("release", ["4.1", "4.2"])
def test_records_that_a_fetch_without_waiting_releases_come_with_the_next(release: str) -> None:
    """As random traffic had it from 4.3.1; that a waiting one gets them from 4.2 on is recorded (share_delivery)."""
    member = ShareMember(shared(release, records=4))
    member.join()
    member.got()
    assert [member.got([(0, 3, [2])]), member.got()] == [[], [(0, 3, 2)]]


def test_what_a_fetch_acknowledges_after_its_lock_is_refused_although_it_gets_that_again() -> None:
    """Held to 4.3.1, by Kafka's ShareConsumerTest (testAcknowledgementCommitCallbackInvalidRecordStateException), and
    to 4.1.1 to 4.3.1 by the recording share_late_ack.
    """
    member = joined(records=1)
    assert member.got() == [(0, 0, 1)]
    clock_of(member.kafka).advance(30_001)
    (row,) = member.fetch([(0, 0, [1])]).responses[0].partitions
    assert row.acknowledge_error_code == ErrorCode.INVALID_RECORD_STATE
    assert [(span.first_offset, span.delivery_count) for span in row.acquired_records] == [(0, 2)]
