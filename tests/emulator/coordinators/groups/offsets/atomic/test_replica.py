"""All replicas keep the map of offsets, so a new leader need not read the log again."""

from collections.abc import Sequence

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.offsets.atomic.commit_log import CommitLog
from fakekafka.coordinators.groups.offsets.atomic.entries import Value, value_bytes
from fakekafka.coordinators.groups.offsets.store import OffsetStore
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.log.append_info import Origin
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.state.topics import COMMIT_LOG
from fakekafka.storage.partition import Partition
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse

from tests.support.brokers import answer
from tests.support.group_clients import SMALL, clock_of, coordinator_is_there
from tests.support.seeded import NOW

RELEASES = ["0.8.2", "0.10.2", "2.3", "4.3"]
NODES = range(3)


def cluster(release: str) -> FakeKafka:
    config = SMALL | {"offsets.topic.replication.factor": 3}
    kafka = FakeKafka(
        release, brokers=3, config=config, clock=ManualClock(NOW), topics={"t": 8}, drafts=["atomic-offset-log"]
    ).boot()
    coordinator_is_there(kafka)
    return kafka


def replica(kafka: FakeKafka, node_id: BrokerId) -> Partition:
    partition = kafka.connect(node_id).core.cluster.brokers[node_id].partitions[COMMIT_LOG, 0]
    assert partition is not None
    return partition


def leader_of(kafka: FakeKafka) -> BrokerId:
    running = min(node_id for node_id in NODES if node_id in kafka.brokers())
    return kafka.connect(running).core.cluster.topics["__consumer_offsets"].partitions[0].leader


def errors_of_commit(kafka: FakeKafka, *offsets: int, group: str = "g") -> set[int]:
    partitions = [OffsetCommitRequestPartition(partition_index=n, committed_offset=at) for n, at in enumerate(offsets)]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    request = OffsetCommitRequest(group_id=group, generation_id_or_member_epoch=-1, member_id="", topics=topics)
    version = 2 if not str(kafka.release).startswith("0.8") else 1
    done = answer(kafka, request, version, OffsetCommitResponse, leader_of(kafka))
    return {p.error_code for topic in done.topics for p in topic.partitions}


def commit(kafka: FakeKafka, *offsets: int, group: str = "g") -> None:
    assert errors_of_commit(kafka, *offsets, group=group) == {ErrorCode.NONE}


def fetched(kafka: FakeKafka, *partitions: int) -> list[int]:
    topics = [OffsetFetchRequestTopic(name="t", partition_indexes=list(partitions))]
    done = answer(kafka, OffsetFetchRequest(group_id="g", topics=topics), 1, OffsetFetchResponse, leader_of(kafka))
    return [partition.committed_offset for partition in done.topics[0].partitions]


def log_on(kafka: FakeKafka, node_id: BrokerId) -> CommitLog:
    found = coordinators_of(kafka.connect(node_id).core.cluster.brokers[node_id]).groups.commit_log
    assert found is not None
    return found


def map_on(kafka: FakeKafka, node_id: BrokerId) -> dict[tuple[str, str, int], int]:
    """The map of offsets that a broker keeps."""
    groups = coordinators_of(kafka.connect(node_id).core.cluster.brokers[node_id]).groups
    leads = replica(kafka, node_id).leads
    store: OffsetStore = groups.offsets if leads else log_on(kafka, node_id)._replicas[0].offsets
    return {(g, topic, p): committed.offset for g in store.groups() for topic, p, committed in store.of_group(g)}


def write(kafka: FakeKafka, *messages: tuple[str, Value]) -> None:
    """Append messages to the leader's log, as a leader that stops in the middle of a commit does."""
    partition = replica(kafka, leader_of(kafka))
    build = (v0.build, v1.build, v2.build)[partition.log.config.message_format]

    def append() -> None:
        for key, value in messages:
            row = Record(0, NOW, 0, key.encode(), value_bytes(value))
            partition.append_from(Origin.COORDINATOR, bytearray(build([row])), NOW)
        kafka._running.cluster.waiters.wake(partition.key)

    kafka._on_loop(append)
    clock_of(kafka).advance(1)


@pytest.mark.statement("S4-24")
@pytest.mark.parametrize("release", RELEASES)
def test_every_replica_has_the_leaders_map(release: str) -> None:
    kafka = cluster(release)
    commit(kafka, 5, 6)
    commit(kafka, 7, 8, 9, group="other")
    commit(kafka, 10)
    expected = {("g", "t", 0): 10, ("g", "t", 1): 6, **{("other", "t", n): 7 + n for n in range(3)}}
    assert [map_on(kafka, node_id) for node_id in NODES] == [expected] * 3


@pytest.mark.statement("S4-24", "S4-11")
@pytest.mark.parametrize("release", RELEASES)
def test_a_new_leader_does_not_read_the_log_again(release: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kafka = cluster(release)
    for n in range(3):
        commit(kafka, n, n)
    read: list[int] = []
    entry_of = "fakekafka.coordinators.groups.offsets.atomic.replica.entry_of"
    monkeypatch.setattr(entry_of, lambda record, topics: read.append(record.offset))
    lost = leader_of(kafka)
    kafka.kill_broker(lost)
    assert leader_of(kafka) != lost
    assert fetched(kafka, 0, 1, 2) == [2, 2, -1]
    assert read == []


@pytest.mark.statement("S4-24", "S4-25", "S4-33")
@pytest.mark.parametrize("release", RELEASES)
def test_no_map_of_offsets_has_a_part_of_a_commit(release: str) -> None:
    """A leader dies when the followers have two of three messages."""
    kafka = cluster(release)
    commit(kafka, 5, 6)
    write(kafka, ("g-t-0", Value(100, 2, 3, "")), ("g-t-2", Value(102, 2, 3, "")))
    assert {replica(kafka, node_id).high_watermark for node_id in NODES} == {4}
    before = {("g", "t", 0): 5, ("g", "t", 1): 6}
    assert [map_on(kafka, node_id) for node_id in NODES] == [before] * 3
    lost = leader_of(kafka)
    kafka.kill_broker(lost)
    left = [node_id for node_id in NODES if node_id != lost]
    assert [map_on(kafka, node_id) for node_id in left] == [before] * 2
    assert fetched(kafka, 0, 1, 2) == [5, 6, -1]
    assert (
        replica(kafka, leader_of(kafka)).log.log_end_offset == 6
    )  # the valid offsets, once more: a value and a tombstone
    commit(kafka, 7)
    kafka.start_broker(lost)
    assert [map_on(kafka, node_id) for node_id in NODES] == [before | {("g", "t", 0): 7}] * 3


@pytest.mark.statement("S4-24", "S4-25")
@pytest.mark.parametrize("release", ["0.10.2", "4.3"])
def test_a_map_of_offsets_has_only_committed_ones(release: str) -> None:
    kafka = cluster(release)
    commit(kafka, 5)
    leader = leader_of(kafka)
    slow, quick = ((leader + n) % 3 for n in (1, 2))
    kafka.pause_replication(slow)
    write(kafka, ("g-t-0", Value(6, 2, 1, "")))
    assert replica(kafka, quick).log.log_end_offset == 2
    assert map_on(kafka, quick) == {("g", "t", 0): 5}
    kafka.resume_replication(slow)
    assert [map_on(kafka, node_id) for node_id in (quick, slow)] == [{("g", "t", 0): 6}] * 2


def test_a_leader_that_becomes_a_follower_has_the_same_map_as_the_others() -> None:
    kafka = cluster("2.3")
    commit(kafka, 5, 6)
    first = leader_of(kafka)
    for topic in ("__consumer_offsets", COMMIT_LOG):
        kafka.elect_leader(topic, 0, broker=(first + 1) % 3)
    commit(kafka, 7)
    expected = {("g", "t", 0): 7, ("g", "t", 1): 6}
    assert [map_on(kafka, node_id) for node_id in NODES] == [expected] * 3
    assert len(coordinators_of(kafka._running.cluster.brokers[first]).groups.offsets) == 0


@pytest.mark.parametrize("sizes", [(1, 2), (3, 1)])
def test_maps_of_offsets_begin_again_after_a_reset(sizes: Sequence[int]) -> None:
    kafka = cluster("3.9")
    for size in sizes:
        commit(kafka, *range(size))
        assert [len(map_on(kafka, node_id)) for node_id in NODES] == [size] * 3
        kafka.reset()
        coordinator_is_there(kafka)


def test_a_commit_that_an_earlier_leader_refused_does_not_keep_a_later_one_from_reading() -> None:
    kafka = cluster("2.3")
    commit(kafka, 5)
    first = leader_of(kafka)
    other = (first + 1) % 3
    kafka.elect_leader(COMMIT_LOG, 0, broker=other)
    assert errors_of_commit(kafka, 6) == {ErrorCode.NOT_COORDINATOR}
    kafka.elect_leader("__consumer_offsets", 0, broker=other)
    commit(kafka, 7)
    for topic in ("__consumer_offsets", COMMIT_LOG):
        kafka.elect_leader(topic, 0, broker=first)
    assert fetched(kafka, 0) == [7]


def test_a_coordinator_that_comes_back_has_the_offsets_of_the_log_that_it_led_throughout() -> None:
    kafka = cluster("2.3")
    commit(kafka, 7)
    first = leader_of(kafka)
    kafka.elect_leader("__consumer_offsets", 0, broker=(first + 1) % 3)
    kafka.elect_leader("__consumer_offsets", 0, broker=first)
    assert fetched(kafka, 0) == [7]
