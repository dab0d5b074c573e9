"""The answer to Fetch as a client sees it: its contents, their format and their order."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.records import v1
from fakekafka.records.scan import batches
from fakekafka.wire.apis.fetch import (
    FetchPartition,
    FetchTopic,
    ReplicaState,
)
from fakekafka.wire.frames import request_frame

from tests.support.fetching import data_of, errors, fetch, filled, only, partitions, places, request
from tests.support.seeded import batch, booted, in_transaction, marker, messages, partition_of, rows, store

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
def test_up_to_2_0_only_readers_of_committed_data_get_the_last_stable_offset(release: str, everything: int) -> None:
    kafka = booted(release)
    store(kafka, batch(0, 1), in_transaction(1))
    committed = only(fetch(kafka, ("t", 0, 0), version=4, isolation_level=1))
    assert (committed.last_stable_offset, committed.high_watermark) == (1, 3)
    assert only(fetch(kafka, ("t", 0, 0), version=4)).last_stable_offset == everything


def test_readers_of_committed_data_get_the_aborted_transactions() -> None:
    kafka = booted("2.3")
    store(kafka, in_transaction(0), marker(2, commit=False))
    found = only(fetch(kafka, ("t", 0, 0), isolation_level=1, version=11))
    assert found.aborted_transactions is not None
    assert [(txn.producer_id, txn.first_offset) for txn in found.aborted_transactions] == [(1, 0)]
    assert only(fetch(kafka, ("t", 0, 3), isolation_level=1, version=11)).aborted_transactions == []


def test_old_versions_get_records_in_old_formats() -> None:
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
    """0.10.0 with new code and the old format, or both new. The log has a set of each kind that its format allows."""
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
def test_a_client_that_cannot_read_the_format_gets_format_0(version: int) -> None:
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
def test_a_slice_entirely_in_an_old_format_is_not_converted_for_old_clients() -> None:
    kafka = booted("0.10.0")
    store(kafka, messages(0, 0, codec=1), messages(1, 2))
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=len(messages(0, 0, codec=1)))
    found = only(fetch(kafka, version=1, topics=[FetchTopic(topic="t", partitions=[asked])]))
    assert data_of(found) == messages(0, 0, codec=1)


# ---- what cannot be converted


def test_headers_fail_the_whole_request_in_1_1_0() -> None:
    """KAFKA-6739."""
    kafka = filled("1.1.0")
    kafka.send("t", b"v", headers=[("h", b"x")], partition=1)
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 4), version=3)
    assert errors(response) == [-1, -1]
    assert errors(fetch(kafka, ("t", 0, 0), ("t", 1, 4), version=4)) == [0, 0]


@pytest.mark.parametrize(("release", "records"), [("2.3", b""), ("3.9", None)])
def test_a_forbidden_conversion_is_an_error_of_its_partition(release: str, records: bytes | None) -> None:
    kafka = booted(release, message_downconversion_enable="false")
    store(kafka, batch(0))
    found = only(fetch(kafka, ("t", 0, 0), version=3))
    assert found.error_code == ErrorCode.UNSUPPORTED_VERSION
    assert found.records == records


def test_a_conversion_that_fails_halfway_closes_the_connection() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0), batch(2, codec=4), batch(4, 1, value=bytes(200_000)))
    client = kafka.connect()
    client.send(request_frame(request(("t", 0, 0)), 3, 1, None))
    assert client.closed


def test_zstd_topics_are_closed_below_version_10() -> None:
    kafka = booted("2.3", compression_type="zstd")
    store(kafka, batch(0))
    assert [only(fetch(kafka, ("t", 0, 0), version=v)).error_code for v in (0, 4, 9, 10)] == [76, 76, 76, 0]


# ---- order


def test_errors_of_partitions_are_reported_with_them() -> None:
    kafka = filled("2.3")
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 99), ("t", 7, 0), ("u", 0, 0), version=11)
    assert errors(response) == [0, 1, 3, 3]
    bad = partitions(response)[1]
    assert (bad.high_watermark, bad.last_stable_offset, bad.log_start_offset) == (-1, -1, -1)
    assert data_of(bad) == b""


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [
        ("0.10.0", 2, [("t", 7), ("t", 0), ("u", 0)]),
        ("0.10.2", 3, [("t", 7), ("t", 0), ("u", 0)]),
        ("2.0", 3, [("t", 0), ("u", 0), ("t", 7)]),
        ("3.9", 12, [("t", 0), ("u", 0), ("t", 7)]),
    ],
)
def test_partitions_unknown_to_the_metadata_come_last(release: str, version: int, order: list[tuple[str, int]]) -> None:
    response = fetch(booted(release), ("u", 0, 0), ("t", 7, 0), ("t", 0, 0), version=version)
    assert places(response) == order


def test_adjacent_partitions_of_a_topic_share_an_entry() -> None:
    kafka = filled("2.3")
    kafka.create_topic("u")
    response = fetch(kafka, ("t", 0, 0), ("u", 0, 0), ("t", 1, 0), version=11)
    assert [topic.topic for topic in response.responses] == ["t", "u", "t"]
    assert [
        topic.topic
        for topic in fetch(filled("0.9.0", 2, 0), ("t", 0, 0), ("u", 0, 0), ("t", 1, 0), version=1).responses
    ] == ["t", "u"]


# ---- who leads instead


def test_from_version_16_on_a_fenced_reader_gets_the_leader_and_its_address() -> None:
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
