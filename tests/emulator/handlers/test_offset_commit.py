import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetCommitResponseTopic,
)
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import answer
from tests.support.group_clients import Member, clock_of, coordinator_is_there, grouped, settled
from tests.support.seeded import NOW, broker_of

E = ErrorCode


def partition(index: int, offset: int = 5, metadata: str | None = "m") -> OffsetCommitRequestPartition:
    return OffsetCommitRequestPartition(
        partition_index=index, committed_offset=offset, committed_metadata=metadata, committed_leader_epoch=3
    )


def topic(name: str, *partitions: OffsetCommitRequestPartition, id: bytes = ZERO_UUID) -> OffsetCommitRequestTopic:
    return OffsetCommitRequestTopic(name=name, topic_id=id, partitions=list(partitions))


def commit(
    kafka: FakeKafka, version: int, *topics: OffsetCommitRequestTopic, group: str = "g"
) -> list[OffsetCommitResponseTopic]:
    request = OffsetCommitRequest(
        group_id=group, generation_id_or_member_epoch=-1, member_id="", topics=list(topics), retention_time_ms=-1
    )
    return list(answer(kafka, request, version, OffsetCommitResponse).topics)


def errors_of(topics: list[OffsetCommitResponseTopic]) -> list[tuple[str, int, int]]:
    return [(t.name, p.partition_index, p.error_code) for t in topics for p in t.partitions]


@pytest.mark.parametrize(
    ("release", "version"), [("0.8.2", 1), ("0.9.0", 2), ("0.11.0", 3), ("2.1", 6), ("3.8", 9), ("4.3", 9)]
)
def test_a_commit_is_kept_with_the_fields_of_its_version(release: str, version: int) -> None:
    kafka = grouped(release)
    done = commit(kafka, version, topic("t", partition(0), partition(1, 6, None)))
    assert sorted(errors_of(done)) == [("t", 0, 0), ("t", 1, 0)]
    kept = kafka.committed("g")
    assert (kept["t", 0].offset, kept["t", 0].metadata) == (5, "m")
    assert (kept["t", 1].offset, kept["t", 1].metadata) == (6, "")
    assert kept["t", 0].leader_epoch == (3 if version >= 6 else -1)


@pytest.mark.parametrize(
    ("release", "expected"),
    [("0.8.2", [E.NONE] * 3), ("0.9.0", [E.NONE, E.NONE, E(3)]), ("2.0", [E.NONE, E(3), E(3)])],
)
def test_a_commit_needs_an_existing_topic_or_partition_by_release(release: str, expected: list[ErrorCode]) -> None:
    kafka = grouped(release)
    done = commit(kafka, 1, topic("t", partition(0), partition(99)), topic("nope", partition(0)))
    assert [error for _, _, error in errors_of(done)] == expected


def test_a_commit_without_partitions_gets_an_empty_answer() -> None:
    kafka = grouped("3.8")
    assert commit(kafka, 8) == []
    assert errors_of(commit(kafka, 8, topic("nope", partition(0)))) == [("nope", 0, E.UNKNOWN_TOPIC_OR_PARTITION)]


@pytest.mark.parametrize(("release", "times"), [("3.9", 1), ("4.0", 2)])
def test_a_partition_that_is_named_twice_is_answered_once_or_twice(release: str, times: int) -> None:
    kafka = grouped(release)
    assert len(errors_of(commit(kafka, 8, topic("t", partition(0), partition(0, 6))))) == times
    assert kafka.committed("g")["t", 0].offset == 6


# ---- topic ids


def test_topics_are_named_by_id_in_version_10() -> None:
    kafka = grouped("4.3")
    known, unknown = broker_of(kafka).cluster.topics["t"].id, bytes(range(16))
    done = commit(kafka, 10, topic("", partition(0), id=known), topic("", partition(0), id=unknown))
    assert [(t.topic_id, p.error_code) for t in done for p in t.partitions] == [
        (unknown, E.UNKNOWN_TOPIC_ID),
        (known, E.NONE),
    ]
    assert kafka.committed("g")["t", 0].offset == 5


@pytest.mark.parametrize(("release", "written"), [("4.1", False), ("4.3", True)])
def test_4_3_writes_the_topic_id_whatever_the_version_of_the_request(release: str, written: bool) -> None:
    kafka = grouped(release)
    commit(kafka, 8, topic("t", partition(0)))
    (record,) = kafka.records("__consumer_offsets")
    assert record.value is not None
    assert (broker_of(kafka).cluster.topics["t"].id in record.value) == written


# ---- ZooKeeper


@pytest.mark.parametrize("release", ["0.8.1", "0.8.2", "0.9.0", "3.9"])
def test_version_0_keeps_offsets_in_zookeeper(release: str) -> None:
    kafka = FakeKafka(release, config={"zookeeper.connect": "here:2181"}, topics={"t": 1}).boot()
    done = commit(kafka, 0, topic("t", partition(0)), topic("nope", partition(0)))
    assert sorted(errors_of(done)) == [("nope", 0, E.UNKNOWN_TOPIC_OR_PARTITION), ("t", 0, E.NONE)]
    kept = kafka.committed("g")
    assert (kept["t", 0].offset, kept["t", 0].metadata, kept["t", 0].commit_timestamp) == (5, "", -1)
    assert "__consumer_offsets" not in broker_of(kafka).cluster.topics


def test_in_zookeeper_metadata_may_be_too_long_for_one_partition_only() -> None:
    kafka = grouped("0.9.0", offset_metadata_max_bytes=2)
    done = commit(kafka, 0, topic("t", partition(0, 5, "long"), partition(1, 6, "ok"), partition(2, 7, None)))
    assert [error for _, _, error in errors_of(done)] == [E.OFFSET_METADATA_TOO_LARGE, E.NONE, E.NONE]
    assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", 1): 6, ("t", 2): 7}


@pytest.mark.parametrize("release", ["0.8.2", "2.8"])
def test_in_zookeeper_a_group_without_a_name_has_no_offsets(release: str) -> None:
    """Asked of 0.8.2.2: "/consumers//offsets" is not a path."""
    kafka = FakeKafka(release, config={"zookeeper.connect": "here:2181"}, topics={"t": 1}).boot()
    done = commit(kafka, 0, topic("t", partition(0)), group="")
    assert errors_of(done) == [("t", 0, E.UNKNOWN_SERVER_ERROR)]


def test_kraft_refuses_version_0_for_every_partition() -> None:
    kafka = grouped("3.8")
    done = commit(kafka, 0, topic("t", partition(0)), topic("nope", partition(0)))
    assert [error for _, _, error in errors_of(done)] == [E.UNSUPPORTED_VERSION, E.UNSUPPORTED_VERSION]


def test_offsets_in_the_topic_hide_those_in_zookeeper() -> None:
    kafka = grouped("0.9.0")
    commit(kafka, 0, topic("t", partition(0, 5), partition(1, 6)))
    commit(kafka, 2, topic("t", partition(0, 7)))
    assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", 0): 7, ("t", 1): 6}


# ---- groups


def test_an_error_of_the_group_refuses_every_existing_partition() -> None:
    kafka = grouped("3.8")
    settled(Member(kafka))
    done = commit(kafka, 8, topic("t", partition(0)), topic("nope", partition(0)))
    assert errors_of(done) == [("nope", 0, E.UNKNOWN_TOPIC_OR_PARTITION), ("t", 0, E.UNKNOWN_MEMBER_ID)]


# ---- replicas


def replicated(release: str, *drafts: str) -> tuple[FakeKafka, MemoryClient, bytes]:
    """Three brokers, one of which does not fetch, a connection to the coordinator, and a commit."""
    config = {"offsets.topic.num.partitions": 1, "offsets.topic.replication.factor": 3}
    kafka = FakeKafka(release, brokers=3, config=config, clock=ManualClock(NOW), topics={"t": 1}, drafts=drafts).boot()
    coordinator_is_there(kafka)
    leader = kafka.connect().core.cluster.topics["__consumer_offsets"].partitions[0].leader
    kafka.pause_replication((leader + 1) % 3)
    request = OffsetCommitRequest(
        group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=[topic("t", partition(0))]
    )
    return kafka, kafka.connect(leader), request_frame(request, 2, 1, "test")


def errors_in(data: bytes) -> list[int]:
    done = read_response(OffsetCommitResponse, 2, data[SIZE.size :])[1]
    return [p.error_code for t in done.topics for p in t.partitions]


@pytest.mark.statement("S4-26")
@pytest.mark.parametrize("drafts", [[], ["atomic-offset-log"]])
def test_the_answer_to_a_commit_waits_for_the_replicas(drafts: list[str]) -> None:
    kafka, client, commit = replicated("2.3", *drafts)
    assert client.send(commit) == b""
    kafka.resume_replication((client.connection.node_id + 1) % 3)
    assert errors_in(client.receive()) == [E.NONE]


@pytest.mark.parametrize(("release", "error"), [("2.3", E.REQUEST_TIMED_OUT), ("4.0", E.COORDINATOR_NOT_AVAILABLE)])
def test_replicas_that_take_too_long_are_an_error(release: str, error: ErrorCode) -> None:
    kafka, client, commit = replicated(release)
    assert client.send(commit) == b""
    clock_of(kafka).advance(4_999)
    assert client.receive() == b""
    clock_of(kafka).advance(1)
    assert errors_in(client.receive()) == [error]


def test_with_required_acks_1_the_answer_waits_for_the_leader_only() -> None:
    """4.0 removes offsets.commit.required.acks."""
    kafka, client, commit = replicated("2.3")
    kafka.restart(config={"offsets.commit.required.acks": 1, "offsets.topic.num.partitions": 1})
    kafka.pause_replication((client.connection.node_id + 1) % 3)
    assert errors_in(kafka.connect(client.connection.node_id).send(commit)) == [E.NONE]
