import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.log.memory_files import MemoryFile
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsPartitionResponse,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.frames import request_frame
from hypothesis import given
from hypothesis import strategies as st

from tests.support.brokers import answer
from tests.support.examples import at_most
from tests.support.seeded import NOW, batch, booted, in_transaction, messages, partition_of, store

LATEST, EARLIEST, LARGEST, EARLIEST_LOCAL, LATEST_TIERED, EARLIEST_PENDING = -1, -2, -3, -4, -5, -6


def questions(*times: int, topic: str = "t", index: int = 0, most: int = 1, epoch: int = -1) -> list[ListOffsetsTopic]:
    partitions = [
        ListOffsetsPartition(partition_index=index, timestamp=time, max_num_offsets=most, current_leader_epoch=epoch)
        for time in times
    ]
    return [ListOffsetsTopic(name=topic, partitions=partitions)]


def ask(
    kafka: FakeKafka, topics: list[ListOffsetsTopic], version: int, replica_id: int = -1, isolation: int = 0
) -> list[ListOffsetsPartitionResponse]:
    request = ListOffsetsRequest(replica_id=replica_id, isolation_level=isolation, topics=topics)
    response = answer(kafka, request, version, ListOffsetsResponse)
    return [partition for topic in response.topics for partition in topic.partitions]


def one(
    kafka: FakeKafka, time: int, version: int = 4, replica_id: int = -1, isolation: int = 0, epoch: int = -1
) -> tuple[int, int, int]:
    """Error, offset and timestamp."""
    (found,) = ask(kafka, questions(time, epoch=epoch), version, replica_id, isolation)
    return found.error_code, found.offset, found.timestamp


def filled(release: str = "2.3") -> FakeKafka:
    """Offsets 0 to 3, one second apart."""
    kafka = booted(release)
    store(kafka, batch(0), batch(2))
    return kafka


# ---- ends


def test_the_ends_of_the_log_have_no_timestamp() -> None:
    kafka = filled()
    partition_of(kafka).log.advance_log_start(1)
    assert one(kafka, EARLIEST) == (0, 1, -1)
    assert one(kafka, LATEST) == (0, 4, -1)


def test_the_end_of_the_log_depends_on_the_reader() -> None:
    kafka = booted("2.3")
    partition = partition_of(kafka)
    partition.state.replicas.append(1)
    partition.state.isr.append(1)
    partition.note_follower(1, 0)
    store(kafka, batch(0), in_transaction(2), batch(4))
    partition.note_follower(1, 5)
    assert one(kafka, LATEST) == (0, 5, -1)
    assert one(kafka, LATEST, isolation=1) == (0, 2, -1)
    assert one(kafka, LATEST, replica_id=1) == (0, 6, -1)
    assert one(kafka, LATEST, replica_id=-2) == (0, 6, -1)


# ---- times


@pytest.mark.statement("S2-35")
@pytest.mark.parametrize(
    ("time", "offset"),
    [(0, 0), (NOW, 0), (NOW + 1, 1), (NOW + 1000, 1), (NOW + 3000, 3), (NOW + 3001, -1), (2**62, -1)],
)
def test_the_first_record_at_a_time_or_after_it_is_found(time: int, offset: int) -> None:
    timestamp = NOW + 1000 * offset if offset >= 0 else -1
    assert one(filled(), time) == (0, offset, timestamp)


@pytest.mark.parametrize("magic", [1, 2])
def test_old_formats_are_searched_by_every_release(magic: int) -> None:
    for release in ("2.3", "4.0"):
        kafka = booted(release)
        store(kafka, messages(1, 0), messages(1, 2, codec=1), batch(4))
        assert one(kafka, NOW + 3000) == (0, 3, NOW + 3000)


def test_a_record_that_the_reader_may_not_see_is_not_found() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0), in_transaction(2))
    assert one(kafka, NOW + 2000) == (0, 2, NOW + 2000)
    assert one(kafka, NOW + 2000, isolation=1) == (0, -1, -1)
    assert one(kafka, NOW + 1000, isolation=1) == (0, 1, NOW + 1000)


def test_a_log_of_format_0_cannot_be_searched() -> None:
    kafka = booted("2.3", message_format_version="0.9.0")
    assert one(kafka, NOW)[0] == ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT
    assert one(kafka, LATEST) == (0, 0, -1)


@pytest.mark.parametrize(("release", "error"), [("3.4", 43), ("3.5", 0), ("3.8", 0), ("3.9", 43)])
def test_the_start_of_the_local_log_needs_no_times_in_some_releases(release: str, error: int) -> None:
    """Recorded from 3.4.1 to 3.9.1 under ZooKeeper: list_offsets."""
    protocol: dict[str, object] = {"zookeeper.connect": "localhost:2181", "inter.broker.protocol.version": "2.8"}
    kafka = booted(release, config=protocol, message_format_version="0.9.0")
    assert one(kafka, EARLIEST_LOCAL, version=7 if release == "3.4" else 8)[0] == error


def test_records_that_cannot_be_read_are_an_error() -> None:
    kafka = booted("2.3")
    broken = bytearray(batch(0))
    broken[61] = 0x7F  # the first record's length is negative
    store(kafka, batch(0))
    partition_of(kafka).log.segments[0].open_log().truncate(0, NOW)
    partition_of(kafka).log.segments[0].open_log().append(bytes(broken), NOW)
    assert one(kafka, NOW + 1) == (ErrorCode.UNKNOWN_SERVER_ERROR, -1, -1)


@pytest.mark.statement("S2-42")
def test_the_first_of_equal_timestamps_is_found() -> None:
    kafka = booted("2.3")
    store(kafka, v2.build([Record(n, NOW, 0, None, b"v") for n in range(3)]))
    assert one(kafka, NOW) == (0, 0, NOW)


@pytest.mark.statement("S2-36")
@pytest.mark.statement("S2-37")
@pytest.mark.statement("S2-40")
@given(
    st.lists(st.lists(st.integers(0, 30), min_size=1, max_size=4), min_size=1, max_size=12),
    st.sampled_from([0, 100, 4096]),
)
@at_most(40)
def test_no_earlier_record_has_the_timestamp_that_is_searched_for_or_a_later_one(
    sets: list[list[int]], interval: int
) -> None:
    kafka = booted("2.3", index_interval_bytes=str(interval))
    times = [t for late in sets for t in late]
    first = 0
    for late in sets:
        store(kafka, v2.build([Record(first + n, NOW + t, 0, None, b"v" * 50) for n, t in enumerate(late)]))
        first += len(late)
    for time in range(32):
        offset, found = next(((n, t) for n, t in enumerate(times) if t >= time), (-1, -1 - NOW))
        assert one(kafka, NOW + time) == (0, offset, NOW + found)


# ---- special times


def test_the_largest_timestamp_is_that_of_a_record_from_3_8_on() -> None:
    """KAFKA-16310: before, a compressed batch counts with its last offset."""
    data = v2.build([Record(n, NOW + late, 0, None, b"v") for n, late in enumerate((10, 30, 20))], codec=1)
    for release, offset in (("3.7", 2), ("3.8", 1)):
        kafka = booted(release)
        assert one(kafka, LARGEST, 7) == (0, -1, -1)
        store(kafka, data)
        assert one(kafka, LARGEST, 7) == (0, offset, NOW + 30)


@pytest.mark.parametrize(("release", "version"), [("2.3", 5), ("3.4", 7)])
def test_a_special_time_that_the_release_does_not_know_is_searched_as_a_time(release: str, version: int) -> None:
    assert one(filled(release), EARLIEST_LOCAL, version) == (0, 0, NOW)


@pytest.mark.parametrize(
    ("time", "release", "version", "error"),
    [
        (LARGEST, "3.8", 6, 0), (LARGEST, "3.9", 6, 35), (LARGEST, "3.9", 7, 0),
        (EARLIEST_LOCAL, "3.9", 7, 35), (EARLIEST_LOCAL, "3.9", 8, 0),
        (LATEST_TIERED, "3.9", 8, 35), (LATEST_TIERED, "3.9", 9, 0),
        (EARLIEST_PENDING, "4.1", 10, 35), (EARLIEST_PENDING, "4.2", 10, 35), (EARLIEST_PENDING, "4.2", 11, 0),
        (-7, "4.2", 11, 35),
    ],
)  # fmt: skip
def test_from_3_9_on_special_times_are_checked(time: int, release: str, version: int, error: int) -> None:
    assert one(filled(release), time, version)[0] == error


def test_without_tiered_storage_the_local_log_is_the_whole_log() -> None:
    kafka = filled("4.2")
    assert one(kafka, EARLIEST_LOCAL, 11) == (0, 0, -1)
    assert one(kafka, LATEST_TIERED, 11) == one(kafka, EARLIEST_PENDING, 11) == (0, -1, -1)


# ---- leader epochs


def test_epochs_are_reported_from_2_2_on() -> None:
    for release, epochs in (("2.1", [-1, -1, -1]), ("2.2", [0, 1, 1])):
        kafka = booted(release)
        store(kafka, batch(0))
        kafka.elect_leader("t", 0)
        store(kafka, batch(2, epoch=1))
        found = [ask(kafka, questions(time), 4)[0].leader_epoch for time in (EARLIEST, LATEST, NOW + 2000)]
        assert found == epochs


def test_the_first_epoch_may_be_unknown() -> None:
    kafka = booted("2.3")
    store(kafka, messages(1, 0), batch(2))
    assert ask(kafka, questions(EARLIEST), 4)[0].leader_epoch == -1


def test_a_leader_epoch_that_is_not_current_is_refused() -> None:
    kafka = filled()
    kafka.elect_leader("t", 0)
    assert [one(kafka, LATEST, epoch=n)[0] for n in (0, 1, 2)] == [74, 0, 75]


# ---- unknown partitions, odd requests


def test_unknown_topics_and_partitions_are_error_3() -> None:
    kafka = filled()
    for topics in (questions(LATEST, topic="u"), questions(LATEST, index=9), questions(LATEST, index=-1)):
        (found,) = ask(kafka, topics, 4)
        assert (found.error_code, found.offset, found.timestamp) == (3, -1, -1)
        (old,) = ask(kafka, topics, 0)
        assert (old.error_code, old.old_style_offsets) == (3, [])


@pytest.mark.parametrize(("release", "count"), [("2.6", 1), ("2.7", 2), ("3.9", 2), ("4.0", 1)])
def test_a_partition_that_is_asked_for_twice_is_refused(release: str, count: int) -> None:
    found = ask(filled(release), questions(LATEST, EARLIEST), 1)
    assert [(p.error_code, p.offset) for p in found] == [(ErrorCode.INVALID_REQUEST, -1)] * count


@pytest.mark.parametrize(("release", "offsets"), [("2.6", [[0]]), ("2.7", [[4], [0]])])
def test_version_0_serves_a_partition_that_is_asked_for_twice(release: str, offsets: list[list[int]]) -> None:
    """KAFKA-1588."""
    assert [p.old_style_offsets for p in ask(filled(release), questions(LATEST, EARLIEST), 0)] == offsets


def test_an_unknown_isolation_level_closes_the_connection_up_to_2_6_and_is_an_error_later() -> None:
    request = ListOffsetsRequest(replica_id=-1, isolation_level=2, topics=questions(LATEST))
    client = booted("2.6").connect()
    assert client.send(request_frame(request, 4, 1, None)) == b""
    assert client.closed
    assert one(booted("2.7"), LATEST, isolation=2)[0] == ErrorCode.UNKNOWN_SERVER_ERROR
    assert one(booted("2.7"), LATEST, isolation=2, replica_id=-2)[0] == 0
    assert one(booted("4.0"), LATEST, isolation=2, replica_id=-2)[0] == ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.parametrize(("release", "error"), [("2.0", 9), ("2.1", 3)])
def test_a_reader_of_any_replica_gets_an_error_where_there_is_no_replica(release: str, error: int) -> None:
    (found,) = ask(booted(release), questions(LATEST, index=9), 1, replica_id=-2)
    assert found.error_code == error


# ---- version 0


def rolled(release: str = "2.3") -> FakeKafka:
    """Segments 0, 2, 4, last written 100 s apart, and records up to 5."""
    kafka = booted(release, segment_bytes="100")
    for n in range(3):
        store(kafka, batch(2 * n))
        log = partition_of(kafka).log.segments[-1].open_log()
        assert isinstance(log, MemoryFile)
        log.last_modified_ms = NOW + 100_000 * n
    return kafka


@pytest.mark.parametrize(
    ("time", "most", "offsets"),
    [
        (LATEST, 1, [6]), (LATEST, 10, [6, 4, 2, 0]), (LATEST, 2, [6, 4]), (LATEST, 0, []),
        (EARLIEST, 10, [0]), (EARLIEST, 0, []),
        (0, 10, []), (NOW - 1, 1, []), (NOW, 10, [6, 4, 2, 0]),
    ],
)  # fmt: skip
def test_version_0_lists_segments_by_the_time_of_their_files(time: int, most: int, offsets: list[int]) -> None:
    (found,) = ask(rolled(), questions(time, most=most), 0)
    assert found.old_style_offsets == offsets


def test_a_consumer_gets_the_high_watermark_in_place_of_later_offsets() -> None:
    kafka = booted("2.3", segment_bytes="100")
    partition = partition_of(kafka)
    partition.state.replicas.append(1)
    partition.state.isr.append(1)
    partition.note_follower(1, 0)
    for n in range(3):
        store(kafka, batch(2 * n))
    partition.note_follower(1, 3)
    assert ask(kafka, questions(LATEST, most=10), 0)[0].old_style_offsets == [3, 2, 0]
    assert ask(kafka, questions(LATEST, most=10), 0, replica_id=-2)[0].old_style_offsets == [6, 4, 2, 0]


def test_version_0_refuses_special_times_and_negative_counts() -> None:
    kafka = rolled("3.9")
    assert ask(kafka, questions(LARGEST), 0)[0].error_code == ErrorCode.UNSUPPORTED_VERSION
    assert ask(kafka, questions(LATEST, most=-1), 0)[0].error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    assert ask(rolled("2.3"), questions(LARGEST), 0)[0].error_code == 0
