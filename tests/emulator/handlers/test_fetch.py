"""Fetch as a client sees it: failures, leader epochs, waiting, sessions, topic ids.

Slices, waiting, sessions and conversions also have their own tests, in `cluster`.
"""

from typing import Final

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
)
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import answer
from tests.support.clusters import formed, state_of
from tests.support.fetching import UNIT, data_of, errors, fetch, filled, only, partitions, places, request
from tests.support.seeded import batch, booted, partition_of, rows, store

# ---- failures and odd requests


def test_unknown_partitions_do_not_end_a_wait_but_errors_of_reading_do() -> None:
    kafka = booted("2.3")
    for asked, waits in ((("u", 0, 0), True), (("t", 0, 9), False)):
        client = kafka.connect()
        sent = client.send(request_frame(request(("t", 0, 0), asked, max_wait_ms=1000), 11, 1, None))
        assert (sent == b"") is waits


@pytest.mark.parametrize(("release", "errors_"), [("0.10.0", [9, 9]), ("1.1", [9, 3]), ("2.0", [3, 3])])
def test_a_reader_of_any_replica_gets_an_error_for_unknown_partitions(release: str, errors_: list[int]) -> None:
    """Asked of 1.1.1 and 2.0.1."""
    assert sorted(errors(fetch(booted(release), ("t", 9, 0), ("u", 0, 0), version=2, replica_id=-2))) == sorted(errors_)


@pytest.mark.parametrize(
    ("release", "version", "error"),
    [("1.1", 4, 0), ("2.8", 4, 6), ("2.8", 11, 0), ("3.9", 4, 6), ("3.9", 11, 0)],
)
def test_a_follower_serves_a_reader_of_any_replica(release: str, version: int, error: int) -> None:
    """Since KIP-392 only in versions in which it could name its rack. Asked of 2.8.2 and 3.9.1."""
    kafka = formed(release, 2)
    follower = 1 - state_of(kafka).leader
    asked = request(("t", 0, 0), replica_id=-2)
    assert only(answer(kafka, asked, version, FetchResponse, follower)).error_code == error


@pytest.mark.parametrize(("release", "count", "offset"), [("0.10.0", 1, 1), ("0.10.1", 2, 0), ("0.10.2", 1, 1)])
def test_a_partition_that_is_asked_for_twice_is_answered_once_or_twice(release: str, count: int, offset: int) -> None:
    kafka = booted(release, 2)
    store(kafka, v1.build(rows(0, 1)), v1.build(rows(1, 1)))
    response = fetch(kafka, ("t", 0, 0), ("t", 1, 0), ("t", 0, 1), version=2)
    found = [partition for partition in partitions(response) if partition.partition_index == 0]
    assert len(found) == count
    assert next(iter(batches(data_of(found[0])))).last_offset == offset


@pytest.mark.parametrize(("release", "version"), [("0.11.0", 5), ("2.6", 11)])
def test_an_unknown_isolation_level_closes_the_connection(release: str, version: int) -> None:
    client = booted(release).connect()
    assert client.send(request_frame(request(("t", 0, 0), isolation_level=2), version, 1, None)) == b""
    assert client.closed


@pytest.mark.parametrize(("release", "records"), [("2.7", b""), ("3.0", None), ("4.0", b"")])
def test_an_unknown_isolation_level_fails_the_request_in_other_releases(release: str, records: bytes | None) -> None:
    response = fetch(booted(release), ("t", 0, 0), isolation_level=2)
    assert (response.error_code, only(response).error_code) == (-1, -1)
    assert only(response).records == records
    assert only(response).high_watermark == -1


def test_from_version_13_on_a_failed_request_has_no_partitions() -> None:
    kafka = booted("3.9")
    topic_id = kafka._running.cluster.topics["t"].id
    asked = FetchTopic(topic_id=topic_id, partitions=[FetchPartition(partition=0, partition_max_bytes=1000)])
    response = answer(kafka, FetchRequest(isolation_level=2, topics=[asked]), 13, FetchResponse)
    assert (response.error_code, response.responses) == (-1, [])


@pytest.mark.parametrize(("release", "version"), [("2.7", 12), ("3.9", 12), ("3.9", 13), ("4.3", 17)])
def test_the_isolation_level_is_checked_only_if_a_partition_is_read(release: str, version: int) -> None:
    """Recorded from 3.1.2 to 4.3.1: fetch_zero_ids."""
    assert fetch(booted(release), version=version, isolation_level=2).error_code == 0


@pytest.mark.parametrize("release", ["3.1", "3.9", "4.3"])
def test_no_partition_may_follow_that_of_the_id_of_zeros(release: str) -> None:
    """Recorded from 3.1.2 to 4.3.1: fetch_zero_ids."""
    kafka = booted(release)

    def asked(*partitions: int) -> FetchRequest:
        wanted = [FetchPartition(partition=n, partition_max_bytes=1000) for n in partitions]
        return FetchRequest(topics=[FetchTopic(topic_id=ZERO_UUID, partitions=wanted)])

    alone, followed = (answer(kafka, asked(*partitions), 13, FetchResponse) for partitions in ((0,), (0, 1)))
    assert (alone.error_code, only(alone).error_code) == (0, 100)
    assert (followed.error_code, followed.responses) == (-1, [])


@pytest.mark.parametrize(("release", "error"), [("3.1", -1), ("4.2", -1), ("4.3", 0)])
def test_the_id_of_zeros_fits_into_no_session_before_4_3(release: str, error: int) -> None:
    """Recorded from 3.1.2 to 4.3.1: fetch_zero_ids."""
    wanted = FetchTopic(topic_id=ZERO_UUID, partitions=[FetchPartition(partition=0, partition_max_bytes=1000)])
    response = answer(booted(release), FetchRequest(session_epoch=0, topics=[wanted]), 13, FetchResponse)
    assert (response.error_code, bool(response.session_id)) == (error, error == 0)


def test_0_9_answers_a_failed_request_of_version_1_in_the_layout_of_0() -> None:
    """KAFKA-3427: recorded from 0.9.0.1, fetch_manners."""
    data = booted("0.9.0").connect().send(request_frame(request(("t", 0, 0), replica_id=5), 1, 1, None))
    response = read_response(FetchResponse, 0, data[SIZE.size :])[1]
    assert errors(response) == [ErrorCode.UNKNOWN_SERVER_ERROR]


# ---- leader epochs, replicas


def test_an_election_fences_readers_of_the_previous_epoch() -> None:
    kafka = filled("2.3")
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000, current_leader_epoch=0)
    topics = [FetchTopic(topic="t", partitions=[asked])]
    assert errors(fetch(kafka, version=9, topics=topics)) == [0]
    assert kafka.elect_leader("t", 0) == 1
    assert errors(fetch(kafka, version=9, topics=topics)) == [ErrorCode.FENCED_LEADER_EPOCH]
    assert errors(fetch(kafka, version=8, topics=topics)) == [0]


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


def test_a_waiting_fetch_is_answered_with_the_available_records_when_its_time_is_up() -> None:
    kafka = booted("2.3")
    client = waiting(kafka, min_bytes=1 << 20)
    store(kafka, batch(0))
    kafka.clock.advance(499)  # type: ignore[attr-defined]
    assert client.receive() == b""
    kafka.clock.advance(1)  # type: ignore[attr-defined]
    assert data_of(only(received(client))) == batch(0)


@pytest.mark.parametrize("fields", [{"max_wait_ms": 0}, {"min_bytes": 0}, {"topics": []}])
def test_a_fetch_that_asks_for_no_wait_is_answered_at_once(fields: dict[str, object]) -> None:
    assert (
        booted("2.3").connect().send(request_frame(request(("t", 0, 0), **{"max_wait_ms": 500, **fields}), 11, 1, None))
    )


def test_from_2_5_on_min_bytes_are_at_most_the_bytes_that_the_answer_may_have() -> None:
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


def test_a_session_answers_only_partitions_with_news() -> None:
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


def test_partitions_that_returned_records_go_to_the_end() -> None:
    kafka = filled("3.9", 3, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("t", 1, 2), ("t", 2, 2))
    store(kafka, batch(2), index=1)
    consumer.poll()
    for index in (0, 1, 2):
        store(kafka, batch(2 if index != 1 else 4), index=index)
    assert [index for _, index in places(consumer.poll())] == [0, 2, 1]


def test_an_error_is_reported_every_time_and_its_end_once() -> None:
    kafka = filled("2.3", 1, 1)
    consumer = Consumer(kafka, ("t", 0, 2), ("u", 0, 0))
    assert errors(consumer.first) == [0, 3]
    assert errors(consumer.poll()) == [3]
    kafka.create_topic("u")
    assert errors(consumer.poll()) == [0]
    assert errors(consumer.poll()) == []


def test_unknown_sessions_and_wrong_session_epochs_are_errors_of_the_whole_answer() -> None:
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


def test_a_broker_without_room_for_sessions_serves_requests_without_one() -> None:
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


def test_a_recreated_topic_is_not_the_one_of_the_session() -> None:
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


# ---- messages of old formats in a flexible answer

FIRST_FLEXIBLE: Final = 12
MIXED: Final = "mixed-versions-of-messages-0092-4"
BEFORE_RECORDS: Final = bytes.fromhex(
    "00000001 00 00000000 0000 00000000 02 22"
    " 6d697865642d76657273696f6e732d6f662d6d657373616765732d303039322d34"
    " 02 00000000 0000 000000000000003c 000000000000003c 0000000000000000 00 ffffffff"
)
"""The answer of a real 2.8.2 up to the size of the records, with a high watermark of 60."""
LENGTHS: Final = bytes.fromhex("ffffffff 000000e6")
"""A null key and a value of 230 bytes, as the real broker's messages of format 1 have them there."""


@pytest.mark.parametrize("magic", [1, 2])
def test_messages_of_format_1_are_whole_in_a_flexible_fetch(magic: int) -> None:
    """Asked of 2.8.2. librdkafka from 2.5 to 2.15 takes these lengths for varints and reads no further, with a real
    broker as with this one; 2.4, which sends Fetch 11, and 2.16 read everything.
    """
    kafka = FakeKafka("2.8", topics={MIXED: 1}).boot()
    for n in range(60):
        if n == 31 and magic == 1:
            kafka.configure_topic(MIXED, {"message.format.version": "0.10.0"})
        kafka.send(MIXED, b"x" * 230)
    place = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 20)
    asked = FetchRequest(max_wait_ms=0, min_bytes=1, topics=[FetchTopic(topic=MIXED, partitions=[place])])
    answer = kafka.connect().send(request_frame(asked, FIRST_FLEXIBLE, 1, "x"))[SIZE.size :]
    assert answer.startswith(BEFORE_RECORDS)
    assert answer.count(LENGTHS) == (29 if magic == 1 else 0)
