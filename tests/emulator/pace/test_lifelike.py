"""Clusters that take their time: what clients see meanwhile, and for how long.

Long, since tests mirror modules and `lifelike` paces many events.
"""

import sys
from typing import Literal

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.cluster.cluster import Cluster
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
)
from fakekafka.wire.apis.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
    ReassignablePartition,
    ReassignableTopic,
)
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.end_txn import EndTxnRequest, EndTxnResponse
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchTopic
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.heartbeat import HeartbeatRequest, HeartbeatResponse
from fakekafka.wire.apis.init_producer_id import InitProducerIdRequest, InitProducerIdResponse
from fakekafka.wire.apis.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import answer
from tests.support.seeded import NOW

E = ErrorCode
LONG_MS = 10_000
"""Longer than anything takes."""
SERVES_AT_ONCE = "2.8"
"""The release in which no error was seen between finding the coordinator and its first answer."""
RELEASES = ["0.10.2", "1.1", "2.8", "3.9", "4.3"]


def lifelike(release: str, brokers: int = 1, **config: object) -> FakeKafka:
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, pace="lifelike", brokers=brokers, config=given, clock=ManualClock(NOW))
    return kafka.boot()


def advance(kafka: FakeKafka, ms: int = LONG_MS) -> None:
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(ms)


def cluster_of(kafka: FakeKafka) -> Cluster:
    return kafka.connect().core.cluster


def metadata(kafka: FakeKafka, topic: str = "new") -> tuple[int, list[int]]:
    """The error of a topic, and the leaders of its partitions."""
    request = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    (found,) = answer(kafka, request, 1, MetadataResponse).topics
    return found.error_code, [partition.leader_id for partition in found.partitions]


def found_coordinator(kafka: FakeKafka) -> int:
    return answer(kafka, FindCoordinatorRequest(key="g"), 0, FindCoordinatorResponse).error_code


def heartbeat(kafka: FakeKafka, node_id: BrokerId = 0) -> int:
    request = HeartbeatRequest(group_id="g", generation_id=0, member_id="nobody")
    return answer(kafka, request, 0, HeartbeatResponse, node_id).error_code


@pytest.mark.parametrize(("release", "meanwhile"), [*((r, 5) for r in RELEASES[:3]), *((r, 3) for r in RELEASES[3:])])
def test_a_topic_that_a_client_asks_for_has_a_leader_a_moment_later(release: str, meanwhile: int) -> None:
    kafka = lifelike(release)
    assert metadata(kafka) == (meanwhile, [])
    assert metadata(kafka) == (meanwhile, [])
    advance(kafka, 1)
    assert metadata(kafka) == (meanwhile, [])
    advance(kafka)
    assert metadata(kafka) == (E.NONE, [0])


def test_nothing_waits_in_an_instant_cluster() -> None:
    kafka = FakeKafka("2.8", clock=ManualClock(NOW)).boot()
    assert metadata(kafka) == (5, [])
    assert metadata(kafka) == (E.NONE, [0])
    assert found_coordinator(kafka) == E.NONE
    assert heartbeat(kafka) == E.UNKNOWN_MEMBER_ID
    assert cluster_of(kafka).pace is None


def first_leader_ms(kafka: FakeKafka) -> int:
    """How long a new topic takes."""
    metadata(kafka)
    for ms in range(LONG_MS):
        if metadata(kafka)[0] == E.NONE:
            return ms
        advance(kafka, 1)
    raise AssertionError("it never has a leader")


def test_two_runs_take_the_same_time() -> None:
    assert first_leader_ms(lifelike("3.9")) == first_leader_ms(lifelike("3.9"))


def test_different_topics_take_different_times() -> None:
    kafka = lifelike("3.9")
    times = set()
    for n in range(5):
        metadata(kafka, f"t{n}")
        (deadline,) = [kafka._runtime.next_deadline_ms()]
        times.add(None if deadline is None else deadline - cluster_of(kafka).clock.elapsed_ms)
        advance(kafka)
    assert len(times) > 1


def test_the_pace_does_not_change_other_random_choices() -> None:
    assert cluster_of(lifelike("3.9")).id == cluster_of(FakeKafka("3.9", clock=ManualClock(NOW)).boot()).id


@pytest.mark.parametrize("release", ["0.11.0", "2.8"])
def test_create_topics_under_zookeeper_is_answered_when_there_are_leaders(release: str) -> None:
    kafka = lifelike(release)
    client = kafka.connect()
    request = CreateTopicsRequest(topics=[new_topic("new")], timeout_ms=LONG_MS)
    assert client.send(request_frame(request, 2, 1, "test")) == b""
    assert metadata(kafka)[0] == 5
    advance(kafka)
    created = read_response(CreateTopicsResponse, 2, client.receive()[SIZE.size :])[1]
    assert [topic.error_code for topic in created.topics] == [E.NONE]
    assert metadata(kafka) == (E.NONE, [0])


def test_create_topics_with_a_short_timeout_gets_error_7_and_the_topic_is_made() -> None:
    kafka = lifelike("2.8")
    request = CreateTopicsRequest(topics=[new_topic("new")], timeout_ms=1)
    client = kafka.connect()
    client.send(request_frame(request, 2, 1, "test"))
    advance(kafka, 1)
    (created,) = read_response(CreateTopicsResponse, 2, client.receive()[SIZE.size :])[1].topics
    assert created.error_code == E.REQUEST_TIMED_OUT
    advance(kafka)
    assert metadata(kafka) == (E.NONE, [0])


def test_create_topics_without_a_timeout_is_answered_at_once() -> None:
    kafka = lifelike("2.8")
    request = CreateTopicsRequest(topics=[new_topic("new")], timeout_ms=0)
    (created,) = answer(kafka, request, 2, CreateTopicsResponse).topics
    assert created.error_code == E.REQUEST_TIMED_OUT


def test_create_topics_under_kraft_is_answered_by_the_controllers() -> None:
    kafka = lifelike("4.3")
    client = kafka.connect()
    assert client.send(request_frame(CreateTopicsRequest(topics=[new_topic("new")], timeout_ms=1), 2, 1, "test")) == b""
    advance(kafka)
    (created,) = read_response(CreateTopicsResponse, 2, client.receive()[SIZE.size :])[1].topics
    assert created.error_code == E.NONE
    assert metadata(kafka) == (E.NONE, [0])


def new_topic(name: str) -> CreatableTopic:
    return CreatableTopic(name=name, num_partitions=1, replication_factor=1)


@pytest.mark.parametrize("release", [r for r in RELEASES if r != SERVES_AT_ONCE])
def test_a_coordinator_is_found_when_the_offsets_topic_is_made_and_serves_later(release: str) -> None:
    kafka = lifelike(release)
    assert found_coordinator(kafka) == E.COORDINATOR_NOT_AVAILABLE
    assert found_coordinator(kafka) == E.COORDINATOR_NOT_AVAILABLE
    while found_coordinator(kafka):
        advance(kafka, 1)
    assert heartbeat(kafka) == E.NOT_COORDINATOR
    advance(kafka)
    assert heartbeat(kafka) == E.UNKNOWN_MEMBER_ID


@pytest.mark.parametrize(
    ("release", "meanwhile"), [("2.8", E.COORDINATOR_LOAD_IN_PROGRESS), ("4.3", E.NOT_COORDINATOR)]
)
def test_transactional_ids_are_served_some_time_after_their_coordinator_is_found(release: str, meanwhile: int) -> None:
    kafka = lifelike(release)
    while answer(kafka, FindCoordinatorRequest(key="x", key_type=1), 1, FindCoordinatorResponse).error_code:
        advance(kafka, 1)
    assert initialised(kafka).error_code == meanwhile
    advance(kafka)
    assert initialised(kafka).error_code == E.NONE


def initialised(kafka: FakeKafka) -> InitProducerIdResponse:
    request = InitProducerIdRequest(transactional_id="x", transaction_timeout_ms=60_000)
    return answer(kafka, request, 0, InitProducerIdResponse)


@pytest.mark.parametrize("release", ["1.1", "2.8", "3.9", "4.3"])
@pytest.mark.parametrize("committed", [True, False])
def test_markers_are_written_after_the_answer_to_end_txn(release: str, committed: bool) -> None:
    kafka = lifelike(release)
    kafka.create_topic("t")
    answer(kafka, FindCoordinatorRequest(key="x", key_type=1), 1, FindCoordinatorResponse)
    advance(kafka)
    producer = initialised(kafka)

    def add() -> int:
        request = AddPartitionsToTxnRequest(
            v3_and_below_transactional_id="x",
            v3_and_below_producer_id=producer.producer_id,
            v3_and_below_producer_epoch=producer.producer_epoch,
            v3_and_below_topics=[AddPartitionsToTxnTopic(name="t", partitions=[0])],
        )
        (topic,) = answer(kafka, request, 0, AddPartitionsToTxnResponse).results_by_topic_v3_and_below
        return topic.results_by_partition[0].partition_error_code

    def end() -> int:
        who = {"producer_id": producer.producer_id, "producer_epoch": producer.producer_epoch}
        request = EndTxnRequest(transactional_id="x", committed=committed, **who)
        return answer(kafka, request, 0, EndTxnResponse).error_code

    assert add() == E.NONE
    assert end() == E.NONE
    assert add() == E.CONCURRENT_TRANSACTIONS
    assert end() == E.CONCURRENT_TRANSACTIONS
    partition = cluster_of(kafka).brokers[0].partitions["t", 0]
    assert partition.log.log_end_offset == 0
    advance(kafka)
    assert partition.log.log_end_offset == 1
    assert add() == E.NONE


@pytest.mark.parametrize("release", ["1.1", "4.3"])
def test_a_coordinator_that_takes_over_serves_its_groups_some_time_later(release: str) -> None:
    kafka = lifelike(release, brokers=2, offsets_topic_replication_factor=2, offsets_topic_num_partitions=1)
    found_coordinator(kafka)
    advance(kafka)
    topic = cluster_of(kafka).topics["__consumer_offsets"]
    first = topic.partitions[0].leader
    other = 1 - first
    kafka.kill_broker(first)
    while topic.partitions[0].leader == first:
        advance(kafka, 1)
    assert topic.partitions[0].leader == other
    assert heartbeat(kafka, other) == E.NOT_COORDINATOR
    advance(kafka)
    assert heartbeat(kafka, other) == E.UNKNOWN_MEMBER_ID


def test_a_topic_that_the_test_itself_creates_is_there_at_once() -> None:
    kafka = lifelike("2.8")
    kafka.create_topic("mine", 2)
    assert metadata(kafka, "mine") == (E.NONE, [0, 0])


def test_a_topic_that_is_deleted_while_it_is_made_does_not_come_back() -> None:
    kafka = lifelike("2.8", auto_create_topics_enable=False)
    client = kafka.connect()
    client.send(request_frame(CreateTopicsRequest(topics=[new_topic("new")], timeout_ms=LONG_MS), 2, 1, "test"))
    kafka.delete_topic("new")
    advance(kafka)
    assert metadata(kafka) == (E.UNKNOWN_TOPIC_OR_PARTITION, [])


def test_a_topic_that_is_deleted_and_created_again_meanwhile_takes_its_own_time() -> None:
    kafka = lifelike("2.8")
    metadata(kafka)
    advance(kafka, 1)
    kafka.delete_topic("new")
    metadata(kafka)
    advance(kafka)
    assert metadata(kafka) == (E.NONE, [0])


def test_a_topic_that_the_test_creates_is_not_hidden_by_one_that_a_client_asked_for() -> None:
    kafka = lifelike("2.8")
    metadata(kafka)
    kafka.delete_topic("new")
    kafka.create_topic("new", 2)
    assert metadata(kafka) == (E.NONE, [0, 0])


def test_a_reset_forgets_topics_that_were_being_made() -> None:
    kafka = lifelike("2.8")
    metadata(kafka)
    kafka.reset()
    advance(kafka)
    assert kafka.topics() == {}


@pytest.mark.parametrize("crash", [False, True])
def test_a_topic_that_is_made_while_the_cluster_stops_is_there_afterwards(crash: bool) -> None:
    kafka = lifelike("2.8")
    metadata(kafka)
    kafka.restart(crash=crash)
    advance(kafka)
    assert metadata(kafka) == (E.NONE, [0])
    assert metadata(kafka, "another") == (5, [])
    assert metadata(kafka, "another") == (5, [])


def test_partitions_are_led_by_brokers_that_run_when_the_topic_is_made() -> None:
    kafka = lifelike("3.9", brokers=2, default_replication_factor=2)
    metadata(kafka)
    kafka.kill_broker(1)
    advance(kafka)
    assert metadata(kafka) == (E.NONE, [0])


@pytest.mark.parametrize(("pace", "delay_ms"), [("instant", 0), ("lifelike", 3000)])
def test_groups_wait_for_members_by_kafkas_default(pace: Literal["instant", "lifelike"], delay_ms: int) -> None:
    kafka = FakeKafka("2.8", pace=pace, clock=ManualClock(NOW)).boot()
    name = "group.initial.rebalance.delay.ms"
    assert cluster_of(kafka).brokers[0].config.int(name) == delay_ms
    assert (name in {difference.what for difference in kafka.explain()}) is (pace == "instant")


def test_a_release_without_the_initial_rebalance_delay_starts_in_a_lifelike_pace() -> None:
    assert metadata(lifelike("0.10.2"))[0] == 5


def test_explain_lists_what_is_paced_and_keeps_only_what_is_not() -> None:
    instant = {difference.what for difference in FakeKafka("2.8").explain()}
    paced = {difference.what for difference in FakeKafka("2.8", pace="lifelike").explain()}
    assert paced - instant == {"what takes time"}
    assert paced & instant >= {"a broker that has just started"}
    assert instant - paced == {
        "group.initial.rebalance.delay.ms",
        "FindCoordinator before the internal topic exists",
        "markers of a transaction",
        "idle connections",
    }


def test_explain_of_several_lifelike_brokers_has_what_stays_instant() -> None:
    instant = {difference.what for difference in FakeKafka("3.9", brokers=3).explain()}
    paced = {difference.what for difference in FakeKafka("3.9", brokers=3, pace="lifelike").explain()}
    assert {"replication", "a broker that dies", "leaders, and who is in sync"} <= instant - paced
    assert not any(name in paced for name in ("replication", "a broker that dies", "leaders, and who is in sync"))


def test_a_wrong_pace_is_refused_with_the_right_ones() -> None:
    with pytest.raises(UsageError, match="pace='fast': use one of instant, lifelike"):
        FakeKafka("2.8", pace="fast")  # type: ignore[arg-type]


def moving(kafka: FakeKafka, replicas: list[BrokerId] | None) -> int:
    part = ReassignablePartition(partition_index=0, replicas=replicas)
    request = AlterPartitionReassignmentsRequest(topics=[ReassignableTopic(name="t", partitions=[part])])
    found = answer(kafka, request, 0, AlterPartitionReassignmentsResponse)
    error: int = found.responses[0].partitions[0].error_code
    return error


def listed(kafka: FakeKafka) -> list[tuple[list[BrokerId], list[BrokerId]]]:
    """What is added to partitions, and removed from them."""
    found = answer(kafka, ListPartitionReassignmentsRequest(topics=None), 0, ListPartitionReassignmentsResponse)
    return [(p.adding_replicas, p.removing_replicas) for topic in found.topics for p in topic.partitions]


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.9", "4.3"])
def test_a_reassignment_is_listed_before_it_is_over(release: str) -> None:
    kafka = lifelike(release, brokers=2)
    kafka.create_topic("t")
    (state,) = cluster_of(kafka).topics["t"].partitions
    (before,) = state.replicas
    assert moving(kafka, [1 - before]) == E.NONE
    assert listed(kafka) == [([1 - before], [before])]
    assert state.leader == before
    kafka.send("t", b"meanwhile")
    advance(kafka)
    assert listed(kafka) == []
    assert (state.replicas, state.leader, state.isr) == ([1 - before], 1 - before, [1 - before])
    assert [record.value for record in kafka.records("t")] == [b"meanwhile"]
    assert not kafka.failures


def test_a_reassignment_that_takes_its_time_can_be_cancelled() -> None:
    kafka = lifelike("3.9", brokers=2)
    kafka.create_topic("t")
    (state,) = cluster_of(kafka).topics["t"].partitions
    (before,) = state.replicas
    moving(kafka, [1 - before])
    assert moving(kafka, None) == E.NONE
    assert listed(kafka) == []
    advance(kafka)
    assert (state.replicas, state.leader) == ([before], before)


def test_a_move_after_a_cancelled_one_takes_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = lifelike("3.9", brokers=2)
    kafka.create_topic("t")
    cluster = cluster_of(kafka)
    monkeypatch.setattr(cluster.pace, "delay_ms", lambda event, rules: 1000)
    (before,) = cluster.topics["t"].partitions[0].replicas
    moving(kafka, [1 - before])
    moving(kafka, None)
    advance(kafka, 600)
    moving(kafka, [1 - before])
    advance(kafka, 600)
    assert listed(kafka) == [([1 - before], [before])], "the first move would be over now"
    advance(kafka)
    assert listed(kafka) == []


@pytest.mark.parametrize("crash", [False, True])
def test_a_reassignment_that_a_stop_interrupts_comes_to_its_end(crash: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.pace.lifelike._drawn", lambda known, random: known.high_ms)
    kafka = lifelike("4.3", brokers=2)
    kafka.create_topic("t")
    (state,) = cluster_of(kafka).topics["t"].partitions
    (before,) = state.replicas
    moving(kafka, [1 - before])
    while 1 - before not in state.isr:
        advance(kafka, 1)
    assert listed(kafka) == [([1 - before], [before])]
    kafka.restart(crash=crash)
    advance(kafka)
    assert listed(kafka) == []
    assert cluster_of(kafka).topics["t"].partitions[0].replicas == [1 - before]


def test_a_topic_that_is_deleted_during_its_reassignment_stays_deleted() -> None:
    kafka = lifelike("3.9", brokers=2)
    kafka.create_topic("t")
    (before,) = cluster_of(kafka).topics["t"].partitions[0].replicas
    moving(kafka, [1 - before])
    kafka.delete_topic("t")
    advance(kafka)
    assert listed(kafka) == []
    assert not kafka.failures


def test_a_reassignment_is_over_at_once_in_an_instant_cluster() -> None:
    kafka = FakeKafka("3.9", brokers=2, topics={"t": 1}, clock=ManualClock(NOW)).boot()
    (before,) = cluster_of(kafka).topics["t"].partitions[0].replicas
    moving(kafka, [1 - before])
    assert listed(kafka) == []


def test_an_idle_connection_is_closed() -> None:
    kafka = lifelike("3.9", connections_max_idle_ms=60_000)
    idle, busy = kafka.connect(), kafka.connect()
    frame = request_frame(MetadataRequest(topics=[]), 1, 1, "test")
    advance(kafka, 59_999)
    assert busy.send(frame)
    assert not is_closed(idle)
    advance(kafka, 1)
    assert is_closed(idle)
    assert not is_closed(busy)
    advance(kafka, 59_999)
    assert is_closed(busy)


def test_a_connection_that_is_answered_is_not_idle() -> None:
    """The Fetch waits for 50 s, and the connection is open for another minute."""
    kafka = lifelike("3.9", connections_max_idle_ms=60_000)
    kafka.create_topic("t")
    advance(kafka, 1000)
    client = kafka.connect()
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000)
    fetch = FetchRequest(max_wait_ms=50_000, min_bytes=1, topics=[FetchTopic(topic="t", partitions=[partition])])
    assert client.send(request_frame(fetch, 4, 1, "test")) == b""
    advance(kafka, 50_000)
    assert client.receive()
    advance(kafka, 59_999)
    assert not is_closed(client)
    advance(kafka, 1)
    assert is_closed(client)


def test_a_connection_that_is_closed_is_not_kept() -> None:
    kafka = lifelike("3.9", connections_max_idle_ms=60_000)
    client = kafka.connect()
    kept = sys.getrefcount(client.connection)
    client.disconnect()
    assert sys.getrefcount(client.connection) < kept


@pytest.mark.parametrize(("pace", "idle_ms"), [("instant", 1000), ("lifelike", -1)])
def test_an_idle_connection_stays_open_in_an_instant_cluster_or_without_a_limit(
    pace: Literal["instant", "lifelike"], idle_ms: int
) -> None:
    config = {"connections.max.idle.ms": idle_ms}
    kafka = FakeKafka("3.9", pace=pace, config=config, clock=ManualClock(NOW)).boot()
    client = kafka.connect()
    advance(kafka, 3_600_000)
    assert not is_closed(client)


def is_closed(client: MemoryClient) -> bool:
    client.receive()
    return client.closed
