"""What classic consumers put into their requests."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.consumer.embedded import (
    owned_partitions,
    packed_assignment,
    reported_partitions,
    subscription,
    version_of,
)
from fakekafka.errors import MalformedBytes
from fakekafka.wire.codec import encode_bytes
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolSubscription, TopicPartition

from tests.support.group_clients import grouped
from tests.support.seeded import broker_of


@pytest.fixture(scope="module")
def kafka() -> FakeKafka:
    return grouped("4.3", partitions=4)


def metadata(version: int = 1) -> bytes:
    owned = [TopicPartition(topic="t", partitions=[1]), TopicPartition(topic="gone", partitions=[0])]
    value = ConsumerProtocolSubscription(topics=["t"], owned_partitions=owned)
    return version.to_bytes(2, "big") + encode_bytes(value, version)


def test_what_it_has_of_topics_that_are_there(kafka: FakeKafka) -> None:
    cluster = broker_of(kafka).cluster
    topic = cluster.topics["t"].id
    assert reported_partitions(cluster, subscription(metadata())) == {topic: frozenset({1})}


@pytest.mark.parametrize("version", [0, 1, 2, 3])
def test_an_assignment_comes_back_as_it_was_packed(kafka: FakeKafka, version: int) -> None:
    cluster = broker_of(kafka).cluster
    target = {cluster.topics["t"].id: frozenset({0, 3})}
    packed = packed_assignment(cluster, target, version.to_bytes(2, "big"))
    assert version_of(packed) == version
    assert owned_partitions(cluster, packed) == target
    assert owned_partitions(cluster, b"") == {}


def test_versions_of_tomorrow_are_read_as_the_newest_one() -> None:
    assert version_of(b"\x7f\xff") == 3


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xff"])
def test_without_a_version_it_is_nothing(data: bytes) -> None:
    with pytest.raises(MalformedBytes):
        version_of(data)
