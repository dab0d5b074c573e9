"""What brokers of a lifelike cluster answer about topics, leaders and deaths that they have not heard of."""

from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse

from tests.support.brokers import answer, answer_over
from tests.support.clusters import advance, cluster_of, formed, state_of
from tests.support.producing import T0, batch, produce, request
from tests.support.share_group_clients import ShareMember

E = ErrorCode
FETCH_BY_ID, FETCH_WITH_ENDPOINTS, PRODUCE_WITH_ENDPOINTS = 13, 16, 10
TOLD_MS = 5_000
"""Longer than news takes."""


def asked_of(kafka: FakeKafka, topic: str, epoch: int) -> FetchTopic:
    partition = FetchPartition(partition=0, partition_max_bytes=1, current_leader_epoch=epoch)
    return FetchTopic(topic_id=cluster_of(kafka).topics[topic].id, partitions=[partition])


def unaware_of_new_topic(kafka: FakeKafka) -> BrokerId:
    """A broker that has not heard of the topic "new", which the controller's broker knows."""
    cluster = cluster_of(kafka)
    asked = MetadataRequest(topics=[MetadataRequestTopic(name="new")])
    while answer(kafka, asked, 4, MetadataResponse, cluster.controller_id).topics[0].error_code:
        advance(kafka, 1)
    new = cluster.topics["new"].id
    return next(node_id for node_id in cluster.brokers if new not in cluster.topic_ids_known_to(node_id))


@pytest.mark.parametrize("has_session", [False, True])
def test_a_fetch_by_id_finds_no_topic_that_the_broker_has_not_heard_of(has_session: bool) -> None:
    kafka = formed("3.9", pace="lifelike")
    client = kafka.connect(unaware_of_new_topic(kafka))
    topics, session, epochs = [asked_of(kafka, "new", -1)], 0, (0, 1) if has_session else (-1, -1)
    for epoch in epochs:
        fetch = FetchRequest(max_wait_ms=0, session_id=session, session_epoch=epoch, topics=topics)
        found = answer_over(client, fetch, FETCH_BY_ID, FetchResponse)
        session, topics = found.session_id, [] if has_session else topics
        assert [part.error_code for part in found.responses[0].partitions] == [E.UNKNOWN_TOPIC_ID]
    assert (session != 0) is has_session


def redirected(kafka: FakeKafka, api: str, node_id: BrokerId) -> tuple[BrokerId, list[BrokerId]]:
    """The leader of "t-0" that a broker names in an error, and the brokers whose endpoints it adds."""
    found: Any
    match api:
        case "Fetch":
            fetch = FetchRequest(max_wait_ms=0, session_epoch=-1, topics=[asked_of(kafka, "t", 0)])
            found = answer(kafka, fetch, FETCH_WITH_ENDPOINTS, FetchResponse, node_id)
            part = found.responses[0].partitions[0]
        case "Produce":
            found = produce(kafka, request({T0: batch()}), PRODUCE_WITH_ENDPOINTS, node_id)
            part = found.responses[0].partition_responses[0]
        case _:
            member = ShareMember(kafka)
            member.connection = kafka.connect(node_id)
            found = member.fetch()
            part = found.responses[0].partitions[0]
    assert part.error_code in (E.NOT_LEADER_OR_FOLLOWER, E.FENCED_LEADER_EPOCH)
    return part.current_leader.leader_id, [one.node_id for one in found.node_endpoints]


@pytest.mark.parametrize("api", ["Fetch", "Produce", "ShareFetch"])
def test_a_leader_whose_death_is_unnoticed_is_named_with_its_endpoint(api: str) -> None:
    kafka = formed("4.3", pace="lifelike")
    kafka.elect_leader("t", 0, 2)
    advance(kafka, TOLD_MS)
    assert redirected(kafka, api, 0) == (2, [2])
    kafka.kill_broker(2)
    assert redirected(kafka, api, 0) == (2, [2])


@pytest.mark.parametrize("api", ["Fetch", "Produce", "ShareFetch"])
def test_a_broker_names_the_leader_that_it_has_heard_of(api: str) -> None:
    kafka = formed("4.3", pace="lifelike")
    kafka.elect_leader("t", 0, 2)
    advance(kafka, TOLD_MS)
    kafka.elect_leader("t", 0, 1)
    assert state_of(kafka).leader == 1
    assert redirected(kafka, api, 0) == (2, [2])
