"""One fetch for everything that a large partition holds: what arrives, and how much memory the broker needs."""

import gc
import hashlib
import socket
import tracemalloc
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest
from fakekafka import FakeKafka
from fakekafka.records import v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.frames import request_frame

VALUE: Final = bytes(900_000)
COUNT: Final = 230
MB: Final = 1 << 20
FILLER: Final = b"\xff" * 8


class Client:
    """A client that keeps nothing of what it receives."""

    def __init__(self, kafka: FakeKafka) -> None:
        self.socket = socket.create_connection((kafka.host, kafka.port), timeout=30)
        self._space = bytearray(MB)

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def frame_size(self) -> int:
        return int.from_bytes(self.exactly(4), "big")

    def exactly(self, size: int) -> bytes:
        return b"".join(bytes(part) for part in self.parts(size))

    def parts(self, size: int) -> Iterator[memoryview]:
        while size:
            count = self.socket.recv_into(self._space, min(size, len(self._space)))
            assert count, "the broker closed the connection"
            yield memoryview(self._space)[:count]
            size -= count


def fetch_all() -> FetchRequest:
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1 << 30)
    topic = FetchTopic(topic="t", partitions=[asked])
    return FetchRequest(replica_id=-1, max_wait_ms=0, min_bytes=1, max_bytes=1 << 30, session_epoch=-1, topics=[topic])


def filled(release: str, log_dir: Path | None) -> FakeKafka:
    config = {"fetch.max.bytes": 1 << 30} if release == "3.9" else {}
    kafka = FakeKafka(release, topics={"t": 1}, log_dir=log_dir, config=config)
    kafka.start()
    for n in range(COUNT):
        kafka.send("t", VALUE, timestamp=n)
    return kafka


def digest(parts: Iterable[bytes | memoryview]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.hexdigest()


def stored() -> Iterator[bytes]:
    """The batches that `filled` has."""
    for n in range(COUNT):
        yield v2.build([Record(n, n, 0, None, VALUE)], leader_epoch=0)


def converted() -> Iterator[bytes]:
    """A large fetch of format 1."""
    for n in range(COUNT):
        yield v1.build([Record(n, n, 0, None, VALUE)])


@pytest.mark.parametrize(
    ("release", "version", "on_disk"),
    [("0.11.0", 3, False), ("1.1", 3, True), ("2.3", 3, False), ("3.9", 3, True), ("3.9", 11, True)],
)
def test_200_mb_need_little_memory(release: str, version: int, on_disk: bool, tmp_path: Path) -> None:
    """Converted, or as they are stored; in memory, or on disk: only some chunks of them are in memory at a time."""
    wanted = converted if version < 4 else stored
    in_file, in_set = sum(map(len, stored())), sum(map(len, wanted()))
    size = in_set if release in ("0.11.0", "1.1") else in_file
    with filled(release, tmp_path if on_disk else None) as kafka, Client(kafka) as client:
        gc.collect()
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            client.socket.sendall(request_frame(fetch_all(), version, 0, "test"))
            head = client.exactly(client.frame_size() - size)
            found = digest(client.parts(in_set))
            filler = client.exactly(size - in_set)
            peak = tracemalloc.get_traced_memory()[1] - before
        finally:
            tracemalloc.stop()
        assert int.from_bytes(head[-4:], "big") == size > 190 * MB
        assert found == digest(wanted())
        assert filler[:8] == FILLER[: len(filler)]
        assert peak < 16 * MB
        (line,) = [line for line in kafka.conversions() if line.api == "Fetch"]
        assert (line.direction, line.bytes_in, line.bytes_out) == ("down" if version < 4 else "kept", in_file, size)
        client.socket.sendall(request_frame(ApiVersionsRequest(), 0, 1, "test"))
        assert client.exactly(client.frame_size())[:4] == (1).to_bytes(4, "big")
    assert kafka.failures == ()


def test_an_answer_that_cannot_be_completed_closes_the_connection(tmp_path: Path) -> None:
    """The log is truncated while it is sent: what was announced is no longer there."""
    with filled("3.9", tmp_path) as kafka, Client(kafka) as client:
        client.socket.sendall(request_frame(fetch_all(), 11, 0, "test"))
        size = client.frame_size()
        with (tmp_path / "t-0" / f"{0:020}.log").open("rb+") as log:
            log.truncate(100 * MB)
        with pytest.raises(AssertionError, match="closed the connection"):
            client.exactly(size)
        with Client(kafka) as other:
            other.socket.sendall(request_frame(ApiVersionsRequest(), 0, 1, "test"))
            assert other.exactly(other.frame_size())[:4] == (1).to_bytes(4, "big")
    assert kafka.failures == ()


def test_other_clients_are_served_while_a_long_answer_is_made() -> None:
    with filled("2.3", None) as kafka, Client(kafka) as client, Client(kafka) as other:
        client.socket.sendall(request_frame(fetch_all(), 3, 0, "test"))
        client.frame_size()
        other.socket.sendall(request_frame(ApiVersionsRequest(), 0, 1, "test"))
        assert other.exactly(other.frame_size())[:4] == (1).to_bytes(4, "big")
        assert not [line for line in kafka.conversions() if line.api == "Fetch"]  # it is not finished
