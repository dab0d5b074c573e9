"""KIP-392: a leader with the rack-aware selector sends consumers to a replica in their rack."""

from collections.abc import Iterator

import pytest
from fakekafka import BrokerSettings, FakeKafka, ManualClock
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic, PartitionData
from fakekafka.wire.apis.unregister_broker import UnregisterBrokerRequest, UnregisterBrokerResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import answer

KRAFT = {"process.roles": "broker,controller"}
SELECTOR = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
RACKS = ("east", "west", "west")
VERSION = 11
NOW = 1_600_000_000_000


@pytest.fixture
def kafka() -> Iterator[FakeKafka]:
    """Three brokers; the first leads, all are in sync."""
    config = {"default.replication.factor": 3, "replica.selector.class": SELECTOR}
    brokers = [BrokerSettings(config={"broker.rack": rack}) for rack in RACKS]
    running = FakeKafka("3.9", clock=ManualClock(NOW), config=config, brokers=brokers, topics={"t": 1}).boot()
    running.elect_leader("t", 0, broker=0)
    running.send("t", b"v", timestamp=NOW)
    yield running
    running.stop()


def fetched(kafka: FakeKafka, rack: str, *, broker: int = 0, offset: int = 0, max_wait_ms: int = 0) -> PartitionData:
    asked = FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=1 << 20)
    request = FetchRequest(
        max_wait_ms=max_wait_ms,
        min_bytes=1,
        max_bytes=1 << 20,
        session_epoch=-1,
        topics=[FetchTopic(topic="t", partitions=[asked])],
        rack_id=rack,
    )
    answer = kafka.connect(broker).send(request_frame(request, VERSION, 1, "test"))
    response = read_response(FetchResponse, VERSION, answer[SIZE.size :])[1]
    return response.responses[0].partitions[0]


def test_a_consumer_in_the_rack_of_a_follower_is_sent_there_and_gets_no_records(kafka: FakeKafka) -> None:
    data = fetched(kafka, "west", max_wait_ms=60_000)
    assert (data.preferred_read_replica, data.error_code, data.high_watermark) == (2, 0, 1)
    assert not data.records


def test_a_follower_serves_the_consumers_in_its_rack(kafka: FakeKafka) -> None:
    data = fetched(kafka, "west", broker=2)
    assert (data.preferred_read_replica, data.error_code) == (-1, 0)
    assert data.records


@pytest.mark.parametrize("rack", ["east", "north", ""])
def test_the_leader_serves_consumers_in_its_own_rack_in_an_unknown_one_and_in_none(kafka: FakeKafka, rack: str) -> None:
    data = fetched(kafka, rack)
    assert data.preferred_read_replica == -1
    assert data.records


def test_a_replica_that_does_not_have_the_offset_yet_is_not_named(kafka: FakeKafka) -> None:
    for node_id in (1, 2):
        kafka.pause_replication(node_id)
    kafka.send("t", b"late", timestamp=NOW)
    assert fetched(kafka, "west", offset=2).preferred_read_replica == -1


@pytest.mark.parametrize(("release", "named"), [("3.3.1", 2), ("3.3.2", -1)])
def test_a_replica_that_is_not_in_sync_is_named_before_3_3_2(release: str, named: int) -> None:
    config = {"default.replication.factor": 3, "replica.selector.class": SELECTOR, "replica.lag.time.max.ms": 5_000}
    brokers = [BrokerSettings(config={"broker.rack": rack}) for rack in ("east", "north", "west")]
    clock = ManualClock(NOW)
    kafka = FakeKafka(release, clock=clock, config=config, brokers=brokers, topics={"t": 1}).boot()
    kafka.elect_leader("t", 0, broker=0)
    kafka.pause_replication(2)
    kafka.send("t", b"late", timestamp=NOW)
    clock.advance(5_000)
    assert fetched(kafka, "north").preferred_read_replica == 1
    assert fetched(kafka, "west").preferred_read_replica == named
    kafka.stop()


@pytest.mark.parametrize(
    ("release", "keeper", "named"),
    [
        ("3.3.1", KRAFT, 2),
        ("3.3.1", {"zookeeper.connect": "localhost:2181"}, 1),
        ("3.3.2", KRAFT, 1),
    ],
)
def test_a_broker_that_has_died_is_named_under_kraft_before_3_3_2(
    release: str, keeper: dict[str, str], named: int
) -> None:
    config = {"default.replication.factor": 3, "replica.selector.class": SELECTOR, **keeper}
    brokers = [BrokerSettings(config={"broker.rack": rack}) for rack in RACKS]
    kafka = FakeKafka(release, config=config, brokers=brokers, topics={"t": 1}).boot()
    kafka.elect_leader("t", 0, broker=0)
    kafka.send("t", b"v")
    kafka.kill_broker(2)
    assert fetched(kafka, "west").preferred_read_replica == named
    if keeper == KRAFT:
        answer(kafka, UnregisterBrokerRequest(broker_id=2), 0, UnregisterBrokerResponse)
        assert fetched(kafka, "west").preferred_read_replica == 1
    kafka.stop()


def test_a_broker_that_has_died_is_not_named(kafka: FakeKafka) -> None:
    kafka.kill_broker(2)
    assert fetched(kafka, "west").preferred_read_replica == 1


def test_without_the_selector_the_leader_serves_every_rack() -> None:
    brokers = [BrokerSettings(config={"broker.rack": rack}) for rack in RACKS]
    kafka = FakeKafka("3.9", config={"default.replication.factor": 3}, brokers=brokers, topics={"t": 1}).boot()
    kafka.elect_leader("t", 0, broker=0)
    kafka.send("t", b"v")
    assert fetched(kafka, "west").records
    kafka.stop()
