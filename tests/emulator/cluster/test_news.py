"""Several brokers that take their time: news, replication, and brokers that die."""

from collections.abc import Callable
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import BrokerWillNotStart, ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.describe_cluster import DescribeClusterRequest, DescribeClusterResponse
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.clusters import advance, cluster_of, ends, fetched, formed, state_of, values
from tests.support.producing import T0, batch, errors, produce, request, split

E = ErrorCode
RELEASES = ["1.1", "2.8", "3.9", "4.3"]
VERSION, FETCH_VERSION = 3, 4
TOLD_MS = 5_000
"""Longer than news and replication take, and shorter than a session."""
SESSION_MS = 30_000


def lifelike(release: str = "2.8", brokers: int = 3, **config: Any) -> FakeKafka:
    return formed(release, brokers, pace="lifelike", **config)


def until(kafka: FakeKafka, is_so: Callable[[], bool]) -> int:
    """How many milliseconds pass until the condition holds."""
    start = now = cluster_of(kafka).clock.elapsed_ms
    while not is_so():
        due_ms = kafka._runtime.next_deadline_ms()
        assert due_ms is not None, "it never happens"
        assert now < start + SESSION_MS, "it takes too long"
        advance(kafka, max(1, due_ms - now))
        now = cluster_of(kafka).clock.elapsed_ms
    return now - start


def leader_told_by(kafka: FakeKafka, node_id: BrokerId, topic: str = "t") -> tuple[int, int]:
    """The error of a topic of one partition, and its leader, as one broker reports them."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    (found,) = answer(kafka, asked, 1, MetadataResponse, node_id).topics
    return found.error_code, found.partitions[0].leader_id if found.partitions else -1


def brokers_told_by(kafka: FakeKafka, node_id: BrokerId) -> set[BrokerId]:
    return {one.node_id for one in answer(kafka, MetadataRequest(topics=[]), 1, MetadataResponse, node_id).brokers}


def sender(kafka: FakeKafka, acks: int) -> tuple[MemoryClient, bytes]:
    """A client that sends records to "t-0", and what it gets at once."""
    client = kafka.connect(state_of(kafka).leader)
    return client, client.send(request_frame(request({T0: batch()}, acks, timeout_ms=60_000), VERSION, 1, "test"))


def error_of(data: bytes) -> int:
    (answered,) = split(data, VERSION)
    return errors(answered)[T0]


def append_at(kafka: FakeKafka, node_id: BrokerId) -> int:
    """The error of an append on one broker."""
    return errors(produce(kafka, request({T0: batch()}), VERSION, node_id))[T0]


# ---- news


@pytest.mark.parametrize("release", RELEASES)
def test_brokers_learn_about_a_new_topic_one_after_the_other(release: str) -> None:
    kafka = lifelike(release)
    cluster = cluster_of(kafka)
    until(kafka, lambda: leader_told_by(kafka, 0, "new") == (E.NONE, 0) or leader_told_by(kafka, 0, "new")[1] >= 0)
    leaders = [leader_told_by(kafka, node_id, "new")[1] for node_id in cluster.brokers]
    assert -1 in leaders, "nobody is told later"
    assert leaders[cluster.controller_id] >= 0, "the controller's broker is the first"
    until(kafka, lambda: all(leader_told_by(kafka, node_id, "new")[1] >= 0 for node_id in cluster.brokers))


def test_a_leader_that_has_not_heard_of_its_partition_refuses_it() -> None:
    kafka = lifelike(default_replication_factor=1, num_partitions=3)
    cluster = cluster_of(kafka)
    until(kafka, lambda: leader_told_by(kafka, cluster.controller_id, "new")[0] == E.NONE)
    (unheard,) = [s for s in cluster.topics["new"].partitions if leader_told_by(kafka, s.leader, "new")[0]][:1]
    place = ("new", unheard.index)
    found = errors(produce(kafka, request({place: batch()}), VERSION, unheard.leader))
    assert found == {place: E.UNKNOWN_TOPIC_OR_PARTITION}
    advance(kafka, TOLD_MS)
    found = errors(produce(kafka, request({place: batch()}), VERSION, unheard.leader))
    assert found == {place: E.NONE}


@pytest.mark.parametrize("release", RELEASES)
def test_a_new_leader_learns_about_the_change_after_the_old_one(release: str) -> None:
    kafka = lifelike(release)
    old = state_of(kafka).leader
    new = next(node_id for node_id in state_of(kafka).replicas if node_id != old)
    kafka.elect_leader("t", 0, new)
    assert append_at(kafka, old) == append_at(kafka, new) == E.NOT_LEADER_OR_FOLLOWER
    assert leader_told_by(kafka, old) == (E.NONE, new)
    assert leader_told_by(kafka, new) == (E.NONE, old)
    until(kafka, lambda: append_at(kafka, new) == E.NONE)
    assert leader_told_by(kafka, new) == (E.NONE, new)
    advance(kafka, TOLD_MS)
    assert {leader_told_by(kafka, node_id) for node_id in range(3)} == {(E.NONE, new)}


def test_brokers_learn_only_about_the_last_of_two_changes_in_a_row() -> None:
    kafka = lifelike()
    first, second, third = state_of(kafka).replicas
    kafka.elect_leader("t", 0, second)
    kafka.elect_leader("t", 0, third)
    assert leader_told_by(kafka, third) == (E.NONE, first)
    advance(kafka, TOLD_MS)
    assert {leader_told_by(kafka, node_id) for node_id in range(3)} == {(E.NONE, third)}
    assert append_at(kafka, third) == E.NONE
    assert not kafka.failures


def test_a_topic_that_is_deleted_before_all_have_heard_of_it_stays_away() -> None:
    kafka = lifelike()
    cluster = cluster_of(kafka)
    until(kafka, lambda: leader_told_by(kafka, cluster.controller_id, "new")[0] == E.NONE)
    kafka.delete_topic("new")
    advance(kafka, TOLD_MS)
    assert all(("new", 0) not in broker.partitions for broker in cluster.brokers.values())
    assert not kafka.failures


def test_a_topic_that_the_test_creates_is_known_to_all_at_once() -> None:
    kafka = lifelike()
    kafka.create_topic("mine")
    [told] = {leader_told_by(kafka, node_id, "mine") for node_id in range(3)}
    assert told[0] == E.NONE
    assert told[1] in range(3)


# ---- replication


@pytest.mark.parametrize("release", RELEASES)
def test_followers_have_a_record_a_moment_later_and_its_high_watermark_a_fetch_later(release: str) -> None:
    kafka = lifelike(release, brokers=2)
    leader = state_of(kafka).leader
    _client, at_once = sender(kafka, acks=1)
    assert error_of(at_once) == E.NONE
    assert ends(kafka) == {leader: (0, 2), 1 - leader: (0, 0)}
    replicated_ms = until(kafka, lambda: ends(kafka)[1 - leader] == (0, 2))
    assert replicated_ms > 0
    assert ends(kafka)[leader] == (2, 2)
    assert until(kafka, lambda: ends(kafka)[1 - leader] == (2, 2)) > 0


def test_all_replicas_acknowledge_only_when_the_follower_has_the_record() -> None:
    kafka = lifelike("3.9", brokers=2)
    leader = state_of(kafka).leader
    client, at_once = sender(kafka, acks=-1)
    assert at_once == b""
    until(kafka, lambda: ends(kafka)[1 - leader][1] == 2)
    assert error_of(client.receive()) == E.NONE


def test_a_consumer_sees_a_record_only_below_the_high_watermark() -> None:
    kafka = lifelike("2.8", brokers=2)
    leader = state_of(kafka).leader
    sender(kafka, acks=1)
    assert fetched(kafka, 0, FETCH_VERSION, leader)[:2] == (E.NONE, 0)
    assert fetched(kafka, 0, FETCH_VERSION, leader).records == b""
    advance(kafka, TOLD_MS)
    assert fetched(kafka, 0, FETCH_VERSION, leader).high_watermark == 2


def test_new_data_is_fetched_sooner_than_a_high_watermark(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = lifelike("2.8", brokers=2)
    times = {"replicated": 5, "high watermark": 500}
    monkeypatch.setattr(cluster_of(kafka).pace, "delay_ms", lambda event, rules: times[event])
    leader = state_of(kafka).leader
    sender(kafka, acks=1)
    advance(kafka, 6)
    assert ends(kafka) == {leader: (2, 2), 1 - leader: (0, 2)}
    sender(kafka, acks=1)
    advance(kafka, 5)
    assert ends(kafka) == {leader: (4, 4), 1 - leader: (2, 4)}
    advance(kafka, 500)
    assert ends(kafka) == {leader: (4, 4), 1 - leader: (4, 4)}


def test_an_instant_cluster_replicates_at_once() -> None:
    kafka = formed(brokers=2)
    sender(kafka, acks=1)
    assert set(ends(kafka).values()) == {(2, 2)}


# ---- brokers that die


@pytest.mark.parametrize("release", RELEASES)
def test_a_dead_broker_is_noticed_after_its_session(release: str) -> None:
    kafka = lifelike(release)
    leader = state_of(kafka).leader
    other = next(node_id for node_id in range(3) if node_id != leader)
    kafka.kill_broker(leader)
    assert leader_told_by(kafka, other) == (E.NONE, leader)
    assert brokers_told_by(kafka, other) == {0, 1, 2}
    ms = until(kafka, lambda: leader_told_by(kafka, other)[1] != leader)
    assert ms > 1000
    assert brokers_told_by(kafka, other) == {0, 1, 2} - {leader}
    advance(kafka, TOLD_MS)
    assert append_at(kafka, state_of(kafka).leader) == E.NONE


@pytest.mark.parametrize(
    ("release", "name"), [("2.8", "zookeeper.session.timeout.ms"), ("3.9", "broker.session.timeout.ms")]
)
def test_a_shorter_session_is_noticed_sooner(release: str, name: str) -> None:
    def noticed_ms(**config: Any) -> int:
        kafka = lifelike(release, **config)
        leader = state_of(kafka).leader
        kafka.kill_broker(leader)
        return until(kafka, lambda: state_of(kafka).leader != leader)

    usual = noticed_ms()
    assert noticed_ms(**{name.replace(".", "_"): 8500}) < usual


def test_a_clean_stop_of_a_broker_is_noticed_at_once() -> None:
    kafka = lifelike()
    leader = state_of(kafka).leader
    kafka.stop_broker(leader)
    assert state_of(kafka).leader != leader
    assert brokers_told_by(kafka, state_of(kafka).leader) == {0, 1, 2} - {leader}


def test_a_broker_that_returns_within_its_session_has_lost_its_leadership() -> None:
    kafka = lifelike()
    leader = state_of(kafka).leader
    kafka.kill_broker(leader)
    advance(kafka, 100)
    kafka.start_broker(leader)
    assert state_of(kafka).leader != leader
    advance(kafka, SESSION_MS)
    assert set(state_of(kafka).isr) == {0, 1, 2}
    assert not kafka.failures


def test_acknowledgements_wait_for_a_dead_follower_until_its_session_ends() -> None:
    kafka = lifelike("3.9")
    leader = state_of(kafka).leader
    kafka.kill_broker(next(node_id for node_id in range(3) if node_id != leader))
    client, at_once = sender(kafka, acks=-1)
    assert at_once == b""
    advance(kafka, 2000)
    assert client.receive() == b""
    advance(kafka, SESSION_MS)
    assert error_of(client.receive()) == E.NONE
    assert len(state_of(kafka).isr) == 2


def test_a_cluster_whose_last_broker_dies_has_everything_when_it_returns() -> None:
    kafka = lifelike(brokers=2)
    kafka.send("t", b"kept")
    advance(kafka, TOLD_MS)
    leader = state_of(kafka).leader
    kafka.kill_broker(1 - leader)
    kafka.restart(crash=True)
    advance(kafka, SESSION_MS)
    assert values(kafka, leader) == [b"kept"]
    assert set(state_of(kafka).isr) == {0, 1}


def test_a_coordinator_that_has_died_is_named_until_it_is_noticed() -> None:
    kafka = lifelike("2.8", offsets_topic_replication_factor=3, offsets_topic_num_partitions=1)
    asked = FindCoordinatorRequest(key="g")
    answer(kafka, asked, 0, FindCoordinatorResponse)
    advance(kafka, TOLD_MS)
    first = answer(kafka, asked, 0, FindCoordinatorResponse).node_id
    other = next(node_id for node_id in range(3) if node_id != first)
    kafka.kill_broker(first)
    assert answer(kafka, asked, 0, FindCoordinatorResponse, other).node_id == first
    advance(kafka, SESSION_MS)
    assert answer(kafka, asked, 0, FindCoordinatorResponse, other).node_id not in (first, -1)


def test_describe_cluster_names_a_dead_broker_until_it_is_noticed() -> None:
    kafka = lifelike("3.9")
    kafka.kill_broker(2)
    told = answer(kafka, DescribeClusterRequest(), 0, DescribeClusterResponse).brokers
    assert {one.broker_id for one in told} == {0, 1, 2}
    advance(kafka, SESSION_MS)
    told = answer(kafka, DescribeClusterRequest(), 0, DescribeClusterResponse).brokers
    assert {one.broker_id for one in told} == {0, 1}


def test_a_cluster_that_stops_with_undelivered_news_keeps_it() -> None:
    kafka = lifelike()
    _first, second, _ = state_of(kafka).replicas
    kafka.send("t", b"kept")
    advance(kafka, TOLD_MS)
    kafka.elect_leader("t", 0, second)
    kafka.restart()
    advance(kafka, SESSION_MS)
    assert {leader_told_by(kafka, node_id) for node_id in range(3)} == {(E.NONE, state_of(kafka).leader)}
    assert [values(kafka, node_id) for node_id in range(3)] == 3 * [[b"kept"]]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("first", [0, 1])
def test_a_dead_broker_is_not_noticed_when_the_last_one_has_stopped(release: str, first: BrokerId) -> None:
    kafka = lifelike(release, brokers=2)
    kafka.kill_broker(1)
    kafka.stop_broker(0)
    advance(kafka, SESSION_MS)
    kafka.start_broker(first)
    kafka.start_broker(1 - first)
    advance(kafka, SESSION_MS)
    assert set(state_of(kafka).isr) == {0, 1}
    assert append_at(kafka, state_of(kafka).leader) == E.NONE
    assert not kafka.failures


@pytest.mark.parametrize("end", [FakeKafka.stop_broker, FakeKafka.kill_broker])
def test_a_topic_that_is_being_made_when_the_last_broker_goes_is_there_when_it_returns(
    end: Callable[[FakeKafka, BrokerId], None],
) -> None:
    kafka = lifelike(brokers=1)
    leader_told_by(kafka, 0, "new")
    end(kafka, 0)
    advance(kafka, SESSION_MS)
    kafka.start_broker(0)
    advance(kafka, TOLD_MS)
    assert leader_told_by(kafka, 0, "new") == (E.NONE, 0)
    assert not kafka.failures


def test_a_cluster_that_starts_over_has_forgotten_which_broker_died() -> None:
    kafka = lifelike(brokers=2)
    kafka.kill_broker(1)
    cluster = cluster_of(kafka)
    cluster.clear()
    assert set(cluster.brokers_known_to(0)) == {0}


def test_a_cluster_whose_brokers_have_all_gone_starts_over() -> None:
    kafka = lifelike(brokers=2)
    kafka.kill_broker(0)
    kafka.stop_broker(1)
    kafka.reset()
    advance(kafka, SESSION_MS)
    assert leader_told_by(kafka, 0)[0] == E.NONE
    assert not kafka.failures


def test_topics_older_than_topic_ids_have_none() -> None:
    kafka = lifelike("2.3", default_replication_factor=1)
    cluster = cluster_of(kafka)
    assert all(cluster.topic_ids_known_to(node_id) == {} for node_id in range(3))
    until(kafka, lambda: leader_told_by(kafka, cluster.controller_id, "new")[0] == E.NONE)
    assert all(cluster.topic_ids_known_to(node_id) == {} for node_id in range(3))


def test_topic_ids_are_not_listed_again_for_a_broker_that_knows_them_all() -> None:
    kafka = lifelike("3.9")
    cluster = cluster_of(kafka)
    assert cluster.topic_ids_known_to(0) is cluster.topics_by_id
    until(kafka, lambda: leader_told_by(kafka, cluster.controller_id, "new")[0] == E.NONE)
    new = cluster.topics["new"].id
    assert {new in cluster.topic_ids_known_to(node_id) for node_id in range(3)} == {False, True}


def test_brokers_that_did_not_start_do_not_wait_for_news() -> None:
    kafka = lifelike(brokers=2)
    cluster, last = cluster_of(kafka), kafka._runtime.storage
    assert last is not None
    kafka.stop()
    (directory,) = last.directories[1].values()
    directory.directory("not a partition").replace("file", b"")
    with pytest.raises(BrokerWillNotStart):
        kafka.boot()
    assert cluster.news is not None
    assert not cluster.news.is_fresh(0)
