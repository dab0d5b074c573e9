"""What one request costs the broker, sockets left out: CPU microseconds from its bytes to the answer's bytes."""

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from fakekafka import FakeKafka
from fakekafka.ids import Offset, TimestampMs
from fakekafka.records import v2
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.record import Record
from fakekafka.server.connection import MAX_SENT
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, TopicProduceData
from fakekafka.wire.frames import request_frame
from fakekafka.wire.message import Request

from tests.benchmarks.measuring import Row

TOPIC: Final = "handling-of-the-benchmark"
PRODUCE, FETCH, METADATA, API_VERSIONS = 10, 12, 12, 3
"""The versions of the requests."""
CALLS: Final = 100


def handling(quick: bool = False) -> list[Row]:
    rounds = 5 if quick else 25
    kafka = FakeKafka("3.9", topics={TOPIC: 1}).boot()
    client, now = kafka.connect(), kafka.clock.now_ms

    def row(what: str, request: Request, version: int) -> Row:
        frame = request_frame(request, version, 1, "bench")
        return Row(what, "us CPU", _best_us(lambda: client.send(frame), rounds))

    rows = [
        row(f"Produce v{PRODUCE}, {count} records of 100 B", produce(count, now), PRODUCE) for count in (1, 100, 1000)
    ]
    request = request_frame(fetch(0), FETCH, 1, "bench")
    rows += [
        row(f"Fetch v{FETCH}, nothing there", fetch(len(kafka.records(TOPIC))), FETCH),
        Row(f"Fetch v{FETCH}, 1 MiB, not copied", "us CPU", _best_us(partial(_answer, client, request), rounds)),
        row(f"Metadata v{METADATA}", MetadataRequest(topics=[]), METADATA),
        row(f"ApiVersions v{API_VERSIONS}", ApiVersionsRequest(), API_VERSIONS),
    ]
    kafka.stop()
    return rows


def _answer(client: MemoryClient, frame: bytes) -> None:
    """Have a request answered, and take the answer in parts as a socket does: joining them would copy a large one."""
    connection = client.connection
    connection.receive(frame)
    client.core.step(connection)
    while buffers := connection.data_to_send(MAX_SENT):
        connection.sent(sum(map(len, buffers)))


def _best_us(action: Callable[[], object], rounds: int) -> float:
    """CPU time of one call in the best round."""
    found = []
    for _ in range(rounds):
        started = time.thread_time()
        for _ in range(CALLS):
            action()
        found.append(time.thread_time() - started)
    return min(found) / CALLS * 1e6


def produce(count: int, now: TimestampMs) -> ProduceRequest:
    records = v2.build([Record(n, now, CREATE_TIME_TYPE, None, bytes(100)) for n in range(count)])
    data = PartitionProduceData(index=0, records=records)
    return ProduceRequest(acks=-1, timeout_ms=1000, topic_data=[TopicProduceData(name=TOPIC, partition_data=[data])])


def fetch(offset: Offset) -> FetchRequest:
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    topics = [FetchTopic(topic=TOPIC, partitions=[asked])]
    return FetchRequest(max_wait_ms=0, min_bytes=1, max_bytes=1 << 20, session_epoch=-1, topics=topics)
