"""Fetch requests, easily written in tests, and their answers."""

from fakekafka import FakeKafka
from fakekafka.wire.apis.fetch import (
    FetchPartition,
    FetchRequest,
    FetchResponse,
    FetchTopic,
    PartitionData,
)

from tests.support.brokers import answer
from tests.support.seeded import batch, booted, store

UNIT = len(batch(0))
NEWEST_WITH_NAMES = 12


def request(*asked: tuple[str, int, int], **fields: object) -> FetchRequest:
    """A request for (topic, partition, offset) tuples, with neighbours of one topic together."""
    topics: list[FetchTopic] = []
    for name, index, offset in asked:
        partition = FetchPartition(partition=index, fetch_offset=offset, partition_max_bytes=1 << 20)
        if topics and topics[-1].topic == name:
            topics[-1].partitions = [*topics[-1].partitions, partition]
        else:
            topics.append(FetchTopic(topic=name, partitions=[partition]))
    values: dict[str, object] = {"max_wait_ms": 0, "min_bytes": 1, "topics": topics, **fields}
    return FetchRequest(**values)  # type: ignore[arg-type]


def fetch(
    kafka: FakeKafka, *asked: tuple[str, int, int], version: int = NEWEST_WITH_NAMES, **fields: object
) -> FetchResponse:
    """The answer to a request that is answered."""
    return answer(kafka, request(*asked, **fields), version, FetchResponse)


def partitions(response: FetchResponse) -> list[PartitionData]:
    """The partitions of an answer, in its order."""
    return [partition for topic in response.responses for partition in topic.partitions]


def only(response: FetchResponse) -> PartitionData:
    """The answer for the only partition of a request."""
    (found,) = partitions(response)
    return found


def errors(response: FetchResponse) -> list[int]:
    """The error of every partition, in the answer's order."""
    return [partition.error_code for partition in partitions(response)]


def places(response: FetchResponse) -> list[tuple[str, int]]:
    """Topic and number of every partition, in the answer's order."""
    return [(topic.topic, partition.partition_index) for topic in response.responses for partition in topic.partitions]


def data_of(partition: PartitionData) -> bytes:
    """The record bytes of a partition."""
    assert isinstance(partition.records, memoryview)
    return bytes(partition.records)


def filled(release: str, partitions: int = 2, sets: int = 2) -> FakeKafka:
    """A broker whose topic has `sets` batches of two records in each partition."""
    kafka = booted(release, partitions)
    for index in range(partitions):
        store(kafka, *(batch(2 * n) for n in range(sets)), index=index)
    return kafka
