"""What requests are about: `faults/subjects.py`, for every API, by the shapes of its messages."""

import pytest
from fakekafka.faults.subjects import (
    TopicOrPartition,
    names_groups,
    names_topics,
    names_transactions,
    subjects,
    topics_named,
)
from fakekafka.handlers import SERVED
from fakekafka.ids import ApiKey
from fakekafka.wire.apis import request_class
from fakekafka.wire.apis.delete_topics import DeleteTopicsRequest
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic, ForgottenTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest
from fakekafka.wire.apis.heartbeat import HeartbeatRequest

from tests.emulator.wire.values import filled, restricted
from tests.support.faults import produce

ID = bytes(15) + b"\1"


def unknown(topic_id: bytes) -> str | None:
    return None


def test_topics_and_partitions_are_named_by_their_lists() -> None:
    found = subjects(produce(("orders", 0), ("orders", 1), ("other", 0)), unknown)
    assert found.places == (TopicOrPartition("orders", 0), TopicOrPartition("orders", 1), TopicOrPartition("other", 0))


def test_topics_by_id_have_the_name_that_the_cluster_knows() -> None:
    asked = FetchRequest(topics=[FetchTopic(topic_id=ID, partitions=[FetchPartition(partition=3)])])
    assert subjects(asked, {ID: "orders"}.get).places == (TopicOrPartition("orders", 3),)
    assert subjects(asked, unknown).places == ()


def test_topics_that_a_session_forgets_are_not_what_a_fetch_is_about() -> None:
    asked = FetchRequest(topics=[], forgotten_topics_data=[ForgottenTopic(topic="orders", partitions=[0])])
    assert subjects(asked, unknown).places == ()


def test_lists_of_names_are_topics_too() -> None:
    assert subjects(DeleteTopicsRequest(topic_names=["orders"]), unknown).places == (TopicOrPartition("orders", None),)


@pytest.mark.parametrize(("key_type", "groups", "transactions"), [(0, ("shop",), ()), (1, (), ("shop",)), (2, (), ())])
def test_a_coordinator_is_looked_up_for_a_group_or_a_transactional_id(
    key_type: int, groups: tuple[str, ...], transactions: tuple[str, ...]
) -> None:
    for asked in (
        FindCoordinatorRequest(key="shop", key_type=key_type),
        FindCoordinatorRequest(coordinator_keys=["shop"], key_type=key_type),
    ):
        found = subjects(asked, unknown)
        assert (found.groups, found.transactional_ids) == (groups, transactions)


def test_members_name_their_group() -> None:
    assert subjects(HeartbeatRequest(group_id="shop"), unknown).groups == ("shop",)


@pytest.mark.parametrize("key", SERVED, ids=lambda key: key.name)
def test_the_quick_search_finds_the_same_topics(key: ApiKey) -> None:
    shape = request_class(key)
    for version in range(shape.VERSIONS.low, shape.VERSIONS.high + 1):
        request = restricted(filled(shape), version)
        quickly = topics_named(request)
        assert not quickly or set(quickly) == {topic for topic, _ in subjects(request, unknown).places}


def test_the_quick_search_finds_the_topics_of_most_requests_for_records() -> None:
    assert topics_named(produce(("orders", 0), ("other", 1))) == ["orders", "other"]
    assert topics_named(FetchRequest(topics=[FetchTopic(topic="orders", partitions=[])])) == ["orders"]
    assert topics_named(FetchRequest(topics=[FetchTopic(topic_id=ID, partitions=[])])) == ()


@pytest.mark.parametrize("key", SERVED, ids=lambda key: key.name)
def test_the_shape_of_a_request_says_what_it_can_name(key: ApiKey) -> None:
    shape = request_class(key)
    found = subjects(filled(shape), lambda topic_id: "by id")
    assert not found.places or names_topics(shape)
    assert not found.groups or names_groups(shape)
    assert not found.transactional_ids or names_transactions(shape)
