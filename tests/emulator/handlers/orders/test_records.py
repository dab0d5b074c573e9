"""The order of answers about records, as recorded."""

import pytest
from fakekafka import FakeKafka
from fakekafka.ids import TopicPartition
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)

from tests.support.brokers import answer
from tests.support.fetching import fetch, places
from tests.support.producing import batch, errors, messages, produce, request
from tests.support.seeded import with_topics

FORMATS = ("f0", "f0-lat", "f1", "f1-lat", "f2", "f2-lat")


def produced(kafka: FakeKafka, version: int, *asked: TopicPartition) -> list[TopicPartition]:
    record_set = batch() if version >= 3 else messages()
    return list(errors(produce(kafka, request(dict.fromkeys(asked, record_set)), version)))


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.3.1", ["f0-lat", "f2-lat", "f0", "f1-lat", "f1", "f2"]),
        ("2.7.2", ["f0-lat", "f0", "f2-lat", "f1", "f1-lat", "f2"]),
        ("3.6.2", ["f2", "f1", "f0-lat", "f0", "f1-lat", "f2-lat"]),
    ],
)
def test_produced_topics_come_in_the_order_of_the_releases_maps(release: str, order: list[str]) -> None:
    """produce_formats, produce_formats_zk."""
    kafka = with_topics(release, *FORMATS)
    assert produced(kafka, 7, *((name, 0) for name in FORMATS)) == [(name, 0) for name in order]


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [
        ("0.8.2.2", 0, [("nowhere", 0), ("two", 0), ("two", -1), ("two", 1)]),
        ("0.10.1.1", 0, [("nowhere", 0), ("two", -1), ("two", 0), ("two", 1)]),
        ("0.11.0.3", 0, [("nowhere", 0), ("two", 0), ("two", -1), ("two", 1)]),
        ("1.1.1", 0, [("nowhere", 0), ("two", -1), ("two", 0), ("two", 1)]),
        ("2.4.1", 0, [("nowhere", 0), ("two", 0), ("two", -1), ("two", 1)]),
        ("2.8.2", 0, [("nowhere", 0), ("two", 0), ("two", 1), ("two", -1)]),
        ("4.0.0", 3, [("two", 0), ("two", 1), ("two", -1), ("nowhere", 0)]),
    ],
)
def test_produced_partitions_that_do_not_exist_have_their_place(
    release: str, version: int, order: list[TopicPartition]
) -> None:
    """produce_refusals."""
    kafka = with_topics(release, "two")
    assert produced(kafka, version, ("nowhere", 0), ("two", 1), ("two", -1), ("two", 0)) == order


def test_topics_of_a_set_that_spoils_the_request_come_in_the_order_of_its_sizes() -> None:
    """2.8.0 odd_requests: the first message is too small to be one."""
    kafka = with_topics("2.8.0", "known", "other")
    sets = {("known", 0): bytes(80), ("other", 0): messages()}
    assert list(errors(produce(kafka, request(sets), 0))) == [("other", 0), ("known", 0)]


def test_fetched_topics_come_in_the_order_of_a_map_in_old_releases() -> None:
    names = ["a", "b", "c", "d", "e"]
    asked = [(name, 0, 0) for name in names]
    found = {release: places(fetch(with_topics(release, *names), *asked, version=1)) for release in ("0.9.0", "0.10.1")}
    assert found["0.10.1"] == [(name, 0) for name in names]
    assert found["0.9.0"] != found["0.10.1"]
    assert sorted(found["0.9.0"]) == found["0.10.1"]


@pytest.mark.parametrize(
    ("release", "version", "order"),
    [
        ("0.9.0.1", 0, ["rolled", "gzip", "empty", "ct"]),
        ("0.10.1.1", 1, ["ct", "gzip", "rolled", "empty"]),
        ("3.9.1", 1, ["ct", "gzip", "rolled", "empty"]),
    ],
)
def test_listed_offsets_come_in_the_order_of_the_releases_maps(release: str, version: int, order: list[str]) -> None:
    """list_offsets."""
    names = ["ct", "gzip", "rolled", "empty"]
    kafka = with_topics(release, *names)
    asked = [
        ListOffsetsTopic(
            name=name, partitions=[ListOffsetsPartition(partition_index=0, timestamp=-1, max_num_offsets=1)]
        )
        for name in names
    ]
    response = answer(kafka, ListOffsetsRequest(replica_id=-1, topics=asked), version, ListOffsetsResponse)
    assert [topic.name for topic in response.topics] == order
