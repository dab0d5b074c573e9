"""Answers that come slowly or in pieces: `faults/pacing.py` and `faults/pace.py`."""

import socket
from contextlib import suppress
from typing import Any

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.errors import ErrorCode
from fakekafka.faults.pace import WHOLE, Pace
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse
from fakekafka.wire.apis.produce import ProduceResponse
from fakekafka.wire.frames import request_frame
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.faults import NOW, Client, fetch, fetched, produce, read

ASK = request_frame(MetadataRequest(topics=None), 5, 1, "slow-1")


@given(st.integers(1, 5000), st.lists(st.integers(0, 2000), min_size=1, max_size=20))
@example(3, [0, 0])
def test_no_more_bytes_are_sent_than_the_rate_allows(bytes_per_s: int, waits_ms: list[int]) -> None:
    pace, now_ms, sent = Pace(bytes_per_s=bytes_per_s), 0, 0
    for wait_ms in waits_ms:
        allowed = pace.allowed(now_ms)
        assert bool(allowed.bytes) != bool(allowed.again_ms)
        if not allowed.bytes:
            now_ms += allowed.again_ms
            assert pace.allowed(now_ms).bytes
        pace.sent(allowed.bytes, now_ms)
        sent += allowed.bytes
        assert sent <= 1 + now_ms * bytes_per_s // 1000
        now_ms += wait_ms


def test_slices_have_their_size_and_their_gap() -> None:
    pace = Pace(slice_bytes=3, gap_ms=10)
    assert pace.allowed(0) == (3, 0)
    pace.sent(3, 0)
    assert pace.allowed(4) == (0, 6)
    assert pace.allowed(10) == (3, 0)


def test_without_a_rate_everything_is_sent_at_once() -> None:
    assert Pace().allowed(0) == (WHOLE, 0)


def pending(client: socket.socket, least: int) -> bytes:
    """What has arrived: at least `least` bytes, and anything beyond them."""
    client.settimeout(20)
    data = b""
    while len(data) < least:
        data += client.recv(4096)
    client.setblocking(False)
    with suppress(BlockingIOError):
        data += client.recv(4096)
    return data


def test_a_throttled_answer_comes_as_the_broker_s_clock_moves() -> None:
    clock = ManualClock()
    with FakeKafka("2.3", topics={"orders": 1}, clock=clock) as kafka:
        whole = len(_asked(kafka))
        rule = kafka.faults.throttle("Metadata", bytes_per_s=10, client_id="slow-*", times=1)
        with socket.create_connection((kafka.host, kafka.port)) as client:
            client.sendall(ASK)
            assert len(pending(client, 1)) == 1
            clock.advance(1000)
            assert len(pending(client, 10)) == 10
            clock.advance(100 * whole)
            rest = pending(client, whole - 11)
            assert len(rest) == whole - 11
            client.settimeout(20)
            client.sendall(ASK)  # later answers have their usual speed
            assert len(pending(client, whole)) == whole
        assert rule.hits == 1
        assert kafka.failures == ()


def test_slices_come_one_by_one_and_make_the_same_answer() -> None:
    clock = ManualClock()
    with FakeKafka("2.3", topics={"orders": 1}, clock=clock) as kafka:
        expected = _asked(kafka)
        kafka.faults.slice("Metadata", bytes=5, gap_ms=10)
        data = b""
        with socket.create_connection((kafka.host, kafka.port)) as client:
            client.sendall(ASK)
            while len(data) < len(expected):
                piece = pending(client, 1)
                assert len(piece) <= 5
                data += piece
                clock.advance(10)
        assert data == expected


def _asked(kafka: FakeKafka) -> bytes:
    with socket.create_connection((kafka.host, kafka.port)) as client:
        client.sendall(ASK)
        return pending(client, 20)


@pytest.mark.parametrize("bytes_", [1, 1000])
def test_slices_without_a_gap_arrive_at_once(bytes_: int) -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka:
        kafka.faults.slice(bytes=bytes_)
        with socket.create_connection((kafka.host, kafka.port)) as client:
            client.settimeout(20)
            client.sendall(ASK)
            size = int.from_bytes(pending(client, 4)[:4], "big")
            assert size > 20


def test_without_sockets_answers_have_their_usual_speed() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock()).boot()
    kafka.faults.throttle(bytes_per_s=1)
    assert read(Client(kafka).send(MetadataRequest(topics=None), 5), 5, MetadataResponse).topics[0].name == "orders"


# ---- throttled as by a quota


@pytest.mark.parametrize(("release", "version", "answers_first"), [("1.1", 5, False), ("2.3", 8, True)])
def test_a_throttled_client_is_informed_and_waits_as_under_a_quota_of_that_release(
    release: str, version: int, answers_first: bool
) -> None:
    clock = ManualClock()
    kafka = FakeKafka(release, topics={"orders": 1}, clock=clock).boot()
    rule = kafka.faults.throttle("Metadata", time_ms=300, times=1)
    client = Client(kafka)
    answer = client.send(MetadataRequest(topics=None), version)
    assert bool(answer) == answers_first
    clock.advance(300)
    answer += client.memory.receive()
    assert read(answer, version, MetadataResponse).throttle_time_ms == 300
    assert rule.hits == 1


def test_the_next_request_of_a_throttled_connection_waits_until_the_time_is_over() -> None:
    clock = ManualClock()
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=clock).boot()
    kafka.faults.throttle("Metadata", time_ms=300, times=1)
    client, other = Client(kafka), Client(kafka)
    assert client.send(MetadataRequest(topics=None), 8)
    assert client.send(MetadataRequest(topics=None), 8) == b""
    assert other.send(MetadataRequest(topics=None), 8)
    clock.advance(300)
    assert read(client.memory.receive(), 8, MetadataResponse).throttle_time_ms == 0


@pytest.mark.parametrize(("release", "answers_first"), [("1.1", False), ("2.3", True)])
def test_a_producer_is_throttled_and_its_records_are_stored(release: str, answers_first: bool) -> None:
    clock = ManualClock(NOW)
    kafka = FakeKafka(release, topics={"orders": 1}, clock=clock).boot()
    kafka.faults.throttle("Produce", time_ms=300, times=1)
    client = Client(kafka)
    answer = client.send(produce(("orders", 0)), 5)
    assert bool(answer) == answers_first
    clock.advance(300)
    answer += client.memory.receive()
    assert read(answer, 5, ProduceResponse).throttle_time_ms == 300
    assert len(kafka.records("orders")) == 1


@pytest.mark.parametrize(("release", "answers_first"), [("1.1", False), ("2.3", True)])
def test_a_throttled_consumer_gets_its_records_after_the_time_is_over(release: str, answers_first: bool) -> None:
    """From 2.0 on brokers answer at once and without records, and the client asks again."""
    clock = ManualClock(NOW)
    kafka = FakeKafka(release, topics={"orders": 1}, clock=clock).boot()
    kafka.send("orders", b"apples")
    kafka.faults.throttle("Fetch", time_ms=300, times=1)
    client = Client(kafka)
    answer = client.send(fetch(("orders", 0)), 7)
    assert bool(answer) == answers_first
    clock.advance(300)
    first = read(answer + client.memory.receive(), 7, FetchResponse)
    assert first.throttle_time_ms == 300
    assert fetched(first) == ({} if answers_first else {("orders", 0): 0})
    assert fetched(client.ask(fetch(("orders", 0)), 7, FetchResponse)) == {("orders", 0): 0}


def test_a_refused_session_stays_refused_when_its_client_is_throttled() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka.faults.throttle("Fetch", time_ms=300, times=1)
    answer = Client(kafka).ask(fetch(("orders", 0), session=7, epoch=3), 7, FetchResponse)
    assert (answer.error_code, answer.throttle_time_ms) == (ErrorCode.FETCH_SESSION_ID_NOT_FOUND, 300)


def test_the_longer_throttle_time_of_a_rule_and_a_quota_counts() -> None:
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=ManualClock(NOW)).boot()
    kafka._running.cluster.settings.quotas[(("client-id", "test"),)] = {"producer_byte_rate": 1.0}
    kafka.faults.throttle("Produce", time_ms=5, times=1)
    assert Client(kafka).ask(produce(("orders", 0)), 5, ProduceResponse).throttle_time_ms > 5


def test_creating_topics_can_be_throttled_too() -> None:
    kafka = FakeKafka("2.3", clock=ManualClock()).boot()
    kafka.faults.throttle("CreateTopics", time_ms=70)
    asked = CreateTopicsRequest(topics=[CreatableTopic(name="a", num_partitions=1, replication_factor=1)])
    assert Client(kafka).ask(asked, 3, CreateTopicsResponse).throttle_time_ms == 70


@pytest.mark.parametrize(
    ("given", "says"),
    [({}, "say bytes_per_s= or time_ms="), ({"time_ms": -1}, "not be negative"), ({"bytes_per_s": 0}, "at least 1")],
)
def test_a_throttle_that_would_do_nothing_is_refused(given: dict[str, Any], says: str) -> None:
    kafka = FakeKafka("2.3").boot()
    with pytest.raises(UsageError, match=says):
        kafka.faults.throttle(**given)
