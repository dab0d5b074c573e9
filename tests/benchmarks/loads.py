"""Clients that keep a broker as busy as they can: `python -m tests.benchmarks.loads LOAD HOST PORT`, until killed.

They run in a separate process, so that the measuring process has its interpreter to itself.
"""

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Final, NamedTuple

from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.describe_configs import DescribeConfigsRequest, DescribeConfigsResource
from fakekafka.wire.apis.describe_groups import DescribeGroupsRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.list_offsets import ListOffsetsPartition, ListOffsetsRequest, ListOffsetsTopic
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import request_frame

TOPIC: Final = "others-of-the-benchmark"
PIPELINED: Final = 3276
BATCH: Final = 50
FETCHED_BYTES: Final = 50_000_000
Address = tuple[str, int]


class Load(NamedTuple):
    """What keeps a broker busy. `begin` starts it; leaving the stack ends it."""

    what: str
    release: str
    begin: Callable[[Address, ExitStack], None]


def nobody(address: Address, stack: ExitStack) -> None:
    """No load at all: what the machine itself costs."""


def flood(address: Address, stack: ExitStack, *, reads: bool) -> None:
    """Metadata of a topic of 2,000 partitions, pipelined, again and again."""
    frame = request_frame(MetadataRequest(topics=None), 1, 1, "greedy") * PIPELINED
    client = stack.enter_context(connected(address))
    running = stack.enter_context(sending(client, frame))
    if reads:
        stack.enter_context(reading(client, running))


def unread_fetches(address: Address, stack: ExitStack, *, clients: int, version: int) -> None:
    """Send this many fetches of 50 MB at once, without reading the answers."""
    for _ in range(clients):
        stack.enter_context(connected(address)).sendall(request_frame(fetch(), version, 1, "greedy"))


def read_fetches(address: Address, stack: ExitStack, *, clients: int, version: int) -> None:
    """Send this many fetches, read the answers and ask again."""
    for _ in range(clients):
        client = stack.enter_context(connected(address))
        running = stack.enter_context(sending(client, request_frame(fetch(), version, 1, "greedy")))
        stack.enter_context(reading(client, running))


def large_requests(address: Address, stack: ExitStack, *, size: int) -> None:
    """Four clients, each with requests of about this many bytes that name thousands of things, again and again."""
    groups, topics = [f"g{n}" for n in range(size // 8)], [f"t{n}" for n in range(size // 24)]
    partitions = [ListOffsetsPartition(partition_index=0, timestamp=-1)]
    for request, version in (
        (FindCoordinatorRequest(key_type=0, coordinator_keys=["g"] * (size // 2)), 4),
        (DescribeGroupsRequest(groups=groups), 5),
        (ListOffsetsRequest(topics=[ListOffsetsTopic(name=name, partitions=partitions) for name in topics]), 5),
        (
            DescribeConfigsRequest(
                resources=[DescribeConfigsResource(resource_type=2, resource_name=n) for n in topics]
            ),
            4,
        ),
    ):
        client = stack.enter_context(connected(address))
        running = stack.enter_context(sending(client, request_frame(request, version, 1, "greedy")))
        stack.enter_context(reading(client, running))


def fetch() -> FetchRequest:
    asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=FETCHED_BYTES)
    topic = FetchTopic(topic=TOPIC, partitions=[asked])
    return FetchRequest(
        replica_id=-1, max_wait_ms=0, min_bytes=1, max_bytes=FETCHED_BYTES, session_epoch=-1, topics=[topic]
    )


def fill(address: Address) -> None:
    """50 MB into the first partition, in batches of 50 records of 1,000 bytes."""
    with connected(address) as client:
        records = [Record(n, 1_700_000_000_000, 0, None, os.urandom(1000)) for n in range(BATCH)]
        data = PartitionProduceData(index=0, records=v2.build(records))
        request = ProduceRequest(
            acks=1, timeout_ms=1000, topic_data=[TopicProduceData(name=TOPIC, partition_data=[data])]
        )
        frame = request_frame(request, 3, 1, "filling")
        for _ in range(FETCHED_BYTES // (BATCH * 1000)):
            client.sendall(frame)
            assert client.recv(65536)


@contextmanager
def connected(address: Address) -> Iterator[socket.socket]:
    with socket.create_connection(address, timeout=60) as client:
        yield client


@contextmanager
def sending(client: socket.socket, frame: bytes) -> Iterator[threading.Event]:
    """Have a thread send `frame` again and again; the event stops it."""
    over = threading.Event()

    def send() -> None:
        with contextlib.suppress(OSError):
            while not over.is_set():
                client.sendall(frame)

    with in_thread(send, client, over):
        yield over


@contextmanager
def reading(client: socket.socket, over: threading.Event) -> Iterator[None]:
    """Have a thread read whatever comes."""
    space = bytearray(1 << 20)

    def read() -> None:
        with contextlib.suppress(OSError):
            while not over.is_set() and client.recv_into(space):
                pass

    with in_thread(read, client, over):
        yield


@contextmanager
def in_thread(work: Callable[[], None], client: socket.socket, over: threading.Event) -> Iterator[None]:
    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        with contextlib.suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
        thread.join()


LOADS: Final = {
    "nobody": Load("nobody else", "3.9", nobody),
    "unread-flood": Load("a flood that is not read", "3.9", partial(flood, reads=False)),
    "read-flood": Load("a flood that is read", "3.9", partial(flood, reads=True)),
    "conversions": Load("40 conversions of 50 MB, 3.9", "3.9", partial(read_fetches, clients=40, version=3)),
    "old-conversions": Load("40 conversions of 50 MB, 0.11", "0.11.0", partial(read_fetches, clients=40, version=3)),
    "unread-fetches": Load("200 unread fetches of 50 MB", "3.9", partial(unread_fetches, clients=200, version=11)),
    "large-requests": Load("requests of 64 KiB that are read", "3.9", partial(large_requests, size=1 << 16)),
    "larger-requests": Load("requests of 1 MiB that are read", "3.9", partial(large_requests, size=1 << 20)),
}


def main(name: str, host: str, port: str) -> None:
    """Put the load on the broker at that address. Prints a line once it has begun; ends with stdin."""
    with ExitStack() as stack:
        LOADS[name].begin((host, int(port)), stack)
        print("begun", flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
