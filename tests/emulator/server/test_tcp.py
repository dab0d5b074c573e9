"""The server on real sockets: answers in order, one write, nothing left behind."""

import errno
import gc
import selectors
import socket
import struct
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.clock import elapsed_ns
from fakekafka.errors import UsageError
from fakekafka.ids import ApiKey
from fakekafka.server.tcp import LATE_NS
from fakekafka.wire.apis import response_class
from fakekafka.wire.apis.api_versions import ApiVersionsRequest, ApiVersionsResponse
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import read_response, request_frame
from fakekafka.wire.message import Request, Response

from tests.support.brokers import ask

BATCH = bytes.fromhex(
    "0000000000000000 0000003a ffffffff 02 716a6189 0000 00000000 00000000000003e8 00000000000003e8"
    "ffffffffffffffff ffff ffffffff 00000001 10 00 00 00 02 6b 02 76 00"
)
"""One record, k = v, at time 1000."""


OPEN_FILES: Final = Path("/proc/self/fd")


class Client:
    """A blocking client on one socket."""

    def __init__(self, kafka: FakeKafka) -> None:
        self.socket = socket.create_connection((kafka.host, kafka.port), timeout=10)
        self._sent: list[tuple[type[Response], int]] = []

    def send(self, request: Request, version: int) -> None:
        self.socket.sendall(request_frame(request, version, len(self._sent), "test"))
        self._sent.append((response_class(ApiKey(request.KEY)), version))

    def receive(self) -> tuple[int, Response]:
        """Correlation id and answer of the next response, which must belong to the next request."""
        size = struct.unpack(">i", self._exactly(4))[0]
        cls, version = self._sent.pop(0)
        return read_response(cls, version, self._exactly(size))

    def ask(self, request: Request, version: int) -> Response:
        self.send(request, version)
        return self.receive()[1]

    def _exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.socket.recv(count - len(data))
            assert piece, "the broker closed the connection"
            data += piece
        return data

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def kafka() -> Iterator[FakeKafka]:
    with FakeKafka("2.3", topics={"a-topic": 1}) as running:
        yield running
    assert running.failures == ()


@pytest.fixture
def client(kafka: FakeKafka) -> Iterator[Client]:
    found = Client(kafka)
    yield found
    found.close()


def fetch(max_wait_ms: int, offset: int = 0) -> FetchRequest:
    partition = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    return FetchRequest(
        replica_id=-1,
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        topics=[FetchTopic(topic="a-topic", partitions=[partition])],
    )


def produce() -> ProduceRequest:
    data = PartitionProduceData(index=0, records=BATCH)
    return ProduceRequest(
        acks=-1, timeout_ms=1000, topic_data=[TopicProduceData(name="a-topic", partition_data=[data])]
    )


def test_pipelined_requests_are_answered_in_order(client: Client) -> None:
    for _ in range(20):
        client.send(MetadataRequest(topics=[]), 1)
        client.send(ApiVersionsRequest(), 2)
    correlation_ids = [client.receive()[0] for _ in range(40)]
    assert correlation_ids == sorted(correlation_ids)


def test_requests_behind_a_waiting_one_wait_too(client: Client, kafka: FakeKafka) -> None:
    client.send(fetch(60_000), 4)
    client.send(ApiVersionsRequest(), 2)
    other = Client(kafka)
    other.ask(produce(), 3)
    answers = [client.receive()[1] for _ in range(2)]
    assert isinstance(answers[0], FetchResponse)
    assert isinstance(answers[1], ApiVersionsResponse)
    other.close()


def test_a_waiting_fetch_wakes_on_new_data(client: Client, kafka: FakeKafka) -> None:
    client.send(fetch(60_000), 4)
    kafka.send("a-topic", b"v", timestamp=1000)
    answer = client.receive()[1]
    assert isinstance(answer, FetchResponse)
    assert answer.responses[0].partitions[0].records


def test_a_waiting_fetch_ends_in_real_time_though_a_manual_clock_stands_still() -> None:
    with FakeKafka("2.3", topics={"a-topic": 1}, clock=ManualClock()) as kafka:
        client = Client(kafka)
        answer = client.ask(fetch(30), 4)
        assert isinstance(answer, FetchResponse)
        assert not answer.responses[0].partitions[0].records
        client.close()


def test_many_requests_may_pile_up_behind_a_waiting_one(client: Client, kafka: FakeKafka) -> None:
    client.send(fetch(60_000), 4)
    for _ in range(5000):  # more than the inbox holds
        client.send(ApiVersionsRequest(), 2)
    kafka.send("a-topic", b"v", timestamp=1000)
    assert [client.receive()[0] for _ in range(5001)] == [0, *range(1, 5001)]


def test_a_large_answer_arrives_whole(client: Client, kafka: FakeKafka) -> None:
    for _ in range(40):
        kafka.send("a-topic", bytes(500_000), timestamp=1000)
    request = fetch(1000)
    request.topics[0].partitions[0].partition_max_bytes = 1 << 30
    request.max_bytes = 1 << 30
    answer = client.ask(request, 4)
    assert isinstance(answer, FetchResponse)
    records = answer.responses[0].partitions[0].records
    assert records is not None
    assert len(records) > 20_000_000


def test_bad_bytes_close_only_their_own_connection(client: Client, kafka: FakeKafka) -> None:
    bad = Client(kafka)
    bad.socket.sendall(struct.pack(">ihh", 4, 999, 0))
    assert bad.socket.recv(10) == b""
    bad.close()
    assert isinstance(client.ask(ApiVersionsRequest(), 2), ApiVersionsResponse)


def cycle() -> None:
    """Start, produce, stop."""
    with FakeKafka("2.3", topics={"a-topic": 1}) as kafka:
        client = Client(kafka)
        client.ask(produce(), 3)
        client.close()
        assert len(kafka.records("a-topic")) == 1


def open_files() -> int:
    """The open files, including sockets, where the system lists them."""
    return len(list(OPEN_FILES.iterdir())) if OPEN_FILES.exists() else 0


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer, such as coverage's, keeps objects for each thread")
def test_a_hundred_starts_and_stops_leave_no_thread_no_socket_and_no_memory() -> None:
    for _ in range(10):
        cycle()
    tracemalloc.start()
    try:
        cycle()
        gc.collect()
        threads, files = set(threading.enumerate()), open_files()
        objects, memory = len(gc.get_objects()), tracemalloc.get_traced_memory()[0]
        for _ in range(100):
            cycle()
        gc.collect()
        assert set(threading.enumerate()) <= threads
        assert open_files() <= files
        assert len(gc.get_objects()) < objects + 100
        assert tracemalloc.get_traced_memory()[0] < memory + 100_000
    finally:
        tracemalloc.stop()


def test_a_task_that_fails_is_kept_and_ends_nothing_else() -> None:
    with FakeKafka("2.3", topics={"a-topic": 1}) as kafka:
        ran = threading.Event()

        def fail() -> None:
            ran.set()
            raise ZeroDivisionError("ours")

        kafka._on_loop(lambda: kafka._running.cluster.timers.after(0, fail))
        assert ran.wait(30)
        client = Client(kafka)
        client.ask(produce(), 3)
        client.close()
        assert [repr(failure) for failure in kafka.failures] == ["ZeroDivisionError('ours')"]


def test_a_taken_port_is_a_usage_error(kafka: FakeKafka) -> None:
    with pytest.raises(UsageError, match="port=0"):
        FakeKafka("2.3", port=kafka.port).start()


def test_calls_from_many_threads_are_carried_out(kafka: FakeKafka) -> None:
    def work() -> None:
        for _ in range(50):
            kafka.send("a-topic", b"v", timestamp=1000)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kafka.records("a-topic")) == 200


def test_exceptions_of_calls_reach_the_caller(kafka: FakeKafka) -> None:
    with pytest.raises(UsageError, match="no topic 'none'"):
        kafka.records("none")


@pytest.mark.skipif(not OPEN_FILES.exists(), reason="needs the limits of Linux")
def test_out_of_descriptors_the_listener_pauses_and_accepted_clients_live_on(
    kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system refuses a client; it waits in the queue, and is accepted when there is room again."""
    refusals: list[None] = []
    accept = socket.socket.accept

    def refuse(listener: socket.socket) -> tuple[socket.socket, object]:
        if len(refusals) < 3:
            refusals.append(None)
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    accepted = Client(kafka)
    accepted.ask(ApiVersionsRequest(), 2)
    monkeypatch.setattr("fakekafka.server.tcp.PAUSE_MS", 5)
    monkeypatch.setattr(socket.socket, "accept", refuse)
    waiting = Client(kafka)
    waiting.send(ApiVersionsRequest(), 2)
    for _ in range(10):
        accepted.ask(ApiVersionsRequest(), 2)
    waiting.receive()
    assert len(refusals) == 3
    accepted.close()
    waiting.close()


def test_a_listener_that_pauses_is_not_called(kafka: FakeKafka, monkeypatch: pytest.MonkeyPatch) -> None:
    """A level-triggered listener would keep the loop busy as long as somebody waits."""
    calls: list[None] = []

    def refuse(listener: socket.socket) -> tuple[socket.socket, object]:
        calls.append(None)
        raise OSError(errno.EMFILE, "Too many open files")

    accepted = Client(kafka)
    accepted.ask(ApiVersionsRequest(), 2)
    monkeypatch.setattr("fakekafka.server.tcp.PAUSE_MS", 60_000)
    monkeypatch.setattr(socket.socket, "accept", refuse)
    with socket.create_connection((kafka.host, kafka.port)):
        while not calls:
            accepted.ask(ApiVersionsRequest(), 2)
        for _ in range(20):
            accepted.ask(ApiVersionsRequest(), 2)
    assert len(calls) == 1
    accepted.close()


class Starved(selectors.DefaultSelector):
    """The selector of a process that gets no processor time before a client has sent something and what is due within a
    tenth of a second is over.
    """

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ends_ns = elapsed_ns() + int((timeout or 0) * 1e9) + 2 * LATE_NS
        ready = super().select(None if timeout else timeout)
        if timeout is not None and timeout < 0.1:
            threading.Event().wait(max(0, ends_ns - elapsed_ns()) / 1e9)
        return ready


def test_a_deadline_that_was_missed_comes_before_a_request_that_came_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.server.tcp.selectors.DefaultSelector", Starved)
    handled: list[int] = []
    with FakeKafka("2.3") as kafka:
        timers = kafka._running.cluster.timers
        kafka._on_loop(lambda: timers.after(20, lambda: handled.append(len(kafka.requests))))
        ask(kafka.bootstrap_servers, ApiVersionsRequest(), 0, ApiVersionsResponse)
    assert handled == [0]
