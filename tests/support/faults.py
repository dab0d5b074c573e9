"""Requests for tests of faults, and the parts of their answers that matter."""

from typing import TypeVar

from fakekafka import FakeKafka, ManualClock
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.api_versions import ApiVersionsRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest
from fakekafka.wire.apis.produce import (
    PartitionProduceData,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)
from fakekafka.wire.frames import SIZE, read_response, request_frame
from fakekafka.wire.message import Request, Response

R = TypeVar("R", bound=Response)

NOW = 1_700_000_000_000


def batch(value: bytes = b"value") -> bytes:
    """One record, in format 2."""
    return bytes(v2.build([Record(0, NOW, 0, None, value)]))


def produce(*places: tuple[str, int], acks: int = -1) -> ProduceRequest:
    """A Produce of one record to each place, for versions 3 to 12."""
    topics: dict[str, list[PartitionProduceData]] = {}
    for topic, partition in places:
        topics.setdefault(topic, []).append(PartitionProduceData(index=partition, records=batch()))
    data = [TopicProduceData(name=topic, partition_data=each) for topic, each in topics.items()]
    return ProduceRequest(acks=acks, timeout_ms=1000, topic_data=data)


def fetch(*places: tuple[str, int], session: int = 0, epoch: int = -1, max_wait_ms: int = 0) -> FetchRequest:
    """A Fetch from the start of each place, for versions 4 to 12."""
    topics = [
        FetchTopic(topic=topic, partitions=[FetchPartition(partition=n, fetch_offset=0, partition_max_bytes=1 << 20)])
        for topic, n in places
    ]
    return FetchRequest(
        max_wait_ms=max_wait_ms, min_bytes=1, max_bytes=1 << 20, topics=topics, session_id=session, session_epoch=epoch
    )


def produced(answer: ProduceResponse) -> dict[tuple[str, int], int]:
    """The error of each place."""
    return {(t.name, p.index): p.error_code for t in answer.responses for p in t.partition_responses}


def fetched(answer: FetchResponse) -> dict[tuple[str, int], int]:
    """The error of each place."""
    return {(t.topic, p.partition_index): p.error_code for t in answer.responses for p in t.partitions}


class Client:
    """A connection under a client id that a test chooses."""

    def __init__(self, kafka: FakeKafka, client_id: str = "test", node_id: int = 0) -> None:
        self.memory: MemoryClient = kafka.connect(node_id)
        self.client_id = client_id
        self._sent = 0

    def send(self, request: Request, version: int) -> bytes:
        """Send a request, and return what comes back at once."""
        self._sent += 1
        return self.memory.send(request_frame(request, version, self._sent, self.client_id))

    def ask(self, request: Request, version: int, kind: type[R]) -> R:
        """Send a request, and return its answer, which comes at once."""
        return read(self.send(request, version), version, kind)


def asked_on_two_connections() -> FakeKafka:
    """A broker that got several requests on two connections."""
    clock = ManualClock(NOW)
    kafka = FakeKafka("2.3", topics={"orders": 1}, clock=clock).boot()
    producer, consumer = Client(kafka, "producer"), Client(kafka, "consumer")
    producer.send(ApiVersionsRequest(), 2)
    producer.send(MetadataRequest(topics=None), 8)
    consumer.send(fetch(("orders", 0), max_wait_ms=1000), 11)
    clock.advance(5)
    producer.send(produce(("orders", 0)), 7)
    consumer.memory.receive()
    return kafka


def read(data: bytes, version: int, kind: type[R]) -> R:
    """The answer in a frame."""
    return read_response(kind, version, data[SIZE.size :])[1]
