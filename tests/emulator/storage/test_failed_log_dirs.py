"""Log directories that fail: what a broker does without them, and what it answers (KIP-112, KIP-858)."""

import shutil
from pathlib import Path

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart, ErrorCode
from fakekafka.log import names
from fakekafka.log.faulty_files import DiskFaults, FaultyDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.records import v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.delete_records import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsResponse,
    DeleteRecordsTopic,
)
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataRequestTopic, MetadataResponse
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData

from tests.emulator.storage.two_directories import TWO, broker_of, described, move, placed, started, values
from tests.support.brokers import answer
from tests.support.seeded import NOW

KRAFT: dict[str, object] = {"process_roles": "broker,controller"}
ZOOKEEPER: dict[str, object] = {"zookeeper_connect": "localhost:2181"}
STORAGE = ErrorCode.KAFKA_STORAGE_ERROR


def breakable(monkeypatch: pytest.MonkeyPatch, number: int) -> DiskFaults:
    """What goes wrong with the directory of that number, of the test's brokers."""
    faults = DiskFaults()
    made: list[MemoryDirectory] = []

    def make() -> FaultyDirectory:
        made.append(MemoryDirectory())
        return FaultyDirectory(made[-1], faults if (len(made) - 1) % 2 == number else DiskFaults())

    monkeypatch.setattr("fakekafka.runtime.assembly.MemoryDirectory", make)
    return faults


@pytest.fixture
def first(monkeypatch: pytest.MonkeyPatch) -> DiskFaults:
    """What goes wrong with the first directory of the test's brokers."""
    return breakable(monkeypatch, 0)


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> DiskFaults:
    """What goes wrong with the second directory of the test's brokers."""
    return breakable(monkeypatch, 1)


def produced(kafka: FakeKafka, topic: str, version: int) -> int:
    build = v1.build if version < 3 else v2.build
    data = PartitionProduceData(index=0, records=bytearray(build([Record(0, NOW, 0, None, b"x" * 100)])))
    request = ProduceRequest(acks=1, timeout_ms=1000, topic_data=[TopicProduceData(name=topic, partition_data=[data])])
    return answer(kafka, request, version, ProduceResponse).responses[0].partition_responses[0].error_code


def fetched(kafka: FakeKafka, topic: str, version: int) -> int:
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000)
    topics = [FetchTopic(topic=topic, partitions=[partition])]
    request = FetchRequest(replica_id=-1, max_wait_ms=0, min_bytes=0, max_bytes=1000, topics=topics)
    return answer(kafka, request, version, FetchResponse).responses[0].partitions[0].error_code


def epoch_ended(kafka: FakeKafka, topic: str, version: int) -> int:
    asked = OffsetForLeaderTopic(topic=topic, partitions=[OffsetForLeaderPartition(partition=0, leader_epoch=0)])
    request = OffsetForLeaderEpochRequest(replica_id=-2, topics=[asked])
    return answer(kafka, request, version, OffsetForLeaderEpochResponse).topics[0].partitions[0].error_code


def deleted(kafka: FakeKafka, topic: str) -> int:
    asked = DeleteRecordsTopic(name=topic, partitions=[DeleteRecordsPartition(partition_index=0, offset=0)])
    request = DeleteRecordsRequest(topics=[asked], timeout_ms=1000)
    return answer(kafka, request, 0, DeleteRecordsResponse).topics[0].partitions[0].error_code


def known(kafka: FakeKafka, topic: str) -> tuple[int, int, list[int]]:
    """What Metadata says about a partition: an error, the leader, the offline replicas."""
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    (partition,) = answer(kafka, asked, 5, MetadataResponse).topics[0].partitions
    return partition.error_code, partition.leader_id, partition.offline_replicas


def lose(kafka: FakeKafka, number: int) -> None:
    """The log directory of that number has an I/O error."""
    broker = broker_of(kafka)
    error = OSError(5, "Input/output error")
    kafka._on_loop(lambda: broker.logs.on_disk_error(error, log_dir=broker.log_dirs.all[number]))


@pytest.mark.parametrize("release", ["1.0", "2.3", "3.9", "4.0"])
def test_a_directory_that_fails_goes_offline_and_the_others_go_on(release: str, second: DiskFaults) -> None:
    kafka = started(release)
    kafka.send("t0", b"kept")
    second.space = 50
    assert produced(kafka, "t1", 7 if release > "2" else 5) == STORAGE
    assert kafka.brokers() != {}
    assert produced(kafka, "t1", 3) == (ErrorCode.NOT_LEADER_OR_FOLLOWER if release < "2.6" else STORAGE)
    assert produced(kafka, "t3", 4) == STORAGE
    assert fetched(kafka, "t3", 6) == STORAGE
    assert fetched(kafka, "t3", 5) == ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert produced(kafka, "t0", 4) == 0
    assert [result.error_code for result in described(kafka).results] == [0, STORAGE]
    assert placed(kafka) == {"/one": ["t0", "t2"], "/two": []}
    assert known(kafka, "t1") == (5, -1, [0])
    # asked of 2.3.1, 3.6.2 under ZooKeeper, 3.9.1 and 4.3.1
    assert (epoch_ended(kafka, "t1", 0 if release < "2" else 2), deleted(kafka, "t1")) == (STORAGE, STORAGE)
    assert move(kafka, "t0", "/two") == STORAGE
    kafka.create_topic("new")
    assert broker_of(kafka).log_dirs.of("new", 0).path == "/one"
    second.space = None
    kafka.restart()
    assert produced(kafka, "t1", 4) == 0
    assert not kafka.failures
    kafka.stop()


@pytest.mark.parametrize(
    ("release", "config", "told"),
    [
        ("3.3", KRAFT, False),  # asked of 3.3.2
        ("3.6", KRAFT, False),  # asked of 3.6.2
        ("3.6", ZOOKEEPER, True),  # asked of 3.6.2 under ZooKeeper
        ("3.7", KRAFT, True),  # asked of 3.7.2
    ],
)
def test_before_3_7_controllers_of_a_quorum_do_not_know_what_a_directory_took_with_it(
    release: str, config: dict[str, object], told: bool
) -> None:
    kafka = started(release, 4, **config)
    lose(kafka, 1)
    assert known(kafka, "t1") == ((5, -1, [0]) if told else (0, 0, []))
    assert (produced(kafka, "t1", 7), fetched(kafka, "t1", 6)) == (STORAGE, STORAGE)
    assert (fetched(kafka, "t1", 5), epoch_ended(kafka, "t1", 3)) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, STORAGE)
    assert (deleted(kafka, "t1"), produced(kafka, "t0", 7)) == (STORAGE, 0)
    kafka.stop()


@pytest.mark.parametrize(
    ("release", "config", "halts"),
    [
        ("3.5", KRAFT, False),  # asked of 3.5.2
        ("3.6", KRAFT, True),  # asked of 3.6.2
        ("3.6", ZOOKEEPER, False),  # 3.6.2 under ZooKeeper was not asked, 2.3.1 was
        ("4.3", KRAFT, True),  # asked of 4.3.1, as the next row, which is the recordings' own configuration
        ("4.3", {**KRAFT, "metadata_log_dir": "/elsewhere"}, False),
    ],
)
def test_from_3_6_a_broker_halts_with_the_directory_of_the_metadata(
    release: str, config: dict[str, object], halts: bool
) -> None:
    kafka = started(release, 4, **config)
    lose(kafka, 0)
    assert (kafka.brokers() == {}) is halts
    kafka.stop()


def test_the_directory_of_the_metadata_must_be_readable_at_the_start(first: DiskFaults) -> None:
    kafka = started("4.3")
    for name in ("t0", "t1"):
        kafka.send(name, b"value")
    kafka.stop(crash=True)
    first.unreadable.add(names.of_offset(0, names.LOG))
    with pytest.raises(BrokerWillNotStart, match="Error while loading log dir /one"):
        kafka.boot()


def test_a_cluster_whose_first_directory_is_gone_goes_on_and_stops(tmp_path: Path) -> None:
    clock = ManualClock(NOW)
    kafka = FakeKafka("2.3", log_dir=[tmp_path / "one", tmp_path / "two"], clock=clock, topics={"t": 2}).start()
    lose(kafka, 0)
    shutil.rmtree(tmp_path / "one")
    kafka.create_topic("later")
    clock.advance(10_000)
    kafka.send("later", b"value")
    assert values(kafka, "later") == [b"value"]
    assert kafka.failures == ()
    kafka.stop()


@pytest.mark.parametrize("release", ["1.0", "2.3", "4.1"])
def test_a_search_by_time_fails_only_for_logs_that_cannot_be_read(release: str, second: DiskFaults) -> None:
    kafka = started(release)
    for name in ("t0", "t1"):
        kafka.send(name, b"value")
    second.unreadable.add(names.of_offset(0, names.LOG))
    asked = [ListOffsetsPartition(partition_index=0, timestamp=1)]
    topics = [ListOffsetsTopic(name=name, partitions=asked) for name in ("t0", "t1")]
    found = answer(kafka, ListOffsetsRequest(replica_id=-1, topics=topics), 2, ListOffsetsResponse)
    assert {topic.name: topic.partitions[0].error_code for topic in found.topics} == {"t0": 0, "t1": STORAGE}
    assert broker_of(kafka).offline == {("t1", 0), ("t3", 0)}
    kafka.stop()


def test_a_directory_whose_logs_cannot_be_flushed_goes_offline(second: DiskFaults) -> None:
    kafka = started("2.3", log_flush_interval_ms=1000)
    for name in ("t0", "t1"):
        kafka.send(name, b"value")
    second.space = 0
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(120_000)
    assert broker_of(kafka).offline == {("t1", 0), ("t3", 0)}
    assert values(kafka, "t0") == [b"value"]
    kafka.stop()


def test_the_last_directory_takes_the_broker_with_it(second: DiskFaults) -> None:
    kafka = started("2.3")
    second.space = 50
    assert produced(kafka, "t1", 7) == STORAGE
    broker = broker_of(kafka)
    first = broker.log_dirs.all[0]
    kafka._on_loop(lambda: broker.logs.on_disk_error(OSError(5, "Input/output error"), log_dir=first))
    assert kafka.brokers() == {}
    kafka.stop()


def test_before_1_0_any_directory_takes_the_broker_with_it(second: DiskFaults) -> None:
    kafka = started("0.11.0")
    second.space = 50
    with pytest.raises(Exception, match="unpack"):  # nothing is answered
        produced(kafka, "t1", 3)
    assert kafka.brokers() == {}
    kafka.stop()


def test_a_directory_that_cannot_be_read_at_the_start_is_offline(second: DiskFaults) -> None:
    kafka = started("2.3")
    kafka.send("t0", b"first")
    kafka.send("t1", b"second")
    kafka.stop(crash=True)
    second.unreadable.add(names.of_offset(0, names.LOG))
    kafka.boot()
    assert values(kafka, "t0") == [b"first"]
    assert produced(kafka, "t1", 7) == STORAGE
    assert produced(kafka, "t3", 7) == STORAGE
    second.unreadable.clear()
    kafka.restart()
    assert values(kafka, "t1") == [b"second"]
    kafka.stop()


def test_another_broker_leads_the_partitions_that_one_has_lost(second: DiskFaults) -> None:
    config = TWO | {"default.replication.factor": 2}
    kafka = FakeKafka("2.3", brokers=2, config=config, clock=ManualClock(NOW)).boot()
    for name in ("t0", "t1"):
        kafka.create_topic(name)
        kafka.send(name, b"value")
    cluster = kafka._running.cluster
    broker, lost = cluster.brokers[0], cluster.brokers[0].log_dirs.all[1]
    led = [t.name for t in cluster.topics.values() if broker.log_dirs.of(t.name, 0) is lost]
    kafka._on_loop(lambda: broker.logs.on_disk_error(OSError(5, "Input/output error"), log_dir=lost))
    assert led
    for name in led:
        state = cluster.topics[name].partitions[0]
        assert (state.leader, state.isr) == (1, [1])
        assert [record.value for record in kafka.records(name)] == [b"value"]
    kafka.stop()
