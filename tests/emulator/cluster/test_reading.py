import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.reading import FetchFails, Read, ReadData, Reader, Wanted, bound, locate, read_all
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.log.leader_epochs import EpochEnd
from fakekafka.pieces import joined
from fakekafka.wire.apis.fetch import FetchPartition

from tests.support.seeded import batch, booted, broker_of, in_transaction, marker, messages, partition_of, store

PLENTY = 1 << 20
CONSUMER = Reader()


def wanted(offset: int, index: int = 0, max_bytes: int = PLENTY, epoch: int = -1, last_epoch: int = -1) -> Wanted:
    asked = FetchPartition(
        partition=index,
        fetch_offset=offset,
        partition_max_bytes=max_bytes,
        current_leader_epoch=epoch,
        last_fetched_epoch=last_epoch,
    )
    return Wanted("t", ZERO_UUID, asked)


def read(kafka: FakeKafka, *wants: Wanted, reader: Reader = CONSUMER, max_bytes: int = PLENTY) -> list[Read]:
    return read_all(broker_of(kafka), wants, reader, max_bytes)


def one(kafka: FakeKafka, want: Wanted, reader: Reader = CONSUMER, max_bytes: int = PLENTY) -> ReadData:
    (only,) = read(kafka, want, reader=reader, max_bytes=max_bytes)
    assert isinstance(only.result, ReadData)
    return only.result


def error(kafka: FakeKafka, want: Wanted, reader: Reader = CONSUMER) -> ErrorCode:
    (only,) = read(kafka, want, reader=reader)
    assert isinstance(only.result, ErrorCode)
    return only.result


def filled(release: str = "2.3", partitions: int = 3) -> FakeKafka:
    kafka = booted(release, partitions)
    for index in range(partitions):
        store(kafka, batch(0), batch(2), index=index)
    return kafka


UNIT = len(batch(0))


def test_reads_return_the_stored_buffers_and_no_copies() -> None:
    kafka = booted("2.3")
    data = batch(0)
    store(kafka, data)
    (buffer,) = one(kafka, wanted(0)).buffers
    assert buffer is data


def test_a_slice_begins_with_the_unit_that_holds_the_offset() -> None:
    assert joined(one(filled(), wanted(1)).buffers) == batch(0) + batch(2)
    assert joined(one(filled(), wanted(2)).buffers) == batch(2)


@pytest.mark.parametrize(("max_bytes", "size"), [(0, UNIT), (1, UNIT), (UNIT + 10, UNIT + 10), (PLENTY, 2 * UNIT)])
def test_the_first_unit_comes_whole_and_a_later_one_may_be_cut(max_bytes: int, size: int) -> None:
    assert one(filled(), wanted(0, max_bytes=max_bytes)).size == size


@pytest.mark.parametrize("max_bytes", [0, 1, 20])
def test_below_version_3_units_are_cut_as_the_limit_says(max_bytes: int) -> None:
    assert one(filled(), wanted(0, max_bytes=max_bytes), Reader(whole_units=False)).size == max_bytes


def test_only_the_first_partition_with_records_may_go_over_the_limit() -> None:
    reads = read(filled(), wanted(4), wanted(0, 1), wanted(0, 2), max_bytes=10)
    assert [r.result.size for r in reads if isinstance(r.result, ReadData)] == [0, UNIT, 0]


def test_partitions_share_the_budget_in_their_order() -> None:
    reads = read(filled(), wanted(0), wanted(0, 1), wanted(0, 2), max_bytes=3 * UNIT)
    assert [r.result.size for r in reads if isinstance(r.result, ReadData)] == [2 * UNIT, UNIT, 0]


def test_a_negative_limit_fails_the_first_partition_only() -> None:
    reads = read(filled(), wanted(0), wanted(0, 1), max_bytes=-1)
    assert reads[0].result is ErrorCode.UNKNOWN_SERVER_ERROR
    assert isinstance(reads[1].result, ReadData)
    assert reads[1].result.size == UNIT


def test_a_negative_limit_does_not_matter_at_the_end_of_the_log() -> None:
    assert one(filled(), wanted(4), max_bytes=-1).size == 0


@pytest.mark.parametrize("offset", [-1, 5, 100])
def test_offsets_outside_the_log_are_out_of_range(offset: int) -> None:
    assert error(filled(), wanted(offset)) is ErrorCode.OFFSET_OUT_OF_RANGE


def test_unknown_topics_and_partitions_are_errors() -> None:
    assert error(filled(), wanted(0, index=9)) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert error(filled(), wanted(0)._replace(name="u")) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert error(filled(), Wanted(None, b"x" * 16, wanted(0).asked)) is ErrorCode.UNKNOWN_TOPIC_ID


def test_a_topic_id_must_belong_to_the_topic_with_the_name() -> None:
    kafka = filled("3.9")
    right = partition_of(kafka).topic.id
    assert one(kafka, wanted(0)._replace(topic_id=right)).size
    assert error(kafka, wanted(0)._replace(topic_id=b"x" * 16)) is ErrorCode.INCONSISTENT_TOPIC_ID


def test_an_old_leader_epoch_is_fenced_and_a_future_one_is_unknown() -> None:
    kafka = filled()
    kafka.elect_leader("t", 0)
    assert error(kafka, wanted(0, epoch=0)) is ErrorCode.FENCED_LEADER_EPOCH
    assert one(kafka, wanted(0, epoch=1)).size
    assert error(kafka, wanted(0, epoch=2)) is ErrorCode.UNKNOWN_LEADER_EPOCH


def test_a_reader_of_any_replica_reads_a_partition_that_another_broker_leads() -> None:
    kafka = filled()
    partition = partition_of(kafka)
    kafka.connect().core.cluster.change(partition.topic, partition.state, leader=7)
    assert error(kafka, wanted(0)) is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert error(kafka, wanted(4)) is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert one(kafka, wanted(0), Reader(any_replica=True)).size


@pytest.mark.parametrize(
    ("release", "leader_only", "any_replica"),
    [
        ("1.1", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, ErrorCode.REPLICA_NOT_AVAILABLE),
        ("2.5", ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.REPLICA_NOT_AVAILABLE),
        ("2.6", ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.NOT_LEADER_OR_FOLLOWER),
    ],
)
def test_reading_a_partition_that_only_other_brokers_host_is_an_error(
    release: str, leader_only: ErrorCode, any_replica: ErrorCode
) -> None:
    kafka = filled(release)
    broker_of(kafka).partitions.pop(("t", 0))
    assert locate(broker_of(kafka), "t", 0, -1) is leader_only
    assert locate(broker_of(kafka), "t", 0, -1, any_replica=True) is any_replica


# ---- followers


def replicated(release: str = "2.3") -> FakeKafka:
    """A partition with a follower, broker 1, that has nothing yet."""
    kafka = booted(release)
    partition = partition_of(kafka)
    partition.state.replicas.append(1)
    partition.state.isr.append(1)
    partition.note_follower(1, 0)
    return kafka


def test_a_follower_reads_to_the_log_s_end() -> None:
    kafka = replicated()
    store(kafka, batch(0), batch(2))
    assert (bound(partition_of(kafka), Reader(1)), bound(partition_of(kafka), CONSUMER)) == (4, 0)
    assert one(kafka, wanted(0), Reader(1)).size == 2 * UNIT
    assert one(kafka, wanted(0)).size == 0


@pytest.mark.parametrize(("replica_id", "release"), [(0, "2.3"), (1, "0.11.0"), (0, "0.8.2")])
def test_a_false_follower_fails_the_request(replica_id: int, release: str) -> None:
    with pytest.raises(FetchFails):
        read(filled(release) if release != "0.8.2" else booted(release), wanted(0), reader=Reader(replica_id))


@pytest.mark.parametrize(("replica_id", "release"), [(0, "2.4"), (1, "1.0"), (1, "3.2")])
def test_a_false_follower_gets_nothing_in_other_releases(replica_id: int, release: str) -> None:
    assert one(filled(release), wanted(0), Reader(replica_id)) == ReadData()
    assert error(filled(release), wanted(9), Reader(replica_id)) is ErrorCode.OFFSET_OUT_OF_RANGE


@pytest.mark.parametrize("replica_id", [0, 1])
def test_a_false_follower_gets_not_leader_or_follower_in_3_3(replica_id: int) -> None:
    assert error(filled("3.3"), wanted(9), Reader(replica_id)) is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_an_offset_beyond_the_high_watermark_is_an_error_before_0_10() -> None:
    for release in ("0.9.0", "0.10.0"):
        kafka = replicated(release)
        store(kafka, *(messages(0, offset, 1) for offset in range(3)))
        partition_of(kafka).note_follower(1, 1)
        assert partition_of(kafka).high_watermark == 1
        if release == "0.9.0":
            assert error(kafka, wanted(2)) is ErrorCode.UNKNOWN_SERVER_ERROR
        else:
            assert one(kafka, wanted(2)).size == 0


# ---- diverging epochs


def grown(release: str = "2.8") -> FakeKafka:
    """Epoch 0 ends at 4, epoch 1 at 6."""
    kafka = filled(release, 1)
    kafka.elect_leader("t", 0)
    store(kafka, batch(4, epoch=1))
    return kafka


def test_a_reader_whose_epoch_ended_before_its_offset_gets_the_end_of_that_epoch() -> None:
    found = one(grown(), wanted(5, last_epoch=0))
    assert found.diverging == (0, 4)
    assert found.size == 0


@pytest.mark.parametrize(("offset", "last_epoch"), [(4, 0), (4, 1), (6, 1)])
def test_a_reader_whose_epochs_agree_reads_on(offset: int, last_epoch: int) -> None:
    assert one(grown(), wanted(offset, last_epoch=last_epoch)).diverging is None


@pytest.mark.parametrize(("offset", "last_epoch"), [(4, 2), (-1, 0)])
def test_an_epoch_that_nobody_knows_is_out_of_range(offset: int, last_epoch: int) -> None:
    assert error(grown(), wanted(offset, last_epoch=last_epoch)) is ErrorCode.OFFSET_OUT_OF_RANGE


@pytest.mark.parametrize(
    ("release", "tells"), [("2.7.0", True), ("2.7.1", True), ("2.7.2", False), ("2.8.0", True), ("2.8.1", False)]
)
def test_a_reader_before_the_logs_start_is_told_of_other_epochs_in_a_few_releases(release: str, tells: bool) -> None:
    """KAFKA-12996. Recorded from 2.7.0 to 2.8.1: gap_questions."""
    kafka = filled(release, 1)
    for _ in range(2):  # epoch 1 has no records
        kafka.elect_leader("t", 0)
    store(kafka, batch(4, epoch=2))
    partition_of(kafka).log.advance_log_start(2)
    if tells:
        assert one(kafka, wanted(1, last_epoch=1)).diverging == (0, 4)
    else:
        assert error(kafka, wanted(1, last_epoch=1)) is ErrorCode.OFFSET_OUT_OF_RANGE


def test_a_false_follower_is_told_of_diverging_epochs() -> None:
    """Recorded from 2.7.0 to 2.8.1: gap_questions."""
    assert one(grown(), wanted(5, last_epoch=0), Reader(1)) == ReadData(diverging=EpochEnd(0, 4))


# ---- committed data


def unstable(release: str = "3.9") -> FakeKafka:
    """Producer 1 aborted 0-1, producer 3 has 3-4 open, producer 2 aborted 5-6 since."""
    kafka = booted(release)
    store(kafka, in_transaction(0), marker(2, commit=False))
    store(kafka, in_transaction(3, producer=3), in_transaction(5, producer=2), marker(7, commit=False, producer=2))
    return kafka


COMMITTED = Reader(read_committed=True)


def test_a_reader_of_committed_data_stops_at_the_last_stable_offset() -> None:
    kafka = unstable()
    assert bound(partition_of(kafka), COMMITTED) == 3
    found = one(kafka, wanted(0), COMMITTED)
    assert joined(found.buffers) == in_transaction(0) + marker(2, commit=False)
    assert found.aborted is not None
    assert [(txn.producer_id, txn.first_offset) for txn in found.aborted] == [(1, 0), (2, 5)]


def test_a_reader_of_everything_gets_no_list_of_aborted_transactions() -> None:
    assert one(unstable(), wanted(0)).aborted is None


@pytest.mark.parametrize(
    ("release", "at_bound", "beyond"),
    [("2.3", [2], [2]), ("2.4", [2], []), ("2.5.0", [2], []), ("2.5", [], []), ("3.9", [], [])],
)
def test_an_empty_read_lists_aborted_transactions_as_the_release_does(
    release: str, at_bound: list[int], beyond: list[int]
) -> None:
    for offset, producers in ((3, at_bound), (4, beyond), (8, [])):
        found = one(unstable(release), wanted(offset), COMMITTED)
        assert found.size == 0
        assert found.aborted is not None
        assert [txn.producer_id for txn in found.aborted] == producers
