"""A commit that some replica in sync lacks is written, but no client can read it yet."""

from collections.abc import Iterator

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.cluster.internal_topics import Producer
from fakekafka.coordinators.groups.administration import delete_groups
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.coordinators.groups.offsets.awaited import AwaitedCommits, Written
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode
from fakekafka.ids import BrokerId
from fakekafka.server.memory import MemoryClient
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from fakekafka.wire.apis.offset_fetch import OffsetFetchRequest, OffsetFetchRequestTopic, OffsetFetchResponse
from fakekafka.wire.frames import SIZE, read_response, request_frame

from tests.support.brokers import answer
from tests.support.group_clients import clock_of, coordinator_is_there
from tests.support.seeded import NOW

E = ErrorCode
TOPIC = "__consumer_offsets"
MANY = 100
VERSION = 2
"""The version of both requests, which every release from 0.9.0 on has."""
WHERE = [(release, drafts) for release in ("0.10.2", "2.3", "3.9", "4.3") for drafts in ([], ["atomic-offset-log"])]


class Slow:
    """Three brokers, one of which copies nothing until it is told to."""

    def __init__(self, release: str, drafts: list[str], **config: object) -> None:
        given: dict[str, object] = {"offsets.topic.num.partitions": 1, "offsets.topic.replication.factor": 3}
        given |= {name.replace("_", "."): value for name, value in config.items()}
        self.kafka = FakeKafka(
            release, brokers=3, config=given, clock=ManualClock(NOW), topics={"t": MANY}, drafts=drafts
        ).boot()
        coordinator_is_there(self.kafka)
        self.leader = leader_of(self.kafka)
        self.commit(1)  # so that the log exists, whichever it is
        self.paused = (self.leader + 1) % 3
        self.kafka.pause_replication(self.paused)

    def client(self) -> MemoryClient:
        return self.kafka.connect(self.leader)

    def groups(self) -> GroupCoordinator:
        """The leader's coordinator."""
        return coordinators_of(self.kafka.connect().core.cluster.brokers[self.leader]).groups

    def commit(self, offset: int, metadata: str = "", client: MemoryClient | None = None) -> bytes:
        """Commit an offset for all partitions; the answer's bytes, if it has come."""
        partitions = [
            OffsetCommitRequestPartition(partition_index=n, committed_offset=offset, committed_metadata=metadata)
            for n in range(MANY)
        ]
        topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
        request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=topics)
        return (client or self.client()).send(request_frame(request, VERSION, 1, "test"))

    def fetched(self) -> list[int]:
        """The offsets that another client gets, by partition."""
        topics = [OffsetFetchRequestTopic(name="t", partition_indexes=list(range(MANY)))]
        request = OffsetFetchRequest(group_id="g", topics=topics)
        (topic,) = answer(self.kafka, request, VERSION, OffsetFetchResponse, self.leader).topics
        ordered = sorted(topic.partitions, key=lambda partition: partition.partition_index)
        return [partition.committed_offset for partition in ordered]

    def end(self, node_id: BrokerId) -> int:
        """Where the log of commits ends on a broker."""
        cluster = self.kafka.connect().core.cluster
        (name,) = {"offset-commit-log"} & cluster.topics.keys() or {TOPIC}
        partition = cluster.brokers[node_id].partitions[name, 0]
        assert partition is not None
        return partition.log.log_end_offset


def leader_of(kafka: FakeKafka) -> BrokerId:
    return kafka.connect().core.cluster.topics[TOPIC].partitions[0].leader


def errors_in(data: bytes) -> set[int]:
    done = read_response(OffsetCommitResponse, VERSION, data[SIZE.size :])[1]
    return {partition.error_code for topic in done.topics for partition in topic.partitions}


@pytest.fixture(params=WHERE, ids=lambda where: f"{where[0]} {' '.join(where[1]) or 'as shipped'}")
def slow(request: pytest.FixtureRequest) -> Iterator[Slow]:
    found = Slow(*request.param)
    yield found
    found.kafka.stop()


@pytest.mark.statement("S4-25", "S4-26", "S4-32")
def test_a_hundred_offsets_are_hidden_together_and_seen_together(slow: Slow) -> None:
    """Asked of 2.3.1, two brokers, one stopped."""
    client = slow.client()
    assert slow.commit(2, client=client) == b""
    assert slow.end(slow.leader) > slow.end(slow.paused)
    assert slow.fetched() == [1] * MANY
    slow.kafka.resume_replication(slow.paused)
    assert errors_in(client.receive()) == {E.NONE}
    assert slow.fetched() == [2] * MANY


def test_commits_become_visible_in_the_order_in_which_they_were_written(slow: Slow) -> None:
    first, second = slow.client(), slow.client()
    assert slow.commit(2, client=first) == slow.commit(3, client=second) == b""
    slow.kafka.resume_replication(slow.paused)
    assert errors_in(first.receive()) == errors_in(second.receive()) == {E.NONE}
    assert slow.fetched() == [3] * MANY


@pytest.mark.statement("S4-25")
def test_a_commit_that_was_lost_with_its_leader_was_never_seen(slow: Slow) -> None:
    """Nothing has to be undone: both followers lack it."""
    slow.kafka.pause_replication((slow.leader + 2) % 3)
    assert slow.commit(2) == b""
    assert slow.fetched() == [1] * MANY
    slow.kafka.kill_broker(slow.leader)
    for node_id in ((slow.leader + 1) % 3, (slow.leader + 2) % 3):
        slow.kafka.resume_replication(node_id)
    slow.leader = leader_of(slow.kafka)
    assert slow.fetched() == [1] * MANY


@pytest.mark.parametrize(
    ("release", "drafts", "later"),
    [("2.3", [], 1), ("2.3", ["atomic-offset-log"], 2), ("4.3", [], 2), ("4.3", ["atomic-offset-log"], 2)],
)
def test_a_commit_for_which_the_replicas_take_too_long_is_in_the_log_all_the_same(
    release: str, drafts: list[str], later: int
) -> None:
    """The answers of the Scala coordinator were asked of 2.3.1, two brokers, one stopped."""
    slow = Slow(release, drafts)
    client = slow.client()
    assert slow.commit(2, client=client) == b""
    clock_of(slow.kafka).advance(5_000)
    assert errors_in(client.receive()) <= {E.REQUEST_TIMED_OUT, E.COORDINATOR_NOT_AVAILABLE}
    assert slow.fetched() == [1] * MANY
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [later] * MANY
    slow.kafka.restart()
    slow.leader = leader_of(slow.kafka)
    assert slow.fetched() == [2] * MANY


def test_a_commit_that_need_not_be_replicated_is_seen_at_once() -> None:
    slow = Slow("2.3", [], offsets_commit_required_acks=1)
    assert errors_in(slow.commit(2)) == {E.NONE}
    assert slow.fetched() == [2] * MANY


def test_a_condition_is_compared_with_the_offset_that_was_written_last() -> None:
    slow = Slow("2.3", ["atomic-offset-log"])
    assert slow.commit(2, "if-offset=1;") == b""
    assert errors_in(slow.commit(3, "if-offset=1;")) == {E.INVALID_REQUEST}
    assert slow.commit(4, "if-offset=2;") == b""
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [4] * MANY


def test_a_reset_forgets_commits_that_wait() -> None:
    slow = Slow("3.9", [])
    assert slow.commit(2) == b""
    groups = slow.groups()
    assert groups.offset_manager.last_written("g", "t", 0) is not None
    groups.clear()
    assert groups.offset_manager.last_written("g", "t", 0) is None
    slow.kafka.resume_replication(slow.paused)
    assert len(groups.offsets) == 0


def test_an_older_commit_does_not_replace_one_of_a_transaction() -> None:
    """CommitRecordMetadataAndOffset.olderThan: what is later in the log counts."""
    slow = Slow("2.8", [])
    manager = slow.groups().offset_manager
    slow.commit(10)
    manager.store("g", [Commit("t", 0, Committed(20, -1, "", NOW))], Producer(7, 0, 0))
    manager.complete_transaction(0, 7, commits=True)
    assert slow.fetched()[:2] == [20, 1]
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched()[:2] == [20, 10]


def test_a_later_commit_that_waits_outlives_the_end_of_a_transaction() -> None:
    slow = Slow("2.8", [])
    manager = slow.groups().offset_manager
    manager.store("g", [Commit("t", 0, Committed(20, -1, "", NOW))], Producer(7, 0, 0))
    slow.commit(30)
    manager.complete_transaction(0, 7, commits=True)
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [30] * MANY


def test_positions_in_two_logs_do_not_say_which_commit_is_newer() -> None:
    """Commits in transactions are not in the log of commits."""
    slow = Slow("2.8", ["atomic-offset-log"])
    manager = slow.groups().offset_manager
    for offset in (20, 21, 22):
        manager.store("g", [Commit("t", n, Committed(offset, -1, "", NOW)) for n in range(MANY)], Producer(7, 0, 0))
    slow.commit(30)
    manager.complete_transaction(0, 7, commits=True)
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [30] * MANY


DELETED = [("2.8", []), ("4.0", []), ("4.0", ["atomic-offset-log"])]


@pytest.mark.parametrize(("release", "drafts"), DELETED)
def test_a_deleted_offset_does_not_come_back_with_a_commit_that_waited(release: str, drafts: list[str]) -> None:
    slow = Slow(release, drafts)
    slow.commit(5)
    slow.groups().expiry.clean_up({"g": [("t", 0)]})
    assert slow.fetched()[:2] == [-1, 1]
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched()[:2] == [-1, 5]


@pytest.mark.parametrize(("release", "drafts"), DELETED)
@pytest.mark.parametrize("way", ["clean up", "topic", "group"])
def test_a_first_commit_that_waits_can_be_deleted(release: str, drafts: list[str], way: str) -> None:
    """The deletion lasts where it is written: the Scala coordinator writes tombstones only for applied offsets."""
    slow = Slow(release, drafts)
    groups = slow.groups()
    groups.expiry.clean_up({"g": [("t", n) for n in range(MANY)]})
    groups.classic_groups.groups["g"] = groups.classic_groups.new_group("g")
    slow.commit(5)
    match way:
        case "topic":
            groups.expiry.topic_deleted("t")
        case "group":
            assert delete_groups(groups, ["g"]) == [E.NONE]
        case _:
            groups.expiry.clean_up({"g": [("t", n) for n in range(MANY)]})
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [-1] * MANY
    slow.kafka.restart()
    slow.leader = leader_of(slow.kafka)
    assert slow.fetched() == [5 if release == "2.8" else -1] * MANY


@pytest.mark.parametrize("release", ["2.8", "4.0"])
def test_a_group_stays_while_one_of_its_offsets_waits(release: str) -> None:
    """GroupMetadata.hasOffsets."""
    slow = Slow(release, [])
    groups = slow.groups()
    groups.classic_groups.groups["g"] = groups.classic_groups.new_group("g")
    slow.commit(5)
    groups.expiry.clean_up({"g": [("t", n) for n in range(1, MANY)]})
    groups.offsets.remove("g", [("t", 0)])
    groups.expiry.clean_up({"g": []})
    assert "g" in groups.classic_groups.groups


def test_an_offset_does_not_expire_while_a_newer_one_waits() -> None:
    """GroupMetadata.removeExpiredOffsets leaves out offsets that are in pendingOffsetCommits."""
    slow = Slow("2.8", [], offsets_retention_minutes=1, offsets_retention_check_interval_ms=120_000)
    clock_of(slow.kafka).advance(61_000)
    slow.commit(5)
    slow.groups().expiry.check()
    slow.kafka.resume_replication(slow.paused)
    assert slow.fetched() == [5] * MANY


def test_a_replaced_partition_does_not_release_commits_that_wait_for_its_successor() -> None:
    kafka = FakeKafka("2.8", clock=ManualClock(NOW), topics={"old": 1, "new": 1}).boot()
    groups = coordinators_of(kafka.connect().core.cluster.brokers[0]).groups
    applied: list[str] = []
    awaited = AwaitedCommits(groups, lambda commit: applied.append(commit.group_id))
    for name in ("old", "new"):
        partition = groups.broker.partitions[name, 0]
        assert partition is not None
        awaited.add(partition, Written(name, [], 0, 1))
    kafka.send("old", b"x")
    assert (applied, awaited.has(0)) == ([], True)
    kafka.send("new", b"x")
    assert (applied, awaited.has(0)) == (["new"], False)
    kafka.send("old", b"x")
    assert applied == ["new"]
