import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.groups.offsets.commits import Commit
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.groups.records import GroupKey, OffsetKey, read_key
from fakekafka.errors import ErrorCode
from fakekafka.ids import ApiKey

from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, settled, simple
from tests.support.seeded import partition_of

E = ErrorCode
MINUTE = 60_000


def kept(release: str, **config: object) -> FakeKafka:
    """A broker that keeps offsets for ten minutes and checks every second."""
    return grouped(release, offsets_retention_minutes=10, offsets_retention_check_interval_ms=1_000, **config)  # type: ignore[arg-type]  # mypy: config has no partitions


def tombstones(kafka: FakeKafka) -> list[str]:
    """What was deleted, in order; "|" before every set but the first."""
    found: list[str] = []
    for batch in partition_of(kafka, topic="__consumer_offsets").log.segments[-1].batches():
        names = []
        for record in batch.records():
            assert record.key is not None
            key = read_key(record.key)
            if record.value is None and isinstance(key, OffsetKey):
                names.append(f"{key.group}:{key.topic}{key.partition}")
            elif record.value is None and isinstance(key, GroupKey):
                names.append(f"<{key.group}>")
        if names:
            found.append(" ".join(names))
    return found


@pytest.mark.parametrize(
    ("release", "at_once"),
    [("0.9.0", False), ("0.10.1", False), ("2.0", False), ("2.1", True), ("3.8", True), ("4.3", True)],
)
def test_offsets_of_groups_without_members_expire_some_time_after_their_commit(release: str, at_once: bool) -> None:
    kafka = kept(release)
    client = simple(kafka)
    client.commit(5)
    clock_of(kafka).advance(10 * MINUTE - 1_000)
    assert client.fetch(0) == [5]
    clock_of(kafka).advance(1_000)
    assert client.fetch(0) == [-1 if at_once else 5]
    clock_of(kafka).advance(1_000)
    assert client.fetch(0) == [-1]


@pytest.mark.parametrize("release", ["0.9.0", "2.0", "2.1", "4.3"])
def test_a_commit_may_say_how_long_it_is_kept(release: str) -> None:
    kafka = kept(release)
    client = simple(kafka)
    client.commit(5, retention_ms=5_000)
    clock_of(kafka).advance(4_000)
    assert client.fetch(0) == [5]
    clock_of(kafka).advance(2_000)
    assert client.fetch(0) == [-1]


@pytest.mark.parametrize(("release", "expires"), [("2.0", True), ("2.1", False), ("4.3", False)])
def test_offsets_of_a_group_with_members_do_not_expire_since_2_1(release: str, expires: bool) -> None:
    kafka = kept(release)
    member = Member(kafka, protocol_type="connect", session_ms=240_000)
    settled(member)
    member.commit(5)
    for _ in range(11):
        clock_of(kafka).advance(MINUTE)
        assert member.heartbeat() is E.NONE
    assert member.fetch(0) == [-1 if expires else 5]


def test_retention_counts_from_when_the_group_is_empty_since_2_1() -> None:
    kafka = kept("3.8")
    member = Member(kafka)
    settled(member)
    member.commit(5)
    for _ in range(60):
        clock_of(kafka).advance(9_000)
        member.heartbeat()
    member.leave()
    clock_of(kafka).advance(10 * MINUTE - 2_000)
    assert member.fetch(0) == [5]
    clock_of(kafka).advance(2_000)
    assert member.fetch(0) == [-1]


SUBSCRIBED = (("range", bytes.fromhex("0000 00000001 0001 75 ffffffff")),)
"""A subscription to the topic "u"."""


@pytest.mark.parametrize(("release", "expires"), [("2.3", False), ("2.4", True), ("3.8", True), ("4.3", True)])
def test_a_consumer_loses_offsets_of_topics_that_it_does_not_subscribe_to(release: str, expires: bool) -> None:
    kafka = kept(release)
    kafka.create_topic("u")
    member = Member(kafka, protocols=SUBSCRIBED)
    settled(member)
    member.commit(5)
    member.commit(6, topic="u")
    for _ in range(70):
        clock_of(kafka).advance(9_000)
        assert member.heartbeat() is E.NONE
    assert member.fetch(0) == [-1 if expires else 5]
    assert member.fetch(0, topic="u") == [6]


@pytest.mark.parametrize(("release", "expires"), [("3.1.0", True), ("3.1.1", False)])
def test_no_offset_expires_while_the_group_rebalances_since_3_1_1(release: str, expires: bool) -> None:
    kafka = kept(release)
    kafka.create_topic("u")
    member = Member(kafka, protocols=SUBSCRIBED, session_ms=1_800_000, rebalance_ms=1_800_000)
    settled(member)
    member.commit(5)
    Member(
        kafka, protocols=SUBSCRIBED, session_ms=1_800_000, rebalance_ms=1_800_000, versions={ApiKey.JOIN_GROUP: 3}
    ).join()
    clock_of(kafka).advance(11 * MINUTE)
    assert member.fetch(0) == [-1 if expires else 5]


@pytest.mark.parametrize(
    ("release", "expected"),
    [
        ("0.10.0", ["a:t0", "a:t1", "b:t0"]),  # in old formats each is its own unit
        ("0.11.0", ["a:t1 a:t0", "b:t0"]),
        ("3.8", ["a:t1 a:t0", "b:t0"]),
        ("4.3", ["b:t0 <b> a:t0 a:t1 <a>"]),
    ],
)
def test_expired_offsets_leave_tombstones(release: str, expected: list[str]) -> None:
    kafka = kept(release)
    simple(kafka, "a").commit(5, 6)
    simple(kafka, "b").commit(7)
    clock_of(kafka).advance(11 * MINUTE)
    found = tombstones(kafka)
    assert [sorted(each.split()) for each in found] == [sorted(each.split()) for each in expected]


@pytest.mark.parametrize(("release", "gone"), [("0.10.1", True), ("3.8", True), ("4.3", True)])
def test_a_group_without_members_and_offsets_is_deleted_with_a_tombstone(release: str, gone: bool) -> None:
    kafka = kept(release)
    member = Member(kafka)
    settled(member)
    member.leave()
    assert "g" in coordinator_of(kafka).classic_groups.groups
    clock_of(kafka).advance(1_000)
    assert "g" not in coordinator_of(kafka).classic_groups.groups
    assert tombstones(kafka) == ["<g>"]


def test_a_group_with_offsets_stays() -> None:
    kafka = kept("3.8")
    member = Member(kafka)
    settled(member)
    member.commit(5)
    member.leave()
    clock_of(kafka).advance(5_000)
    assert "g" in coordinator_of(kafka).classic_groups.groups


def test_0_8_2_checks_for_expired_offsets_only_every_ten_minutes() -> None:
    kafka = grouped("0.8.2", offsets_retention_minutes=1, offsets_retention_check_interval_ms=1_000)
    client = simple(kafka)
    clock_of(kafka).advance(MINUTE)
    client.commit(5)
    clock_of(kafka).advance(8 * MINUTE)
    assert client.fetch(0) == [5]
    clock_of(kafka).advance(MINUTE)
    assert client.fetch(0) == [-1]


# ---- deleted topics


@pytest.mark.parametrize(("release", "deleted"), [("0.10.1", False), ("0.10.2", True), ("3.8", True), ("4.3", True)])
def test_offsets_of_a_deleted_topic_are_deleted_since_0_10_2(release: str, deleted: bool) -> None:
    kafka = grouped(release)
    kafka.create_topic("u")
    client = simple(kafka)
    client.commit(5)
    client.commit(6, topic="u")
    kafka.delete_topic("u")
    kafka.create_topic("u")
    assert client.fetch(0) == [5]
    assert client.fetch(0, topic="u") == [-1 if deleted else 6]
    assert tombstones(kafka) == (["g:u0"] if deleted else [])


@pytest.mark.parametrize(("release", "stays"), [("3.8", False), ("4.3", True)])
def test_a_group_may_outlive_the_last_of_its_offsets(release: str, stays: bool) -> None:
    kafka = grouped(release, offsets_retention_check_interval_ms=1_000)
    kafka.create_topic("u")
    simple(kafka).commit(6, topic="u")
    kafka.delete_topic("u")
    assert (coordinator_of(kafka).classic_groups.find("g") is not None) == stays
    clock_of(kafka).advance(1_000)
    assert coordinator_of(kafka).classic_groups.find("g") is None


@pytest.mark.parametrize(
    ("release", "kept_offset"), [("0.10.0", -1), ("0.10.1", 1), ("2.3", 1), ("3.7.0", 1), ("3.7.1", -1)]
)
def test_an_offset_does_not_expire_while_a_refused_commit_is_left(release: str, kept_offset: int) -> None:
    """KAFKA-16371. Recorded from 0.10.0.1 to 3.7.1: pending_questions."""
    kafka = kept(release, offset_metadata_max_bytes=16)
    client = simple(kafka)
    client.commit(1, 1)
    now = clock_of(kafka).now_ms
    commits = [Commit("t", n, Committed(2, -1, metadata, now)) for n, metadata in enumerate(("m", "x" * 17))]
    coordinator_of(kafka).offset_manager.store("g", commits)
    clock_of(kafka).advance(11 * MINUTE)
    assert client.fetch(0, 1)[1] == kept_offset
    client.commit(3, 3)
    clock_of(kafka).advance(11 * MINUTE)
    assert client.fetch(1) == [-1]
