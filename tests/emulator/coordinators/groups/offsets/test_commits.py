import pytest
from fakekafka.coordinators.groups.offsets.commits import Commit, utf16_units
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.errors import ErrorCode
from hypothesis import given
from hypothesis import strategies as st

from tests.support.group_clients import Member, clock_of, coordinator_of, grouped, settled, simple
from tests.support.seeded import NOW, partition_of

E = ErrorCode
GENERATIONS = ["0.9.0", "0.10.1", "2.3", "2.8", "3.8", "4.3"]
"""Releases with different coordinators."""


# ---- who may commit


@pytest.mark.parametrize("release", ["0.8.2", *GENERATIONS])
def test_a_client_that_is_not_a_member_may_commit_into_a_group_without_members(release: str) -> None:
    client = simple(grouped(release))
    assert client.commit(5, 6) == [E.NONE, E.NONE]
    assert client.fetch(0, 1, 2) == [5, 6, -1]


@pytest.mark.parametrize("release", GENERATIONS)
def test_members_commit_with_their_generation(release: str) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    assert member.commit(5) == [E.NONE]
    assert simple(kafka).commit(6) == [E.UNKNOWN_MEMBER_ID]
    member.generation = 9
    assert member.commit(6) == [E.ILLEGAL_GENERATION]
    member.id = "stranger"
    assert member.commit(6) == [E.UNKNOWN_MEMBER_ID]
    assert member.fetch(0) == [5]


@pytest.mark.parametrize(
    ("release", "error"),
    [
        ("0.8.2", E.NONE),
        ("0.9.0", E.ILLEGAL_GENERATION),
        ("3.8", E.ILLEGAL_GENERATION),
        ("4.0", E.GROUP_ID_NOT_FOUND),
    ],
)
def test_a_generation_of_an_unknown_group_is_refused_from_0_9_on(release: str, error: ErrorCode) -> None:
    client = simple(grouped(release))
    client.generation = 0
    assert client.commit(5) == [error]


@pytest.mark.parametrize(
    ("release", "error"), [("2.8", E.NONE), ("3.0", E.UNKNOWN_MEMBER_ID), ("3.2", E.UNKNOWN_MEMBER_ID), ("3.3", E.NONE)]
)
def test_from_3_0_to_3_2_a_member_id_without_a_generation_is_checked(release: str, error: ErrorCode) -> None:
    client = simple(grouped(release))
    client.id = "somebody"
    assert client.commit(5) == [error]


def test_a_group_with_only_offsets_has_generation_0() -> None:
    kafka = grouped()
    client = simple(kafka)
    client.commit(5)
    client.generation = 0
    assert client.commit(6) == [E.UNKNOWN_MEMBER_ID]


@pytest.mark.parametrize(("release", "old"), [("2.3", E.REBALANCE_IN_PROGRESS), ("2.4", E.ILLEGAL_GENERATION)])
def test_commits_before_the_sync_are_refused(release: str, old: ErrorCode) -> None:
    member = Member(grouped(release))
    member.join()
    assert member.commit(5) == [E.REBALANCE_IN_PROGRESS]
    member.generation = 9
    assert member.commit(5) == [old]


def test_commits_are_accepted_while_members_join() -> None:
    kafka = grouped()
    member = Member(kafka)
    settled(member)
    Member(kafka).join()
    assert member.commit(5) == [E.NONE]


@pytest.mark.parametrize(("release", "kept"), [("0.9.0", False), ("0.10.0", True), ("4.3", True)])
def test_since_0_10_0_a_commit_keeps_the_session_alive(release: str, kept: bool) -> None:
    kafka = grouped(release)
    member = Member(kafka)
    settled(member)
    clock_of(kafka).advance(9_000)
    member.commit(5)
    clock_of(kafka).advance(9_000)
    assert (member.heartbeat() is E.NONE) == kept


@pytest.mark.parametrize(("release", "fenced"), [("2.3", True), ("4.3", True)])
def test_a_static_member_can_commit_until_it_is_replaced(release: str, fenced: bool) -> None:
    kafka = grouped(release)
    old, new = Member(kafka, instance_id="i"), Member(kafka, instance_id="i")
    settled(old)
    assert old.commit(5) == [E.NONE]
    new.join()
    assert (old.commit(6) == [E.FENCED_INSTANCE_ID]) == fenced


# ---- what is committed


@given(st.text())
def test_the_length_of_metadata_is_counted_as_in_java(text: str) -> None:
    assert utf16_units(text) == sum(1 + (ord(c) > 0xFFFF) for c in text)


@pytest.mark.parametrize("metadata", ["x" * 17, "é" * 17, "\U0001f600" * 9])
@pytest.mark.parametrize("release", ["0.9.0", "4.3"])
def test_metadata_that_is_too_long_is_refused(release: str, metadata: str) -> None:
    kafka = grouped(release, offset_metadata_max_bytes=16)
    client = simple(kafka)
    assert client.commit(5, metadata=metadata) == [E.OFFSET_METADATA_TOO_LARGE]
    assert client.commit(6, metadata=metadata[:8]) == [E.NONE]
    assert client.fetch(0) == [6]


def test_0_8_2_returns_offsets_that_it_refused_until_it_is_restarted() -> None:
    kafka = grouped("0.8.2", partitions=1, offset_metadata_max_bytes=16)
    kafka.send("t", b"a record, as 0.8.2 needs one to start again")
    client = simple(kafka)
    client.commit(4)
    assert client.commit(5, metadata="x" * 17) == [E.OFFSET_METADATA_TOO_LARGE]
    assert client.fetch(0) == [5]
    kafka.restart()
    client.reconnect()
    assert client.fetch(0) == [4]


@pytest.mark.parametrize("release", ["0.9.0", "3.8"])
def test_a_commit_without_any_valid_offset_creates_the_group_all_the_same(release: str) -> None:
    kafka = grouped(release, offset_metadata_max_bytes=16)
    simple(kafka).commit(5, metadata="x" * 17)
    assert (coordinator_of(kafka).classic_groups.find("g") is not None) == (release == "3.8")


@pytest.mark.parametrize(("commits", "records"), [("3.8", 1), ("4.0", 2)])
def test_the_last_commit_for_a_partition_that_is_named_twice_counts(commits: str, records: int) -> None:
    kafka = grouped(commits)
    coordinator = coordinator_of(kafka)
    twice = [Commit("t", 0, Committed(n, -1, "", NOW)) for n in (1, 2)]
    assert coordinator.offset_manager.store("g", twice) == [E.NONE, E.NONE]
    assert simple(kafka).fetch(0) == [2]
    assert len(kafka.records("__consumer_offsets")) == records


def test_a_commit_is_one_append() -> None:
    kafka = grouped()
    simple(kafka).commit(*range(8))
    (batch,) = partition_of(kafka, topic="__consumer_offsets").log.segments[-1].batches()
    assert (batch.count, batch.base_sequence, batch.producer_id) == (8, 0, -1)


@pytest.mark.parametrize("release", ["0.9.0", "4.3"])
def test_with_too_few_replicas_there_is_no_coordinator(release: str) -> None:
    kafka = grouped(release)
    partition_of(kafka, topic="__consumer_offsets").min_in_sync = 2
    assert simple(kafka).commit(5) == [E.COORDINATOR_NOT_AVAILABLE]
    assert simple(kafka).fetch(0) == [-1]


def test_with_required_acks_1_a_commit_needs_the_leader_only() -> None:
    kafka = grouped("3.8", offsets_commit_required_acks=1)
    partition_of(kafka, topic="__consumer_offsets").min_in_sync = 2
    assert simple(kafka).commit(5) == [E.NONE]


# ---- times


@pytest.mark.parametrize(
    ("release", "timestamp", "retention", "expected"),
    [
        ("0.8.2", -1, -1, (NOW, None)),
        ("0.8.2", 7, -1, (7, None)),
        ("0.9.0", -1, -1, (NOW, NOW + 60_000)),
        ("0.9.0", 7, -1, (NOW, 60_007)),
        ("2.0", -1, 1_000, (NOW, NOW + 1_000)),
        ("2.1", -1, -1, (NOW, None)),
        ("2.1", 7, -1, (7, None)),
        ("2.1", -1, 1_000, (NOW, NOW + 1_000)),
    ],
)
def test_a_commit_gets_a_timestamp_and_an_expiry(
    release: str, timestamp: int, retention: int, expected: tuple[int, int | None]
) -> None:
    kafka = grouped(release, offsets_retention_minutes=1)
    assert coordinator_of(kafka).offset_manager.committed_at(timestamp, retention) == expected


def test_retention_overflows_up_to_0_10_1_0() -> None:
    minutes = 2**31 // 60 + 1
    assert coordinator_of(grouped("0.10.0", offsets_retention_minutes=minutes)).offset_manager.retention_ms() < 0
    later = coordinator_of(grouped("0.10.2", offsets_retention_minutes=minutes))
    assert later.offset_manager.retention_ms() == minutes * 60_000


def test_an_expiry_that_follows_from_the_retention_is_not_kept() -> None:
    coordinator = coordinator_of(grouped("2.0", offsets_retention_minutes=1))
    assert coordinator.offset_manager.normal(Committed(1, -1, "", NOW, NOW + 60_000)).expire_timestamp is None
    assert coordinator.offset_manager.normal(Committed(1, -1, "", NOW, NOW + 60_001)).expire_timestamp == NOW + 60_001
    later = coordinator_of(grouped("2.1", offsets_retention_minutes=1))
    assert later.offset_manager.normal(Committed(1, -1, "", NOW, NOW + 60_000)).expire_timestamp == NOW + 60_000
