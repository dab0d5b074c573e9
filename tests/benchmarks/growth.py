"""How costs grow: the exponent of the CPU time from n to ten times n, up to the largest n that a test will ever have.

An exponent of 1 means that a unit costs the same however many there are; 2 means that each pays for all others. The
best of some rounds counts, because a machine can only make it slower. Everything happens in one process, and only
connections use sockets.

The goals are for the work itself. Python's garbage collector, which goes through all objects again whenever there are a
quarter more of them, adds a share that grows with what else the process holds; so where an exponent is above its goal,
it is measured again without the collector, and that one is judged. Both are printed.
"""

import gc
import resource
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from math import log
from typing import Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
)
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.join_group import JoinGroupRequest, JoinGroupRequestProtocol
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.benchmarks.measuring import Row

AT_MOST: Final = 1.1
AT_MOST_BY_KIND: Final = {
    # Each join computes the target assignment of all members again, as in Kafka (TargetAssignmentBuilder.build).
    "members of a KIP-848 group": 2.0,
    # A partition costs a microsecond, so that it shows when 20,000 no longer fit into the processor's caches.
    "partitions of a new topic": 1.2,
}
NOW: Final = 1_600_000_000_000
PER_BATCH: Final = 100
SPARE_FILES: Final = 200
Work = Callable[[int], float]
"""Does something with this number of units, and returns the CPU seconds that it took."""


def growth(quick: bool = False) -> list[Row]:
    rounds, tenth = (1, 10) if quick else (3, 1)
    return [
        grown(what, work, [size // tenth for size in sizes], rounds)
        for what, (work, sizes) in KINDS.items()
    ]  # fmt: skip


def grown(what: str, work: Work, sizes: Sequence[int], rounds: int) -> Row:
    """The largest exponent between one size and the next."""
    times = [min(work(size) for _ in range(rounds)) for size in sizes]
    exponent, most, with_collector = max(exponents(sizes, times)), AT_MOST_BY_KIND.get(what, AT_MOST), ""
    if exponent > most:
        with_collector = f"; {exponent:.2f} with the collector"
        with without_collector():
            times = [min(work(size) for _ in range(rounds)) for size in sizes]
        exponent = max(exponents(sizes, times))
    each = " ".join(f"{1e6 * seconds / size:.3g}" for size, seconds in zip(sizes, times, strict=True))
    words = f"{what}, {sizes[0]:,} to {sizes[-1]:,} (us each: {each}{with_collector})"
    return Row(words, "exponent", exponent, goal=f"at most {most}", reached=exponent <= most)


@contextmanager
def without_collector() -> Iterator[None]:
    """No garbage is collected meanwhile, but for what `spent` collects before it measures."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def exponents(sizes: Sequence[int], times: Sequence[float]) -> list[float]:
    """From each size to the next: the power of the size with which the cost grows."""
    steps = zip(sizes, sizes[1:], times, times[1:], strict=False)
    return [log(later / before) / log(more / few) for few, more, before, later in steps]


def spent(action: Callable[[], object]) -> float:
    """CPU seconds of this process."""
    gc.collect()
    began = time.process_time()
    action()
    return time.process_time() - began


def fresh(**options: object) -> FakeKafka:
    return FakeKafka("3.9", clock=ManualClock(NOW), **options).boot()  # type: ignore[arg-type]


# ---- records


def batch_frame() -> bytes:
    records = v2.build([Record(n, NOW, 0, None, bytes(100)) for n in range(PER_BATCH)])
    data = TopicProduceData(name="t", partition_data=[PartitionProduceData(index=0, records=records)])
    return request_frame(ProduceRequest(acks=1, timeout_ms=1000, topic_data=[data]), 10, 1, "growth")


def produced(count: int) -> float:
    with fresh(topics={"t": 1}, journal=0) as kafka:
        client, frame = kafka.connect(), batch_frame()
        client.send(frame)
        return spent(lambda: [client.send(frame) for _ in range(count // PER_BATCH)])


def fetched(count: int) -> float:
    with fresh(topics={"t": 1}, journal=0) as kafka:
        client, frame = kafka.connect(), batch_frame()
        for _ in range(count // PER_BATCH):
            client.send(frame)

        def fetch_all() -> None:
            for offset in range(0, count, 10 * PER_BATCH):
                part = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=100_000)
                topics = [FetchTopic(topic="t", partitions=[part])]
                request = FetchRequest(max_wait_ms=0, min_bytes=1, session_epoch=-1, topics=topics)
                client.send(request_frame(request, 12, 1, "growth"))

        return spent(fetch_all)


def read(count: int) -> float:
    with fresh(topics={"t": 1}, journal=0) as kafka:
        client, frame = kafka.connect(), batch_frame()
        for _ in range(count // PER_BATCH):
            client.send(frame)
        return spent(lambda: kafka.records("t"))


# ---- partitions and topics


def created(count: int) -> float:
    with fresh() as kafka:
        kafka.create_topic("first", 1)
        return spent(lambda: kafka.create_topic("t", count))


def written_to(count: int) -> float:
    with fresh(topics={"t": count}, journal=0) as kafka:
        client = kafka.connect()
        records = v2.build([Record(0, NOW, 0, None, b"v")])

        def write() -> None:
            for index in range(count):
                part = PartitionProduceData(index=index, records=bytes(records))
                request = ProduceRequest(topic_data=[TopicProduceData(name="t", partition_data=[part])], acks=1)
                client.send(request_frame(request, 10, 1, "growth"))

        return spent(write)


def described(count: int) -> float:
    with fresh(topics={"t": count}) as kafka:
        client = kafka.connect()
        frame = request_frame(MetadataRequest(topics=[MetadataRequestTopic(name="t")]), 12, 1, "growth")
        client.send(frame)
        return spent(lambda: client.send(frame))


def topics(count: int) -> float:
    with fresh() as kafka:
        kafka.create_topic("first", 1)

        def create() -> None:
            for n in range(count):
                kafka.create_topic(f"t{n}", 1)

        return spent(create)


# ---- groups


def classic_members(count: int) -> float:
    """Members join one group at once, and it rebalances once."""
    with fresh(topics={"t": 1}, config={"group.initial.rebalance.delay.ms": 100}, journal=0) as kafka:
        clients = [kafka.connect() for _ in range(count)]
        frame = request_frame(
            JoinGroupRequest(
                group_id="g",
                session_timeout_ms=60_000,
                rebalance_timeout_ms=60_000,
                member_id="",
                protocol_type="consumer",
                protocols=[JoinGroupRequestProtocol(name="range", metadata=bytes(100))],
            ),
            2,
            1,
            "growth",
        )

        def join() -> None:
            for client in clients:
                client.send(frame)
            kafka.clock.advance(1000)  # type: ignore[attr-defined]

        committed(kafka, "g", 1)
        return spent(join)


def modern_members(count: int) -> float:
    """Members join one KIP-848 group one after the other, and each gets its share."""
    with FakeKafka("4.3", clock=ManualClock(NOW), topics={"t": 100}, journal=0, config=MANY_MEMBERS).boot() as kafka:
        client = kafka.connect()
        client.send(request_frame(FindCoordinatorRequest(key="g", key_type=0), 1, 1, "growth"))
        beat(client, 0)

        def join() -> None:
            for n in range(count):
                beat(client, 1 + n)

        return spent(join)


MANY_MEMBERS: Final = {"group.consumer.max.size": 10_000}


def beat(client: MemoryClient, n: int) -> None:
    """A new member's first heartbeat."""
    request = ConsumerGroupHeartbeatRequest(
        group_id="g",
        member_id=f"{n:032d}",
        member_epoch=0,
        rebalance_timeout_ms=60_000,
        subscribed_topic_names=["t"],
        topic_partitions=[],
    )
    answer = client.send(request_frame(request, 1, 1, "growth"))
    assert read_response(ConsumerGroupHeartbeatResponse, 1, answer[SIZE.size :])[1].error_code == 0


def committed(kafka: FakeKafka, group: str, count: int) -> None:
    client = kafka.connect()
    for n in range(count):
        part = OffsetCommitRequestPartition(partition_index=0, committed_offset=n, committed_metadata="")
        request = OffsetCommitRequest(
            group_id=f"{group}{n}",
            generation_id_or_member_epoch=-1,
            topics=[OffsetCommitRequestTopic(name="t", partitions=[part])],
        )
        client.send(request_frame(request, 7, 1, "growth"))


def groups(count: int) -> float:
    """The given number of groups commit, each once."""
    with fresh(topics={"t": 1}, journal=0) as kafka:
        committed(kafka, "first", 1)
        return spent(lambda: committed(kafka, "g", count))


# ---- connections


def connections(count: int) -> float:
    """Clients connect, ask once, and stay; then they leave. Their own part of the time is included."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    assert most > 2 * count + SPARE_FILES, "too few descriptors: see ulimit -n"
    frame = request_frame(ApiVersionsRequest(), 0, 1, "growth")
    with FakeKafka("3.9") as kafka, ExitStack() as stack:
        address = kafka.host, kafka.port

        def connect(n: int) -> None:
            source = f"127.0.0.{2 + n // 1000}", 0
            client = stack.enter_context(socket.create_connection(address, 60, source))
            client.sendall(frame)
            assert client.recv(4)

        connect(0)

        def come_and_go() -> None:
            for n in range(count):
                connect(n)
            stack.close()

        return spent(come_and_go)


KINDS: Final[dict[str, tuple[Work, Sequence[int]]]] = {
    "records produced": (produced, (1000, 10_000, 100_000, 1_000_000)),
    "records fetched": (fetched, (10_000, 100_000, 1_000_000)),
    "records read by the test": (read, (1000, 10_000, 100_000)),
    "partitions of a new topic": (created, (200, 2000, 20_000)),
    "partitions written to": (written_to, (200, 2000, 20_000)),
    "partitions described": (described, (200, 2000, 20_000)),
    "topics": (topics, (100, 1000, 10_000)),
    "members of a classic group": (classic_members, (50, 500, 5000)),
    "members of a KIP-848 group": (modern_members, (50, 500, 5000)),
    "groups that commit": (groups, (100, 1000, 10_000)),
    "connections": (connections, (50, 500, 5000)),
}
"""The things that there may be many of, and how many."""
