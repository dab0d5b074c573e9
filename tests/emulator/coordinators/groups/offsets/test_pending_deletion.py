"""Offsets that are deleted, or expire, before they are applied: those of open transactions, and those that wait.

Asked of real brokers: about transactions, 1.1.1, 2.4.1, 2.8.2, 3.9.1 and 4.0.0; about commits that wait, a pair of
brokers of 2.8.2, one of them stopped.
"""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.administration import delete_groups, delete_offsets
from fakekafka.coordinators.groups.records import GroupKey, OffsetKey, read_key
from fakekafka.errors import ErrorCode
from fakekafka.ids import TopicPartition
from fakekafka.wire.apis.offset_delete import (
    OffsetDeleteRequest,
    OffsetDeleteRequestPartition,
    OffsetDeleteRequestTopic,
    OffsetDeleteResponse,
)

from tests.emulator.coordinators.groups.offsets.test_awaited import MANY, Slow
from tests.support.brokers import answer
from tests.support.group_clients import coordinator_is_there, coordinator_of, simple
from tests.support.transaction_clients import TransactionalProducer, pass_time, transactional

E = ErrorCode
SCALA = ["1.1", "2.4", "2.8", "3.9"]
T0, T1 = ("t", 0), ("t", 1)
MINUTE_MS = 60_000


class Open:
    """A group with an open transaction that commits offset 5 of the first partition, and 6 of the second."""

    def __init__(self, release: str, *committed: int) -> None:
        self.kafka = transactional(
            release,
            offsets_retention_minutes=1,
            offsets_retention_check_interval_ms=1_000,
            transaction_max_timeout_ms=900_000,
        )
        coordinator_is_there(self.kafka)
        if committed:
            assert simple(self.kafka).commit(*committed) == [E.NONE] * len(committed)
        self.producer = TransactionalProducer(self.kafka).initialised(timeout_ms=600_000)
        assert self.producer.add_offsets() is E.NONE
        assert self.producer.commit_offset(5) is E.NONE
        assert self.producer.commit_offset(6, place=T1) is E.NONE
        self.before = len(tombstones(self.kafka))

    def fetched(self) -> list[int]:
        return simple(self.kafka).fetch(0, 1)

    def tombstones(self) -> list[TopicPartition | str]:
        """The tombstones written since the transaction began."""
        return tombstones(self.kafka)[self.before :]

    def groups(self) -> list[str]:
        return [group.id for group in coordinator_of(self.kafka).classic_groups.everyone()]

    def end(self, commit: bool = True) -> list[int]:
        """Decide the transaction, and return what is committed then."""
        assert self.producer.end(commit) is E.NONE
        return self.fetched()


def tombstones(kafka: FakeKafka) -> list[TopicPartition | str]:
    """The partitions and groups for which tombstones were written."""
    found: list[TopicPartition | str] = []
    for record in kafka.records("__consumer_offsets"):
        key = read_key(record.key or b"") if record.value is None else None
        if isinstance(key, OffsetKey):
            found.append((key.topic, key.partition))
        elif isinstance(key, GroupKey):
            found.append(key.group)
    return found


def delete(kafka: FakeKafka) -> dict[int, int]:
    """Send OffsetDelete for both partitions, and return an error for each that is answered."""
    partitions = [OffsetDeleteRequestPartition(partition_index=n) for n in (0, 1)]
    request = OffsetDeleteRequest(group_id="g", topics=[OffsetDeleteRequestTopic(name="t", partitions=partitions)])
    done = answer(kafka, request, 0, OffsetDeleteResponse)
    assert done.error_code == E.NONE
    return {p.partition_index: p.error_code for topic in done.topics for p in topic.partitions}


@pytest.mark.parametrize("release", ["2.4", "2.8", "3.9", "4.0"])
@pytest.mark.parametrize("committed", [(), (4,)])
def test_deleted_offsets_of_an_open_transaction_are_not_applied(release: str, committed: tuple[int, ...]) -> None:
    """Only the Java coordinator writes tombstones for them."""
    group = Open(release, *committed)
    assert delete(group.kafka) == {0: E.NONE, 1: E.NONE}
    assert group.tombstones() == ([T0, T1] if release == "4.0" else [T0] if committed else [])
    assert group.groups() == ["g"]
    assert group.end() == [-1, -1]


@pytest.mark.parametrize("release", SCALA)
def test_a_group_exists_until_the_transaction_of_its_deleted_offsets_is_decided(release: str) -> None:
    group = Open(release)
    delete_offsets(coordinator_of(group.kafka), "g", [T0, T1])
    pass_time(group.kafka, 5_000)
    assert group.groups() == ["g"]
    group.end(commit=False)
    pass_time(group.kafka, 5_000)
    assert group.groups() == []
    assert group.tombstones() == []


@pytest.mark.parametrize("release", [*SCALA, "4.0"])
@pytest.mark.parametrize("committed", [(), (4,)])
def test_a_group_can_be_deleted_while_a_transaction_has_offsets_of_it(release: str, committed: tuple[int, ...]) -> None:
    group = Open(release, *committed)
    assert delete_groups(coordinator_of(group.kafka), ["g"]) == [E.NONE]
    assert group.tombstones() == ([T0, T1, "g"] if release == "4.0" else [T0] if committed else [])
    assert group.groups() == []
    assert delete_groups(coordinator_of(group.kafka), ["g"]) == [E.GROUP_ID_NOT_FOUND]
    assert group.end() == [-1, -1]
    assert group.groups() == []


@pytest.mark.parametrize(("committed", "pending"), [(T0, T1), (T1, T0)])
def test_offsets_of_a_deleted_group_precede_those_of_open_transactions(
    committed: TopicPartition, pending: TopicPartition
) -> None:
    """Asked of 4.0.0."""
    group = Open("4.0")
    assert group.end(commit=False) == [-1, -1]
    for place in (committed, pending):
        assert group.producer.add_offsets() is E.NONE
        assert group.producer.commit_offset(5, place=place) is E.NONE
        if place == committed:
            assert group.producer.end(commit=True) is E.NONE
    assert delete_groups(coordinator_of(group.kafka), ["g"]) == [E.NONE]
    assert group.tombstones() == [committed, pending, "g"]


@pytest.mark.parametrize(("release", "back"), [*((release, [5, 6]) for release in SCALA), ("4.0", [-1, -1])])
def test_without_tombstones_a_start_brings_back_deleted_offsets(release: str, back: list[int]) -> None:
    group = Open(release)
    delete_groups(coordinator_of(group.kafka), ["g"])
    group.end()
    group.kafka.restart()
    pass_time(group.kafka, 1)
    assert group.fetched() == back


@pytest.mark.parametrize("release", [*SCALA, "4.0"])
def test_an_offset_that_a_transaction_may_replace_expires_with_the_scala_coordinator_only(release: str) -> None:
    group = Open(release, 4, 4)
    pass_time(group.kafka, MINUTE_MS + 5_000)
    assert group.fetched() == ([4, 4] if release == "4.0" else [-1, -1])
    assert sorted(group.tombstones()) == ([] if release == "4.0" else [T0, T1])
    assert group.groups() == ["g"]


@pytest.mark.parametrize("release", [*SCALA, "4.0"])
def test_a_deleted_topic_takes_the_offsets_of_open_transactions_along(release: str) -> None:
    group = Open(release)
    group.kafka.delete_topic("t")
    assert group.tombstones() == ([T0, T1] if release == "4.0" else [])
    assert group.groups() == ["g"]
    assert coordinator_of(group.kafka).pending.has("g", "t", 0) is False


@pytest.mark.parametrize(("release", "written"), [("2.8", False), ("4.0", True)])
def test_only_the_java_coordinator_writes_the_deletion_of_a_commit_that_waits(release: str, written: bool) -> None:
    for way in ("offsets", "group"):
        slow = Slow(release, [])
        groups = slow.groups()
        places = [("t", n) for n in range(MANY)]
        groups.expiry.clean_up({"g": places})
        groups.classic_groups.groups["g"] = groups.classic_groups.new_group("g")
        slow.commit(5)
        before = len(tombstones(slow.kafka))
        if way == "offsets":
            assert set(delete_offsets(groups, "g", places)[1]) == {E.NONE}
        else:
            assert delete_groups(groups, ["g"]) == [E.NONE]
        slow.kafka.resume_replication(slow.paused)
        assert slow.fetched() == [-1] * MANY
        assert set(places) <= set(tombstones(slow.kafka)[before:]) if written else tombstones(slow.kafka)[before:] == []
        slow.kafka.stop()
