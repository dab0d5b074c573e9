"""A topology with the topics that exist."""

import pytest
from fakekafka import FakeKafka
from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.coordinators.groups.streams.topology.configured import (
    ConfiguredTopology,
    configure,
    parts,
    required_topics,
    source_map,
)
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.handlers.streams_topologies import topology_of
from fakekafka.wire.apis.streams_group_heartbeat import Subtopology

from tests.support.seeded import broker_of
from tests.support.streams_group_clients import internal, part, plan, streaming


@pytest.fixture
def kafka() -> FakeKafka:
    kafka = streaming()
    kafka.create_topic("two", partitions=2)
    return kafka


def configured(kafka: FakeKafka, *subtopologies: Subtopology) -> ConfiguredTopology:
    return configure(broker_of(kafka).cluster, topology_of(plan(*subtopologies)), 7)


def test_subtopologies_have_as_many_tasks_as_their_largest_topic_partitions(kafka: FakeKafka) -> None:
    found = configured(kafka, part("1", ["two"]), part("0", ["t", "two"]))
    assert found.is_ready
    assert found.parts is not None
    assert [(id, one.tasks) for id, one in found.parts.items()] == [("0", 4), ("1", 2)]


def test_at_most_three_missing_source_topics_are_named(kafka: FakeKafka) -> None:
    found = configured(kafka, part("0", ["b", "t"]), part("1", ["d", "a", "c"]))
    assert (found.parts, found.to_create) == (None, ())
    assert found.problem == (1, "Source topics a, b, c and 1 additional topics are missing.")


def test_missing_internal_topics_are_to_be_created(kafka: FakeKafka) -> None:
    changelog = internal("c", configs={"cleanup.policy": "compact"})
    found = configured(
        kafka,
        part("0", ["two"], sinks=["r"]),
        part("1", ["t"], repartition=[internal("r", 0, {}, 1)], changelogs=[changelog]),
    )
    assert set(found.to_create) == {NewTopic("r", 2, 1), NewTopic("c", 4, configs=(("cleanup.policy", "compact"),))}
    assert found.problem is not None
    assert found.problem.code == 3
    assert not found.is_ready


def test_an_existing_internal_topic_must_match_the_topology(kafka: FakeKafka) -> None:
    assert configured(kafka, part("0", ["two"], changelogs=[internal("two")])).is_ready
    found = configured(kafka, part("0", ["t"], changelogs=[internal("two")]))
    assert found.problem == (2, "Existing topic two has different number of partitions: expected 4, found 2")


@pytest.mark.parametrize(
    "subtopologies",
    [
        [part("0", ["t"]), part("0", ["two"])],
        [part("0", ["t"], changelogs=[internal("c"), internal("c")])],
        [part("0", ["t"], sinks=["r"], repartition=[internal("r", -5)])],
    ],
)
def test_topologies_on_which_the_broker_fails_are_an_unknown_error(
    kafka: FakeKafka, subtopologies: list[Subtopology]
) -> None:
    with pytest.raises(ApiError) as refused:
        configured(kafka, *subtopologies)
    assert refused.value.code is ErrorCode.UNKNOWN_SERVER_ERROR


def test_topics_are_read_by_subtopologies() -> None:
    by_id = parts(
        topology_of(plan(part("0", ["a"], changelogs=[internal("c")]), part("1", repartition=[internal("r")])))
    )
    assert source_map(by_id) == {"a": "0", "r": "1"}
    assert sorted(required_topics(by_id)) == ["a", "c", "r"]
