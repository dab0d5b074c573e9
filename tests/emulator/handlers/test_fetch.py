"""Fetch as a client sees it. Slices, waiting, sessions and conversions also have tests of their own, in `broker`."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.records import v1
from fakekafka.records.scan import batches
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.fetch import (
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    ForgottenTopic,
    PartitionData,
    ReplicaState,
)
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.emulator.brokers import answer
from tests.emulator.seeded import batch, booted, in_transaction, marker, messages, partition_of, rows, store

UNIT = len(batch(0))
NEWEST_WITH_NAMES = 12


def request(*asked: tuple[str, int, int], **fields: object) -> FetchRequest:
    """A request for (topic, partition, offset), neighbours of one topic together."""
    topics: list[FetchTopic] = []
    for name, index, offset in asked:
        partition = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=1 << 20)
        if topics and topics[-1].topic == name:
            topics[-1].partitions = [*topics[-1].partitions, partition]
        else:
            topics.append(FetchTopic(topic=name, partitions=[partition]))
    values: dict[str, object] = {"max_wait_ms": 0, "min_bytes": 1, "topics": topics, **fields}
    return FetchRequest(**values)  # type: ignore[arg-type]


def fetch(
    kafka: FakeKafka, *asked: tuple[str, int, int], version: int = NEWEST_WITH_NAMES, **fields: object
) -> FetchResponse:
    return answer(kafka, request(*asked, **fields), version, FetchResponse)


def partitions(response: FetchResponse) -> list[PartitionData]:
    return [partition for topic in response.responses for partition in topic.partitions]


def only(response: FetchResponse) -> PartitionData:
    (found,) = partitions(response)
    return found


def errors(response: FetchResponse) -> list[int]:
    return [partition.error_code for partition in partitions(response)]


def places(response: FetchResponse) -> list[tuple[str, int]]:
    return [(topic.topic, partition.partition_index) for topic in response.responses for partition in topic.partitions]


def data_of(partition: PartitionData) -> bytes:
    assert isinstance(partition.records, memoryview)
    return bytes(partition.records)


def filled(release: str, partitions: int = 2, sets: int = 2) -> FakeKafka:
    kafka = booted(release, partitions)
    for index in range(partitions):
        store(kafka, *(batch(2 * n) for n in range(sets)), index=index)
    return kafka


# ---- what is answered


@pytest.mark.parametrize(("release", "version"), [("0.11.0", 4), ("1.1", 7), ("2.3", 11), ("3.9", 12), ("4.0", 4)])
def test_the_stored_bytes_come_back_with_the_log_s_ends(release: str, version: int) -> None:
    kafka = booted(release)
    store(kafka, batch(0), batch(2))
    partition_of(kafka).log.advance_log_start(1)
    found = only(fetch(kafka, ("t", 0, 2), version=version))
    assert data_of(found) == batch(2)
    assert (found.error_code, found.high_watermark, found.aborted_transactions) == (0, 4, None)
    assert found.log_start_offset == (1 if version >= 5 else -1)
    assert found.preferred_read_replica == -1


@pytest.mark.parametrize(("release", "everything"), [("2.0", -1), ("2.1", 1)])
def test_the_last_stable_offset_is_for_readers_of_committed_data_up_to_2_0(release: str, everything: int) -> None:
    kafka = booted(release)
    store(kafka, batch(0, 1), in_transaction(1))
    committed = only(fetch(kafka, ("t", 0, 0), version=4, isolation_level=1))
    assert (committed.last_stable_offset, committed.high_watermark) == (1, 3)
    assert only(fetch(kafka, ("t", 0, 0), version=4)).last_stable_offset == everything


def test_readers_of_committed_data_are_told_what_was_aborted() -> None:
    kafka = booted("2.3")
    store(kafka, in_transaction(0), marker(2, commit=False))
    found = only(fetch(kafka, ("t", 0, 0), isolation_level=1, version=11))
    assert found.aborted_transactions is not None
    assert [(txn.producer_id, txn.first_offset) for txn in found.aborted_transactions] == [(1, 0)]
    assert only(fetch(kafka, ("t", 0, 3), isolation_level=1, version=11)).aborted_transactions == []


def test_old_versions_get_old_formats() -> None:
    kafka = filled("2.3", 1, 1)
    assert next(batches(data_of(only(fetch(kafka, ("t", 0, 0), version=0))))).magic == 0
    assert data_of(only(fetch(kafka, ("t", 0, 0), version=2))).startswith(v1.build(rows(0, 1)))
    assert data_of(only(fetch(kafka, ("t", 0, 0), version=4))) == batch(0)


def test_a_unit_is_cut_up_to_version_2_and_whole_from_3_on() -> None:
    kafka = booted("0.10.2")
    store(kafka, v1.build(rows(0, 5), codec=1))
    topics = [FetchTopic(topic="t", partitions=[FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=9)])]
    assert len(data_of(only(fetch(kafka, version=2, topics=topics)))) == 9
    assert len(data_of(only(fetch(kafka, version=3, topics=topics)))) > 9


# ---- formats by phase (KIP-31)


def phase(magic: int) -> FakeKafka:
    """0.10.0 with the new code and the old format, or both new. The log holds a set of each kind its format allows."""
    kafka = booted("0.10.0", message_format_version="0.9.0" if magic == 0 else "0.10.0")
    store(kafka, messages(magic, 0), messages(magic, 2, codec=1))
    return kafka


@pytest.mark.statement("S0-29")
@pytest.mark.statement("S0-39")
@pytest.mark.statement("S0-40")
@pytest.mark.statement("S0-46")
@pytest.mark.statement("S0-51")
@pytest.mark.parametrize(("magic", "version"), [(0, 0), (0, 1), (0, 2), (1, 2)])
def test_a_client_that_can_read_the_format_gets_the_file_s_bytes(magic: int, version: int) -> None:
    expected = messages(magic, 0) + messages(magic, 2, codec=1)
    assert data_of(only(fetch(phase(magic), ("t", 0, 0), version=version))) == expected


@pytest.mark.statement("S0-30")
@pytest.mark.statement("S0-45")
@pytest.mark.statement("S0-52")
@pytest.mark.parametrize("version", [0, 1])
def test_one_that_cannot_gets_them_converted_to_format_0(version: int) -> None:
    found = list(batches(data_of(only(fetch(phase(1), ("t", 0, 0), version=version)))))
    assert {unit.magic for unit in found} == {0}
    assert [r.offset for unit in found for r in unit.records()] == [0, 1, 2, 3]


@pytest.mark.statement("S0-27")
def test_records_of_a_fetched_wrapper_have_absolute_offsets() -> None:
    (wrapper,) = batches(data_of(only(fetch(phase(1), ("t", 0, 3), version=2))))
    assert [r.offset for r in wrapper.records()] == [2, 3]


@pytest.mark.statement("S0-50")
def test_both_formats_come_in_one_answer() -> None:
    kafka = booted("0.10.0")
    store(kafka, messages(0, 0), messages(1, 2))
    assert data_of(only(fetch(kafka, ("t", 0, 0), version=2))) == messages(0, 0) + messages(1, 2)


@pytest.mark.statement("S0-53")
def test_a_slice_that_is_old_all_over_is_not_converted_for_old_clients() -> None:
    kafka = booted("0.10.0")
    store(kafka, messages(0, 0, codec=1), messages(1, 2))
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=len(messages(0, 0, codec=1)))
    found = only(fetch(kafka, version=1, topics=[FetchTopic(topic="t", partitions=[asked])]))
    assert data_of(found) == messages(0, 0, codec=1)


# ---- errors, order


def test_errors_stand_at_their_partitions() -> None:
    kafka = filled("2.3")
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 99), ("t", 7, 0), ("u", 0, 0), version=11)
    assert errors(response) == [0, 1, 3, 3]
    bad = partitions(response)[1]
    assert (bad.high_watermark, bad.last_stable_offset, bad.log_start_offset) == (-1, -1, -1)
    assert data_of(bad) == b""


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [
        ("0.10.0", 2, [("u", 0), ("t", 7), ("t", 0)]),
        ("0.10.2", 3, [("t", 7), ("t", 0), ("u", 0)]),
        ("2.0", 3, [("t", 0), ("u", 0), ("t", 7)]),
        ("3.9", 12, [("t", 0), ("u", 0), ("t", 7)]),
    ],
)
def test_what_the_metadata_do_not_know_comes_last(release: str, version: int, order: list[tuple[str, int]]) -> None:
    response = fetch(booted(release), ("u", 0, 0), ("t", 7, 0), ("t", 0, 0), version=version)
    assert places(response) == order


def test_unknown_places_do_not_end_a_wait_but_errors_of_reading_do() -> None:
    kafka = booted("2.3")
    for asked, waits in ((("u", 0, 0), True), (("t", 0, 9), False)):
        client = kafka.connect()
        sent = client.send(request_frame(request(("t", 0, 0), asked, max_wait_ms=1000), 11, 1, None))
        assert (sent == b"") is waits


@pytest.mark.parametrize(("release", "errors_"), [("0.10.0", [9, 9]), ("1.1", [9, 3]), ("2.0", [3, 3])])
def test_a_reader_of_any_replica_where_there_is_none(release: str, errors_: list[int]) -> None:
    """Asked of 1.1.1 and 2.0.1."""
    assert sorted(errors(fetch(booted(release), ("t", 9, 0), ("u", 0, 0), version=2, replica_id=-2))) == sorted(errors_)


@pytest.mark.parametrize(("release", "count", "offset"), [("0.10.0", 1, 1), ("0.10.1", 2, 0), ("0.10.2", 1, 1)])
def test_a_partition_that_is_asked_for_twice(release: str, count: int, offset: int) -> None:
    kafka = booted(release, 2)
    store(kafka, v1.build(rows(0, 1)), v1.build(rows(1, 1)))
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 0), ("t", 0, 1), version=2)
    found = [partition for partition in partitions(response) if partition.partition_index == 0]
    assert len(found) == count
    assert next(iter(batches(data_of(found[0])))).last_offset == offset


def test_neighbours_of_a_topic_share_an_entry() -> None:
    kafka = filled("2.3")
    kafka.create_topic("u")
    response = fetch(kafka, ("t", 0, 0), ("u", 0, 0), ("t", 1, 0), version=11)
    assert [topic.topic for topic in response.responses] == ["t", "u", "t"]
    assert [
        topic.topic
        for topic in fetch(filled("0.9.0", 2, 0), ("t", 0, 0), ("u", 0, 0), ("t", 1, 0), version=1).responses
    ] == ["t", "u"]


@pytest.mark.parametrize(("release", "version"), [("0.11.0", 5), ("2.6", 11)])
def test_an_unknown_isolation_level_closes_the_connection(release: str, version: int) -> None:
    client = booted(release).connect()
    assert client.send(request_frame(request(("t", 0, 0), isolation_level=2), version, 1, None)) == b""
    assert client.closed


@pytest.mark.parametrize(("release", "records"), [("2.7", b""), ("3.0", None), ("4.0", b"")])
def test_or_fails_the_request(release: str, records: bytes | None) -> None:
    response = fetch(booted(release), ("t", 0, 0), isolation_level=2)
    assert (response.error_code, only(response).error_code) == (-1, -1)
    assert only(response).records == records
    assert only(response).high_watermark == -1


def test_from_version_13_on_a_failed_request_has_no_partitions() -> None:
    response = fetch(booted("3.9"), version=13, isolation_level=2)
    assert (response.error_code, response.responses) == (-1, [])


def test_0_9_answers_a_failed_request_of_version_1_in_the_layout_of_0() -> None:
    """KAFKA-3427: recorded from 0.9.0.1, fetch_manners."""
    data = booted("0.9.0").connect().send(request_frame(request(("t", 0, 0), replica_id=5), 1, 1, None))
    response = read_response(FetchResponse, 0, data[SIZE.size :])[1]
    assert errors(response) == [ErrorCode.UNKNOWN_SERVER_ERROR]


def test_headers_fail_the_whole_request_in_1_1_0() -> None:
    """KAFKA-6739."""
    kafka = filled("1.1.0")
    kafka.send("t", b"v", headers=[("h", b"x")], partition=1)
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 4), version=3)
    assert errors(response) == [-1, -1]
    assert errors(fetch(kafka, ("t", 0, 0), ("t", 1, 4), version=4)) == [0, 0]


@pytest.mark.parametrize(("release", "records"), [("2.3", b""), ("3.9", None)])
def test_a_conversion_that_is_forbidden_is_an_error_of_its_partition(release: str, records: bytes | None) -> None:
    kafka = booted(release, message_downconversion_enable="false")
    store(kafka, batch(0))
    found = only(fetch(kafka, ("t", 0, 0), version=3))
    assert found.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert found.records == records


def test_a_conversion_that_breaks_off_closes_the_connection() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0), batch(2, codec=4), batch(4, 1, value=bytes(200_000)))
    client = kafka.connect()
    client.send(request_frame(request(("t", 0, 0)), 3, 1, None))
    assert client.closed


def test_zstd_topics_are_closed_below_version_10() -> None:
    kafka = booted("2.3", compression_type="zstd")
    store(kafka, batch(0))
    assert [only(fetch(kafka, ("t", 0, 0), version=v)).error_code for v in (0, 4, 9, 10)] == [76, 76, 76, 0]


# ---- leader epochs, replicas


def test_an_election_fences_readers_of_the_epoch_before() -> None:
    kafka = filled("2.3")
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000, current_leader_epoch=0)
    topics = [FetchTopic(topic="t", partitions=[asked])]
    assert errors(fetch(kafka, version=9, topics=topics)) == [0]
    assert kafka.elect_leader("t", 0) == 1
    assert errors(fetch(kafka, version=9, topics=topics)) == [ErrorCode.FENCED_LEADER_EPOCH]
    assert errors(fetch(kafka, version=8, topics=topics)) == [0]


def test_a_fenced_reader_of_version_16_is_told_who_leads_and_where() -> None:
    """KIP-951."""
    kafka = filled("3.9", 1)
    kafka.elect_leader("t", 0)
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000, current_leader_epoch=0)
    topics = [FetchTopic(topic_id=partition_of(kafka).topic.id, partitions=[asked])]
    response = fetch(kafka, version=16, topics=topics)
    assert only(response).error_code == ErrorCode.FENCED_LEADER_EPOCH
    assert (only(response).current_leader.leader_id, only(response).current_leader.leader_epoch) == (0, 1)
    assert [node.node_id for node in response.node_endpoints] == [0]
    assert not fetch(kafka, version=15, topics=topics).node_endpoints


@pytest.mark.parametrize(("release", "nodes"), [("3.9", 1), ("4.0", 0)])
def test_followers_get_no_addresses_from_4_0_on(release: str, nodes: int) -> None:
    kafka = filled(release, 1)
    topics = [FetchTopic(topic_id=partition_of(kafka).topic.id, partitions=[FetchPartition(partition=0)])]
    response = fetch(kafka, version=16, topics=topics, replica_state=ReplicaState(replica_id=5, replica_epoch=1))
    assert only(response).error_code == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert len(response.node_endpoints) == nodes


def test_a_diverging_epoch_is_answered_at_once() -> None:
    kafka = filled("2.8", 1)
    kafka.elect_leader("t", 0)
    asked = FetchPartition(partition=0, fetch_offset=4, last_fetched_epoch=1, partition_max_bytes=1000)
    early = FetchPartition(partition=0, fetch_offset=4, last_fetched_epoch=0, partition_max_bytes=1000)
    store(kafka, batch(4, epoch=1))
    kafka.elect_leader("t", 0)
    for wish, expected in ((asked, (-1, -1)), (early, (-1, -1))):
        found = only(fetch(kafka, topics=[FetchTopic(topic="t", partitions=[wish])]))
        assert (found.diverging_epoch.epoch, found.diverging_epoch.end_offset) == expected
    late = FetchPartition(partition=0, fetch_offset=5, last_fetched_epoch=0, partition_max_bytes=1000)
    response = fetch(kafka, topics=[FetchTopic(topic="t", partitions=[late])], max_wait_ms=1000, min_bytes=1 << 20)
    found = only(response)
    assert (found.diverging_epoch.epoch, found.diverging_epoch.end_offset, data_of(found)) == (0, 4, b"")


def test_a_follower_s_fetch_moves_the_high_watermark_and_wakes_consumers() -> None:
    kafka = booted("2.3")
    partition = partition_of(kafka)
    partition.state.replicas.append(1)
    partition.state.isr.append(1)
    assert only(fetch(kafka, ("t", 0, 0), version=11, replica_id=1)).high_watermark == 0
    store(kafka, batch(0))
    consumer = kafka.connect()
    assert consumer.send(request_frame(request(("t", 0, 0), max_wait_ms=1000), 11, 1, None)) == b""
    first = only(fetch(kafka, ("t", 0, 0), version=11, replica_id=1))
    assert (first.high_watermark, data_of(first)) == (0, batch(0))
    second = kafka.connect()
    second.send(request_frame(request(("t", 0, 2), replica_id=1), 11, 1, None))
    assert partition.high_watermark == 2
    assert received(consumer).responses


# ---- waiting


def received(client: MemoryClient, version: int = 11) -> FetchResponse:
    return read_response(FetchResponse, version, client.receive()[SIZE.size :])[1]


def waiting(kafka: FakeKafka, **fields: object) -> MemoryClient:
    client = kafka.connect()
    sent = client.send(request_frame(request(("t", 0, 0), **{"max_wait_ms": 500, **fields}), 11, 1, None))
    assert sent == b""
    return client


def test_a_fetch_waits_for_min_bytes_and_is_woken_by_appends() -> None:
    kafka = booted("2.3")
    client = waiting(kafka, min_bytes=UNIT + 1)
    store(kafka, batch(0))
    assert client.receive() == b""
    store(kafka, batch(2))
    assert data_of(only(received(client))) == batch(0) + batch(2)


def test_it_is_answered_with_what_there_is_when_time_is_up() -> None:
    kafka = booted("2.3")
    client = waiting(kafka, min_bytes=1 << 20)
    store(kafka, batch(0))
    kafka.clock.advance(499)  # type: ignore[attr-defined]
    assert client.receive() == b""
    kafka.clock.advance(1)  # type: ignore[attr-defined]
    assert data_of(only(received(client))) == batch(0)


@pytest.mark.parametrize("fields", [{"max_wait_ms": 0}, {"min_bytes": 0}, {"topics": []}])
def test_it_does_not_wait_where_nothing_is_wanted(fields: dict[str, object]) -> None:
    assert (
        booted("2.3").connect().send(request_frame(request(("t", 0, 0), **{"max_wait_ms": 500, **fields}), 11, 1, None))
    )


def test_min_bytes_are_no_more_than_the_answer_may_have_from_2_5_on() -> None:
    for release, waits in (("2.4", True), ("2.5", False)):
        kafka = filled(release)
        sent = kafka.connect().send(
            request_frame(request(("t", 0, 0), max_wait_ms=500, min_bytes=1 << 20, max_bytes=UNIT), 11, 1, None)
        )
        assert (sent == b"") is waits


def test_the_broker_limits_answers_from_2_5_on() -> None:
    for release, size in (("2.4", 2 * UNIT), ("2.5", UNIT)):
        config: dict[str, object] = {"fetch.max.bytes": "1024"} if release == "2.5" else {}
        kafka = booted(release, 1, config)
        store(kafka, batch(0, value=bytes(600)), batch(2, value=bytes(600)))
        found = len(data_of(only(fetch(kafka, ("t", 0, 0), version=11))))
        assert (found < 2 * len(batch(0, value=bytes(600)))) is (size == UNIT)


# ---- sessions


class Consumer:
    """A client with a fetch session."""

    def __init__(self, kafka: FakeKafka, *asked: tuple[str, int, int], version: int = 11) -> None:
        self._kafka = kafka
        self._version = version
        response = fetch(kafka, *asked, version=version, session_epoch=0)
        self.id, self.epoch = response.session_id, 1
        self.first = response

    def poll(self, *asked: tuple[str, int, int], **fields: object) -> FetchResponse:
        values: dict[str, object] = {"session_id": self.id, "session_epoch": self.epoch, **fields}
        self.epoch += 1
        return fetch(self._kafka, *asked, version=self._version, **values)


def test_a_session_answers_only_what_is_new() -> None:
    kafka = filled("2.3", 3, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("t", 1, 0), ("t", 2, 2))
    assert consumer.id != 0
    assert places(consumer.first) == [("t", 0), ("t", 1), ("t", 2)]
    assert places(consumer.poll(("t", 1, 2))) == []
    store(kafka, batch(2), index=2)
    response = consumer.poll()
    assert places(response) == [("t", 2)]
    assert data_of(only(response)) == batch(2)
    assert response.session_id == consumer.id


@pytest.mark.parametrize(("release", "order"), [("2.8", [1, 2, 0]), ("3.0", [0, 1, 2])])
def test_partitions_that_were_answered_without_records_go_to_the_end_up_to_2_8(release: str, order: list[int]) -> None:
    """KAFKA-12330."""
    kafka = filled(release, 3, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("t", 1, 2), ("t", 2, 2))
    partition_of(kafka, 0).log.advance_log_start(1)
    assert places(consumer.poll()) == [("t", 0)]
    for index in range(3):
        store(kafka, batch(2), index=index)
    assert [index for _, index in places(consumer.poll())] == order


def test_partitions_that_gave_records_go_to_the_end() -> None:
    kafka = filled("3.9", 3, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("t", 1, 2), ("t", 2, 2))
    store(kafka, batch(2), index=1)
    consumer.poll()
    for index in (0, 1, 2):
        store(kafka, batch(2 if index != 1 else 4), index=index)
    assert [index for _, index in places(consumer.poll())] == [0, 2, 1]


def test_an_error_is_answered_each_time_and_its_end_too() -> None:
    kafka = filled("2.3", 1, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("u", 0, 0))
    assert errors(consumer.first) == [0, 3]
    assert errors(consumer.poll()) == [3]
    kafka.create_topic("u")
    assert errors(consumer.poll()) == [0]
    assert errors(consumer.poll()) == []


def test_sessions_that_are_not_there_and_epochs_that_are_wrong_stand_at_the_top() -> None:
    kafka = filled("2.3", 1, 1)
    consumer = Consumer(kafka, ("t", 0, 2))
    for fields, error in (({"session_epoch": 9}, 71), ({"session_id": 5}, 70)):
        response = consumer.poll(**fields)
        assert (response.error_code, response.session_id, response.responses) == (error, 0, [])


def test_forgetting_the_last_partition_ends_the_session() -> None:
    kafka = filled("2.3", 1, 1)
    consumer = Consumer(kafka, ("t", 0, 2))
    response = consumer.poll(forgotten_topics_data=[ForgottenTopic(topic="t", partitions=[0])])
    assert (response.error_code, response.session_id) == (0, 0)
    assert consumer.poll().error_code == ErrorCode.FETCH_SESSION_ID_NOT_FOUND


def test_a_session_that_was_used_again_meanwhile_is_an_error() -> None:
    kafka = filled("2.3", 1, 1)
    consumer = Consumer(kafka, ("t", 0, 2))
    client = kafka.connect()
    frame = request_frame(request(session_id=consumer.id, session_epoch=1, max_wait_ms=500), 11, 1, None)
    assert client.send(frame) == b""
    consumer.epoch = 2
    consumer.poll()
    late = read_response(FetchResponse, 11, client.expire()[SIZE.size :])[1]
    assert (late.error_code, late.session_id) == (ErrorCode.INVALID_FETCH_SESSION_EPOCH, consumer.id)


def test_a_broker_without_room_for_sessions_serves_without() -> None:
    kafka = booted("2.3", 1, {"max.incremental.fetch.session.cache.slots": 0})
    assert fetch(kafka, ("t", 0, 0), version=11, session_epoch=0).session_id == 0


# ---- topic ids


def by_id(kafka: FakeKafka, topic_id: bytes, version: int = 13, **fields: object) -> FetchResponse:
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000)
    topics = [FetchTopic(topic_id=topic_id, partitions=[partition])]
    return fetch(kafka, version=version, topics=topics, **fields)


def test_topics_are_asked_for_by_their_ids_from_version_13_on() -> None:
    kafka = filled("3.9", 1)
    topic_id = partition_of(kafka).topic.id
    response = by_id(kafka, topic_id)
    assert [topic.topic_id for topic in response.responses] == [topic_id]
    assert errors(response) == [0]
    for unknown in (ZERO_UUID, b"x" * 16):
        response = by_id(kafka, unknown)
        assert (errors(response), response.responses[0].topic_id) == ([ErrorCode.UNKNOWN_TOPIC_ID], unknown)


def test_a_topic_that_was_made_anew_is_not_the_one_of_the_session() -> None:
    kafka = filled("3.9", 1)
    first = by_id(kafka, partition_of(kafka).topic.id, session_epoch=0)
    kafka.delete_topic("t")
    gone = fetch(kafka, version=13, session_id=first.session_id, session_epoch=1)
    assert errors(gone) == [ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]
    kafka.create_topic("t")
    again = fetch(kafka, version=13, session_id=first.session_id, session_epoch=2)
    assert errors(again) == [ErrorCode.INCONSISTENT_TOPIC_ID]


def test_ids_and_names_do_not_mix_in_a_session() -> None:
    kafka = filled("3.9", 1)
    session_id = by_id(kafka, partition_of(kafka).topic.id, session_epoch=0).session_id
    response = fetch(kafka, version=12, session_id=session_id, session_epoch=1)
    assert response.error_code == ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
