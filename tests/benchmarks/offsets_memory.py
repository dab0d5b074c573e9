"""What a committed offset costs in memory, and what it costs to return many of them.

A million offsets in one process, as the coordinator keeps them; names of groups and topics are left out, since each
exists only once however many offsets it has. The goal is that of the original design of committed offsets: 64 bytes.
"""

import gc
import time
import tracemalloc
from typing import Final

from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.offsets.store import Committed, OffsetStore
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.handlers.call import Call
from fakekafka.handlers.offset_fetch import handle
from fakekafka.ids import ApiKey
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse

from tests.benchmarks.measuring import Row, alone

OFFSETS: Final = 1_000_000
GOAL_BYTES: Final = 64
SHAPES: Final = ((1, 10), (1, 100), (10, 10), (10, 1))
"""Topics of a group, and partitions of each."""
PARTITIONS: Final = 1_000
GOAL_MS: Final = 2
NOW: Final = 1_600_000_000_000
VERSION: Final = 7


class Header:
    key, version, correlation_id, client_id = ApiKey.OFFSET_FETCH, VERSION, 0, None


def offsets_memory(quick: bool = False) -> list[Row]:
    count = OFFSETS // 50 if quick else OFFSETS
    rows = [
        alone(f"{topics} x {partitions} partitions a group", "B", [bytes_each(count, topics, partitions)], GOAL_BYTES)
        for topics, partitions in SHAPES[: 1 if quick else None]
    ]
    return [*rows, alone(f"OffsetFetch of {PARTITIONS}, CPU", "ms", fetch_times_ms(5 if quick else 50), GOAL_MS)]


def bytes_each(count: int, topics: int, partitions: int) -> float:
    """Bytes that `count` offsets take, for each of them."""
    groups = [f"group-{n}" for n in range(count // (topics * partitions))]
    names = [f"topic-{n}" for n in range(topics)]
    committed = Committed(12345, 3, "", NOW)
    store = OffsetStore()
    gc.collect()
    tracemalloc.start()
    for group in groups:
        for topic in names:
            for partition in range(partitions):
                store.put(group, topic, partition, committed)
    used = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(store) == len(groups) * topics * partitions
    return used / len(store)


def fetch_times_ms(rounds: int) -> list[float]:
    """CPU of the handler, without codec and socket."""
    kafka = FakeKafka("3.9", clock=ManualClock(NOW), topics={"t": PARTITIONS}).boot()
    coordinator = coordinators_of(kafka._running.cluster.brokers[0]).groups
    for index in range(50):
        coordinator.led.add(index)
    for n in range(PARTITIONS):
        coordinator.offsets.put("g", "t", n, Committed(n, 0, "", NOW))
    topic = OffsetFetchRequestTopic(name="t", partition_indexes=list(range(PARTITIONS)))
    request, call = OffsetFetchRequest(group_id="g", topics=[topic]), Call(coordinator.broker, Header(), "", 1, NOW)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        answer = handle(request, call)
        times.append((time.process_time() - start) * 1000)
        assert isinstance(answer, OffsetFetchResponse)
        assert answer.topics[0].partitions[-1].committed_offset == PARTITIONS - 1
    kafka.stop()
    return times
