"""What a fetch reads that waits for several partitions, while one request writes to all of them."""

import pytest
from fakekafka import FakeKafka
from fakekafka.records import compression, v1
from fakekafka.records.compression import GZIP
from fakekafka.records.record import Record
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.fetching import data_of, partitions
from tests.support.fetching import request as asked
from tests.support.producing import batch, errors, messages, produce, request
from tests.support.seeded import NOW, booted
from tests.support.transaction_clients import TransactionalProducer, transactional

PARTITIONS = 3


def waiting(kafka: FakeKafka, version: int, offset: int = 0, min_bytes: int = 1) -> MemoryClient:
    client = kafka.connect()
    places = [("t", n, offset) for n in range(PARTITIONS)]
    sent = client.send(request_frame(asked(*places, max_wait_ms=500, min_bytes=min_bytes), version, 1, None))
    assert sent == b""
    return client


def with_records(client: MemoryClient, version: int) -> list[int]:
    """The partitions of which the answer has records."""
    response = read_response(FetchResponse, version, client.receive()[SIZE.size :])[1]
    return sorted(each.partition_index for each in partitions(response) if data_of(each))


@pytest.mark.parametrize(
    ("release", "version", "of_one", "of_two"),
    [
        ("0.8.1", 0, [0, 1, 2], [0, 1, 2]),
        ("0.8.2.2", 0, [1], [0, 1]),
        ("0.10.2.2", 2, [2], [1, 2]),
        ("2.3.1", 7, [1], [0, 1]),
        ("2.6.3", 7, [2], [1, 2]),
        ("2.7.0", 7, [0, 1, 2], [0, 1, 2]),
        ("4.3.1", 7, [0, 1, 2], [0, 1, 2]),
    ],
)
def test_from_0_8_2_to_2_6_the_first_partitions_of_a_produce_may_be_enough(
    release: str, version: int, of_one: list[int], of_two: list[int]
) -> None:
    """The order of the partitions follows from their hash codes: waits_of_several shows it for other names."""
    kafka, fetched = booted(release, PARTITIONS), min(version, 4)
    records = messages() if version < 3 else batch()
    one, two = waiting(kafka, fetched), waiting(kafka, fetched, min_bytes=2 * len(records))
    produce(kafka, request({("t", n): records for n in range(PARTITIONS)}), version)
    assert (with_records(one, fetched), with_records(two, fetched)) == (of_one, of_two)


@pytest.mark.parametrize(
    ("release", "marked"), [("1.1.1", [1]), ("2.6.3", [2]), ("2.7.0", [0, 1, 2]), ("3.9.1", [0, 1, 2])]
)
def test_from_0_11_to_2_6_the_first_marker_of_a_transaction_may_be_enough(release: str, marked: list[int]) -> None:
    kafka = transactional(release, partitions=PARTITIONS)
    producer = TransactionalProducer(kafka).initialised()
    for n in range(PARTITIONS):
        producer.send(place=("t", n))
    client = waiting(kafka, 4, offset=1)
    producer.end(True)
    assert with_records(client, 4) == marked


def test_what_a_fetch_decompresses_amid_a_produce_is_not_charged_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A consumer of 0.9, whose format is older than the topic's, has what it reads converted."""
    value = 100_000
    monkeypatch.setattr(compression, "ALLOWED_TOGETHER", PARTITIONS * value + 10_000)
    monkeypatch.setattr(compression, "MOST_TIMES", 1)
    kafka = booted("0.10.2", PARTITIONS)
    client = waiting(kafka, 1)
    bomb = v1.build([Record(0, NOW, 0, None, bytes(value))], codec=GZIP)
    sent = request({("t", n): bomb for n in range(PARTITIONS)})
    assert set(errors(produce(kafka, sent, 2)).values()) == {0}
    assert len(with_records(client, 1)) == 1
