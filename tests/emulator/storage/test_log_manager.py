"""The logs of a broker: stops, crashes, and what happens to the broker when its disk fails."""

from pathlib import Path
from shutil import rmtree

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import BrokerWillNotStart, ErrorCode
from fakekafka.ids import Buffer
from fakekafka.log import names
from fakekafka.log.faulty_files import DiskFaults, FaultyDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.names import CLUSTER_FILE
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.create_topics import CreatableTopic, CreateTopicsRequest, CreateTopicsResponse
from fakekafka.wire.apis.fetch import FetchPartition, FetchRequest, FetchResponse, FetchTopic
from fakekafka.wire.apis.list_offsets import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsResponse,
    ListOffsetsTopic,
)
from fakekafka.wire.apis.produce import PartitionProduceData, ProduceRequest, ProduceResponse, TopicProduceData
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer, ask

STORAGE, NOT_LEADER = ErrorCode.KAFKA_STORAGE_ERROR, ErrorCode.NOT_LEADER_OR_FOLLOWER
HALTING = ["0.8.2", "0.10.2", "0.11.0"]
ANSWERING = ["1.0", "2.3", "3.9", "4.1"]


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> DiskFaults:
    """What goes wrong with the disk of every broker of the test."""
    found = DiskFaults()
    monkeypatch.setattr("fakekafka.runtime.assembly.MemoryDirectory", lambda: FaultyDirectory(MemoryDirectory(), found))
    return found


def started(release: str, **config: object) -> FakeKafka:
    """A broker with a topic `t` that has three records."""
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(release, config=given, clock=ManualClock()).boot()
    kafka.create_topic("t")
    for value in (b"0", b"1", b"2"):
        kafka.send("t", value)
    return kafka


def values(kafka: FakeKafka) -> list[bytes | None]:
    return [record.value for record in kafka.records("t")]


def one(magic: int, value: bytes) -> Buffer:
    return bytearray((v0.build, v1.build, v2.build)[magic]([Record(0, 1000, 0, None, value)]))


def produce(version: int) -> ProduceRequest:
    data = PartitionProduceData(index=0, records=one(0 if version < 2 else 1 if version < 3 else 2, b"x" * 100))
    topic = TopicProduceData(name="t", partition_data=[data])
    return ProduceRequest(acks=1, timeout_ms=1000, topic_data=[topic])


def fetch() -> FetchRequest:
    partition = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=1000)
    topic = FetchTopic(topic="t", partitions=[partition])
    return FetchRequest(replica_id=-1, max_wait_ms=0, min_bytes=0, max_bytes=1000, topics=[topic])


# ---------------------------------------------------------------- stops and crashes


@pytest.mark.parametrize("release", ["0.8.0", "0.9.0", "0.11.0", "2.3", "4.1"])
def test_a_killed_process_loses_nothing(release: str) -> None:
    kafka = started(release).restart(crash=True)
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.1"])
def test_a_machine_that_goes_down_loses_what_was_not_flushed(release: str) -> None:
    kafka = started(release).restart(crash=True, unsynced="lost")
    assert values(kafka) == []
    kafka.stop()
    kafka = started(release, log_flush_interval_messages=1).restart(crash=True, unsynced="lost")
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


def test_a_random_part_of_unsynced_bytes_survives_and_is_repeatable() -> None:
    left = []
    for _ in range(2):
        kafka = started("2.3").restart(crash=True, unsynced="some")
        left.append(values(kafka))
        assert left[-1] == [b"0", b"1", b"2"][: len(left[-1])]
        kafka.stop()
    assert left[0] == left[1]


# ---------------------------------------------------------------- memory equals disk


def lead_a_life(kafka: FakeKafka) -> None:
    """Several segments, restarts, a compacted topic, one that is deleted, time that passes."""
    assert isinstance(kafka.clock, ManualClock)
    size = "internal.segment.bytes" if kafka.release.startswith("4") else "segment.bytes"
    small = {size: "300", "index.interval.bytes": "50", "segment.index.bytes": "240"}
    kafka.create_topic("t", 2, small)
    kafka.create_topic("gone")
    kafka.create_topic("c", config=small | {"cleanup.policy": "compact"})
    for n in range(30):
        kafka.send("t", b"v" * (n + 5), key=b"%d" % n)
        kafka.send("c", b"%d" % n, key=b"%d" % (n % 3))
        kafka.clock.advance(700)
    kafka.compact("c", roll=True)
    kafka.delete_topic("gone")
    kafka.restart()
    kafka.send("t", b"after a stop")
    kafka.clock.advance(40_000)
    kafka.restart(crash=True)
    kafka.send("t", b"after a crash", partition=1)


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """The length and content of each file, without zeros at the end."""
    files = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {path.relative_to(folder).as_posix(): (len(data), data.rstrip(b"\0")) for path, data in files.items()}


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("release", ["0.8.2", "0.10.2", "0.11.0", "1.1", "2.3", "2.8", "3.9", "4.1"])
def test_files_saved_from_memory_are_those_that_would_be_on_disk(release: str, stopped: bool, tmp_path: Path) -> None:
    config = {"log.cleaner.enable": "true"}
    clocks = [ManualClock(1_600_000_000_000) for _ in range(2)]
    in_memory = FakeKafka(release, config=config, clock=clocks[0]).boot()
    on_disk = FakeKafka(release, config=config, clock=clocks[1], log_dir=tmp_path / "disk").boot()
    for kafka in (in_memory, on_disk):
        lead_a_life(kafka)
        if stopped:
            kafka.stop()
    in_memory.save(tmp_path / "saved")
    if not stopped:
        on_disk.stop(crash=True)
    saved, written = tree(tmp_path / "saved"), tree(tmp_path / "disk")
    assert set(saved) == set(written)
    different = [name for name in saved if saved[name] != written[name] and name != CLUSTER_FILE]
    assert different == []
    again = FakeKafka.load(tmp_path / "saved", release, clock=ManualClock(1_600_000_100_000)).boot()
    assert [record.value for record in again.records("t")][-1] == b"after a crash"
    again.stop()
    in_memory.stop()


# ---------------------------------------------------------------- the disk fails


@pytest.mark.parametrize(
    ("release", "version", "error"),
    [(release, version, STORAGE) for release in ANSWERING for version in (4, 5)]
    + [
        ("1.0", 3, NOT_LEADER),
        ("2.3", 3, NOT_LEADER),
        ("2.5", 3, NOT_LEADER),
        ("2.8", 3, STORAGE),
        ("4.1", 3, STORAGE),
    ],
)
def test_from_1_0_a_full_disk_is_answered_and_then_the_broker_halts(
    release: str, version: int, error: ErrorCode, faults: DiskFaults
) -> None:
    kafka = started(release)
    faults.space = 50
    found = answer(kafka, produce(version), version, ProduceResponse)
    assert found.responses[0].partition_responses[0].error_code == error
    assert kafka.brokers() == {}
    faults.space = None
    kafka.restart()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()
    assert not kafka.failures


def test_a_client_gets_its_answer_before_the_port_is_closed(faults: DiskFaults) -> None:
    kafka = FakeKafka("2.3", topics={"t": 1}).start()
    faults.space = 50
    found = ask(kafka.bootstrap_servers, produce(7), 7, ProduceResponse)
    assert found.responses[0].partition_responses[0].error_code == STORAGE
    with pytest.raises(ConnectionRefusedError):
        ask(kafka.bootstrap_servers, produce(7), 7, ProduceResponse)
    faults.space = None
    kafka.restart()
    found = ask(kafka.bootstrap_servers, produce(7), 7, ProduceResponse)
    assert found.responses[0].partition_responses[0].base_offset == 0
    kafka.stop()


@pytest.mark.parametrize("release", HALTING)
def test_before_1_0_the_broker_halts_without_an_answer(release: str, faults: DiskFaults) -> None:
    kafka = started(release)
    faults.space = 50
    client = kafka.connect()
    assert client.send(request_frame(produce(0), 0, 1, "test")) == b""
    assert client.closed
    assert kafka.brokers() == {}
    faults.space = None
    kafka.restart()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


@pytest.mark.parametrize(("version", "error"), [(5, NOT_LEADER), (6, STORAGE)])
@pytest.mark.parametrize("release", ANSWERING)
def test_from_1_0_a_log_that_cannot_be_read_is_answered_and_then_the_broker_halts(
    release: str, version: int, error: ErrorCode, faults: DiskFaults
) -> None:
    kafka = started(release)
    faults.unreadable.add(names.of_offset(0, names.LOG))
    found = answer(kafka, fetch(), version, FetchResponse)
    assert found.responses[0].partitions[0].error_code == error
    assert kafka.brokers() == {}
    faults.unreadable.clear()
    kafka.restart()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


@pytest.mark.parametrize("release", HALTING)
def test_before_1_0_an_unreadable_log_is_answered_and_the_broker_goes_on(release: str, faults: DiskFaults) -> None:
    kafka = started(release)
    faults.unreadable.add(names.of_offset(0, names.LOG))
    found = answer(kafka, fetch(), 0, FetchResponse)
    assert found.responses[0].partitions[0].error_code == ErrorCode.UNKNOWN_SERVER_ERROR
    faults.unreadable.clear()
    assert answer(kafka, fetch(), 0, FetchResponse).responses[0].partitions[0].error_code == 0
    kafka.stop()


def list_offsets(topic: str = "t") -> ListOffsetsRequest:
    partition = ListOffsetsPartition(partition_index=0, timestamp=1)
    return ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=[partition])])


@pytest.mark.parametrize("release", ANSWERING)
def test_any_other_request_is_answered_too_before_the_broker_halts(release: str, faults: DiskFaults) -> None:
    kafka = started(release)
    faults.unreadable.add(names.of_offset(0, names.LOG))
    found = answer(kafka, list_offsets(), 1, ListOffsetsResponse)
    assert [p.error_code for topic in found.topics for p in topic.partitions] == [STORAGE]
    assert kafka.brokers() == {}
    assert not kafka.failures
    faults.unreadable.clear()
    kafka.restart()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


@pytest.mark.parametrize("release", ["0.10.1", "0.11.0"])
def test_before_1_0_any_other_request_is_answered_and_the_broker_goes_on(release: str, faults: DiskFaults) -> None:
    kafka = started(release)
    faults.unreadable.add(names.of_offset(0, names.LOG))
    found = answer(kafka, list_offsets(), 1, ListOffsetsResponse)
    assert [p.error_code for topic in found.topics for p in topic.partitions] == [ErrorCode.UNKNOWN_SERVER_ERROR]
    faults.unreadable.clear()
    found = answer(kafka, list_offsets(), 1, ListOffsetsResponse)
    assert [p.error_code for topic in found.topics for p in topic.partitions] == [0]
    assert not kafka.failures
    kafka.stop()


def test_a_disk_that_is_full_when_a_topic_is_created_is_answered_and_the_broker_halts(faults: DiskFaults) -> None:
    kafka = started("2.3")
    faults.space = 0
    new = CreatableTopic(name="new", num_partitions=1, replication_factor=1)
    found = answer(kafka, CreateTopicsRequest(topics=[new], timeout_ms=1000), 2, CreateTopicsResponse)
    assert [topic.error_code for topic in found.topics] == [STORAGE]
    assert kafka.brokers() == {}
    assert not kafka.failures
    kafka.stop()


def test_an_error_that_no_disk_made_is_a_defect_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = started("2.3")

    def forgotten(body: object, call: object) -> None:
        raise FileNotFoundError("a name that only memory has lost")

    monkeypatch.setattr("fakekafka.server.router.handler", lambda key: forgotten)
    client = kafka.connect()
    assert client.send(request_frame(fetch(), 4, 1, "test")) == b""
    assert client.closed
    assert [type(failure) for failure in kafka.failures] == [FileNotFoundError]
    kafka.stop()


@pytest.mark.parametrize("release", ["0.8.2", "0.11.0", "2.3", "4.1"])
def test_a_disk_that_is_full_when_a_checkpoint_is_due_ends_the_broker(release: str, faults: DiskFaults) -> None:
    kafka = started(release)
    faults.space = 0
    assert isinstance(kafka.clock, ManualClock)
    kafka.clock.advance(120_000)
    assert kafka.brokers() == {}
    faults.space = None
    kafka.restart()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


def test_a_directory_that_cannot_be_read_keeps_a_broker_from_starting(faults: DiskFaults) -> None:
    kafka = started("2.3")
    kafka.stop(crash=True)
    faults.unreadable.add(names.of_offset(0, names.LOG))
    with pytest.raises(BrokerWillNotStart, match=r"Error while loading log dir .*Input/output error"):
        kafka.boot()
    faults.unreadable.clear()
    kafka.boot()
    assert values(kafka) == [b"0", b"1", b"2"]
    kafka.stop()


@pytest.mark.parametrize("release", ["0.10.2", "2.3", "4.1"])
def test_a_log_directory_that_is_a_file_keeps_a_cluster_from_starting(release: str, tmp_path: Path) -> None:
    """LogManager.createAndValidateLogDirs, read in the source, not asked of a real broker."""
    directories = [tmp_path / "others", tmp_path / "logs"]
    directories[1].write_bytes(b"a file")
    with pytest.raises(BrokerWillNotStart, match="logs is not a readable log directory"):
        FakeKafka(release, log_dir=directories).boot()
    directories[1].unlink()
    FakeKafka(release, log_dir=directories).boot().stop()


def test_a_log_directory_that_has_become_a_file_keeps_one_broker_from_starting(tmp_path: Path) -> None:
    with FakeKafka("3.9", log_dir=tmp_path / "logs").boot() as kafka:
        kafka.stop_broker(0)
        rmtree(tmp_path / "logs")
        (tmp_path / "logs").write_bytes(b"a file")
        with pytest.raises(BrokerWillNotStart, match="logs is not a readable log directory"):
            kafka.start_broker(0)
        (tmp_path / "logs").unlink()
        (tmp_path / "logs").mkdir()
