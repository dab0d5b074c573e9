"""Topics that are created, enlarged or deleted, in the order of the release's maps."""

import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
    CreatePartitionsTopic,
)
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse

from tests.support.brokers import answer


def created(kafka: FakeKafka, names: list[str], version: int) -> CreateTopicsResponse:
    topics = [CreatableTopic(name=name, num_partitions=1, replication_factor=1) for name in names]
    asked = CreateTopicsRequest(topics=topics, timeout_ms=1000, validate_only=version > 0)
    return answer(kafka, asked, version, CreateTopicsResponse)


def test_six_new_topics_come_out_of_two_hash_maps() -> None:
    """Recorded from 0.10.1.0: internal_questions."""
    asked = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]
    done = created(FakeKafka("0.10.1").boot(), asked, 0)
    assert [topic.name for topic in done.topics] == ["alpha", "zeta", "epsilon", "delta", "beta", "gamma"]


@pytest.mark.parametrize(
    ("release", "version", "listed"),
    [
        ("1.1", 2, [("z", 0), ("x", 42), ("y", 42)]),
        ("2.3", 3, [("y", 42), ("x", 42), ("x", 42), ("z", 0), ("y", 42)]),
        ("4.3", 7, [("z", 0), ("x", 42), ("y", 42)]),
    ],
)
def test_topics_that_are_named_twice_come_last_unless_the_list_of_the_request_is_filled(
    release: str, version: int, listed: list[tuple[str, int]]
) -> None:
    """Recorded from 1.1.1 to 4.3.1: control_questions."""
    done = created(FakeKafka(release).boot(), ["y", "x", "x", "z", "y"], version)
    assert [(topic.name, topic.error_code) for topic in done.topics] == listed


def test_a_controller_lists_the_configs_of_a_new_topic_by_name() -> None:
    """Recorded from 3.3.0 to 4.3.1: admin."""
    (topic,) = created(FakeKafka("4.3").boot(), ["t"], 7).topics
    assert topic.configs is not None
    names = [config.name for config in topic.configs]
    assert len(names) > 30
    assert names == sorted(names)


def test_a_broker_lists_them_in_the_order_of_a_hash_map() -> None:
    """Recorded from 2.4.1: admin."""
    (topic,) = created(FakeKafka("2.4").boot(), ["t"], 5).topics
    assert topic.configs is not None
    first = ["compression.type", "leader.replication.throttled.replicas", "min.insync.replicas"]
    assert [config.name for config in topic.configs][:3] == first


@pytest.mark.parametrize(
    ("release", "name", "listed"),
    [
        ("2.2", "c0", [("nope", 3), ("c0", 0)]),
        ("2.2", "c1", [("c1", 0), ("nope", 3)]),
        ("2.3", "c0", [("c0", 0), ("nope", 3)]),
    ],
)
def test_deleted_topics_came_out_of_a_mutable_map(release: str, name: str, listed: list[tuple[str, int]]) -> None:
    """Recorded from 2.2.2 to 2.3.1: admin."""
    kafka = FakeKafka(release, topics={name: 1}).boot()
    done = answer(kafka, DeleteTopicsRequest(topic_names=[name, "nope"], timeout_ms=1000), 1, DeleteTopicsResponse)
    assert [(topic.name, topic.error_code) for topic in done.responses] == listed


def test_a_controller_lists_enlarged_topics_as_a_set_of_names_after_those_that_are_named_twice() -> None:
    """Recorded from 3.0.0 to 4.3.1: odd_admin."""
    kafka = FakeKafka("4.3", topics={"known": 1, "more": 1}).boot()
    names = ["known", "", "more", "nope", "nope"]
    topics = [CreatePartitionsTopic(name=name, count=2, assignments=None) for name in names]
    asked = CreatePartitionsRequest(topics=topics, timeout_ms=1000, validate_only=True)
    done = answer(kafka, asked, 3, CreatePartitionsResponse)
    assert [(row.name, row.error_code) for row in done.results] == [("nope", 42), ("", 3), ("known", 0), ("more", 0)]
