"""Produce requests, easily written in tests, and their answers."""

from collections.abc import Mapping, Sequence

from fakekafka import FakeKafka
from fakekafka.ids import BrokerId, Buffer, TopicName, TopicPartition
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.produce import (
    PartitionProduceData,
    PartitionProduceResponse,
    ProduceRequest,
    ProduceResponse,
    TopicProduceData,
)
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import CLIENT_ID, answer
from tests.support.seeded import NOW

Sets = Mapping[TopicPartition, Buffer | None]
T0 = ("t", 0)


def rows(count: int = 2) -> list[Record]:
    return [Record(n, NOW, 0, b"k", b"v") for n in range(count)]


def messages(count: int = 2) -> bytes:
    """A set of format 0, which every release takes in versions 0 to 2."""
    return v0.build(rows(count))


def timed(count: int = 2) -> bytes:
    """A set of format 1."""
    return v1.build(rows(count))


def batch(
    count: int = 2, producer: int = -1, sequence: int = 0, epoch: int = 0, transactional: bool = False, codec: int = 0
) -> bytes:
    """A batch of format 2, possibly from a producer that numbers its records."""
    known = producer >= 0
    return v2.build(
        rows(count),
        codec=codec,
        producer_id=producer,
        producer_epoch=epoch if known else -1,
        base_sequence=sequence if known else -1,
        transactional=transactional,
    )


def request(sets: Sets, acks: int = 1, transactional_id: str | None = None, timeout_ms: int = 1000) -> ProduceRequest:
    """A request for partitions, with topics identified by name."""
    topics: dict[TopicName, TopicProduceData] = {}
    for (name, index), data in sets.items():
        topic = topics.setdefault(name, TopicProduceData(name=name, partition_data=[]))
        topic.partition_data.append(PartitionProduceData(index=index, records=data))
    return ProduceRequest(
        transactional_id=transactional_id, acks=acks, timeout_ms=timeout_ms, topic_data=list(topics.values())
    )


def produce(kafka: FakeKafka, sent: ProduceRequest, version: int, node_id: BrokerId = 0) -> ProduceResponse:
    """The answer to a request that is answered."""
    return answer(kafka, sent, version, ProduceResponse, node_id)


def parts(response: ProduceResponse) -> dict[TopicPartition, PartitionProduceResponse]:
    """The partitions of an answer, in its order."""
    return {(topic.name, part.index): part for topic in response.responses for part in topic.partition_responses}


def one(
    kafka: FakeKafka,
    data: Buffer | None,
    version: int,
    acks: int = 1,
    transactional_id: str | None = None,
    place: TopicPartition = T0,
) -> PartitionProduceResponse:
    """The answer for the only partition of a request."""
    (part,) = parts(produce(kafka, request({place: data}, acks, transactional_id), version)).values()
    return part


def errors(response: ProduceResponse) -> dict[TopicPartition, int]:
    """The error of every partition, in the answer's order."""
    return {place: part.error_code for place, part in parts(response).items()}


def raw(kafka: FakeKafka, sent: ProduceRequest, version: int, client_id: str = CLIENT_ID) -> tuple[bytes, bool]:
    """The bytes that come back at once, and whether the connection is closed."""
    client = kafka.connect()
    data = client.send(request_frame(sent, version, 1, client_id))
    return data, client.closed


def split(data: bytes, version: int) -> Sequence[ProduceResponse]:
    """The answers in `data`."""
    found = []
    while data:
        (size,) = SIZE.unpack_from(data)
        found.append(read_response(ProduceResponse, version, data[4 : 4 + size])[1])
        data = data[4 + size :]
    return found
