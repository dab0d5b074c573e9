"""Offsets kept as the first design had them."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.coordinators.groups.offsets.atomic.entries import Value, read_value, value_bytes
from fakekafka.errors import ErrorCode
from fakekafka.log.append_info import Origin
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.state.topics import COMMIT_LOG
from fakekafka.wire.apis.offset_commit import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)

from tests.support.brokers import answer
from tests.support.group_clients import (
    SMALL,
    Member,
    clock_of,
    coordinator_is_there,
    coordinator_of,
    settled,
    simple,
)
from tests.support.seeded import NOW, partition_of

RELEASES = ["0.8.2", "0.10.2", "2.3", "4.3"]


def seeded(release: str = "3.8", **config: object) -> FakeKafka:
    given = {name.replace("_", "."): value for name, value in config.items()}
    kafka = FakeKafka(
        release, config=SMALL | given, clock=ManualClock(NOW), topics={"t": 8}, drafts=["atomic-offset-log"]
    ).boot()
    coordinator_is_there(kafka)
    return kafka


def entries(kafka: FakeKafka) -> list[tuple[str, Value | None]]:
    """Keys and values of the log."""
    return [
        ((record.key or b"").decode(), None if record.value is None else read_value(record.value))
        for record in kafka.records(COMMIT_LOG)
    ]


def write(kafka: FakeKafka, key: str, value: Value) -> None:
    """Append one message directly, without the broker noticing."""
    partition = partition_of(kafka, 0, COMMIT_LOG)
    build = (v0.build, v1.build, v2.build)[partition.log.config.message_format]
    message = build([Record(0, NOW, 0, key.encode(), value_bytes(value))])
    partition.append_from(Origin.COORDINATOR, bytearray(message), NOW)


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.statement("S4-20")
@pytest.mark.statement("S4-22")
@pytest.mark.statement("S4-29")
@pytest.mark.statement("S4-30")
def test_a_commit_is_one_message_an_offset_with_the_commits_id_and_size(release: str) -> None:
    kafka = seeded(release)
    consumer = simple(kafka)
    consumer.commit(5, 6, metadata="m")
    consumer.commit(7)
    assert sorted(entries(kafka)[:2]) == [("g-t-0", Value(5, 1, 2, "m")), ("g-t-1", Value(6, 1, 2, "m"))]
    assert entries(kafka)[2:] == [("g-t-0", Value(7, 2, 1, ""))]
    assert consumer.fetch(0, 1, 2) == [7, 6, -1]
    assert kafka.topics()["offset-commit-log"] == 1
    assert kafka.records("__consumer_offsets") == []


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.statement("S4-19")
def test_offsets_are_loaded_from_the_log(release: str) -> None:
    kafka = seeded(release)
    simple(kafka).commit(5, 6)
    simple(kafka).commit(7)
    kafka.restart(crash=True)
    clock_of(kafka).advance(1)
    assert simple(kafka).fetch(0, 1, 2) == [7, 6, -1]
    simple(kafka).commit(8)
    assert entries(kafka)[-1] == ("g-t-0", Value(8, 3, 1, ""))


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.statement("S4-31")
@pytest.mark.statement("S4-33")
@pytest.mark.statement("S4-34")
@pytest.mark.statement("S4-35")
@pytest.mark.statement("S4-36")
def test_a_truncated_commit_is_not_applied_and_the_valid_offsets_are_written_again(release: str) -> None:
    kafka = seeded(release)
    simple(kafka).commit(5, 6)
    write(kafka, "g-t-0", Value(100, 2, 3, ""))
    write(kafka, "g-t-7", Value(107, 2, 3, ""))  # the third message was never written
    kafka.restart(crash=True)
    clock_of(kafka).advance(1)
    assert simple(kafka).fetch(0, 1, 7) == [5, 6, -1]
    assert entries(kafka)[4:] == [("g-t-0", Value(5, 3, 1, "")), ("g-t-7", None)]
    kafka.restart()
    clock_of(kafka).advance(1)
    assert len(entries(kafka)) == 6  # the valid offsets are written only once
    kafka.compact(COMMIT_LOG, roll=True)
    kafka.restart()
    clock_of(kafka).advance(1)
    assert simple(kafka).fetch(0, 1, 7) == [5, 6, -1]


@pytest.mark.statement("S4-17")
def test_the_messages_of_a_commit_that_the_cleaner_leaves_still_count() -> None:
    kafka = seeded()
    simple(kafka).commit(5, 6, 7)
    simple(kafka).commit(8)
    kafka.compact(COMMIT_LOG, roll=True)
    assert sorted(key for key, _ in entries(kafka)) == ["g-t-0", "g-t-1", "g-t-2"]
    kafka.restart()
    clock_of(kafka).advance(1)
    assert simple(kafka).fetch(0, 1, 2) == [8, 6, 7]
    assert len(entries(kafka)) == 3


def test_deleted_offsets_get_tombstones() -> None:
    kafka = seeded(offsets_retention_check_interval_ms=1_000, offsets_retention_minutes=1)
    simple(kafka).commit(5)
    clock_of(kafka).advance(62_000)
    assert entries(kafka)[1:] == [("g-t-0", None)]
    kafka.restart()
    clock_of(kafka).advance(1)
    assert simple(kafka).fetch(0) == [-1]


def test_a_commit_that_cannot_be_written_changes_nothing() -> None:
    kafka = seeded()
    simple(kafka).commit(5)
    partition_of(kafka, 0, COMMIT_LOG).min_in_sync = 2
    assert simple(kafka).commit(6) == [ErrorCode.COORDINATOR_NOT_AVAILABLE]
    assert simple(kafka).fetch(0) == [5]


@pytest.mark.statement("S4-27", "S4-34", "S4-36")
def test_a_commit_of_which_only_the_beginning_fits_is_refused_and_followed_by_the_valid_offsets() -> None:
    """Otherwise the cleaner would remove the right value at once, and a start could not bring it back."""
    kafka = seeded("4.3")
    simple(kafka).commit(5, 6)
    kafka.configure_topic(COMMIT_LOG, {"max.message.bytes": "200"})
    places = [("t", 0, ""), ("t", 2, ""), ("t", 3, "m" * 400)]
    partitions = [
        OffsetCommitRequestPartition(partition_index=index, committed_offset=100, committed_metadata=metadata)
        for _, index, metadata in places
    ]
    topics = [OffsetCommitRequestTopic(name="t", partitions=partitions)]
    request = OffsetCommitRequest(group_id="g", generation_id_or_member_epoch=-1, member_id="", topics=topics)
    done = answer(kafka, request, 2, OffsetCommitResponse)
    assert {p.error_code for p in done.topics[0].partitions} == {ErrorCode.INVALID_COMMIT_OFFSET_SIZE}
    assert [key for key, _ in entries(kafka)] == ["g-t-0", "g-t-1", "g-t-0", "g-t-2", "g-t-0", "g-t-2"]
    for _ in range(2):
        assert simple(kafka).fetch(0, 1, 2, 3) == [5, 6, -1, -1]
        kafka.compact(COMMIT_LOG, roll=True)
        kafka.restart()
        clock_of(kafka).advance(1)


def test_a_commit_is_refused_if_another_broker_leads_its_partition_of_the_log() -> None:
    kafka = seeded()
    simple(kafka).commit(5)
    on = coordinator_of(kafka)
    assert on.commit_log is not None
    partition_of(kafka, 0, COMMIT_LOG).state.leader = 9
    assert simple(kafka).commit(6) == [ErrorCode.NOT_COORDINATOR]


def test_members_of_groups_commit_as_usual() -> None:
    kafka = seeded()
    member = Member(kafka)
    settled(member)
    assert member.commit(5) == [ErrorCode.NONE]
    kafka.restart()
    clock_of(kafka).advance(1)
    assert member.fetch(0) == [5]


def test_foreign_records_in_the_log_of_commits_are_left_out() -> None:
    kafka = seeded()
    simple(kafka).commit(5)
    kafka.send(COMMIT_LOG, b"x", key=b"g-t-0")
    kafka.send(COMMIT_LOG, value_bytes(Value(6, 9, 1, "")), key=b"\xff-t-0")
    kafka.send(COMMIT_LOG, value_bytes(Value(6, 9, 1, "")), key=b"nothing")
    kafka.send(COMMIT_LOG, value_bytes(Value(6, 9, 1, "")), key=b"g-t-" + b"1" * 5000)
    kafka.restart()
    assert simple(kafka).fetch(0) == [5]


def test_a_message_that_is_damaged_is_left_out() -> None:
    kafka = seeded()
    simple(kafka).commit(5)
    simple(kafka).commit(6)
    kafka.damage(COMMIT_LOG, how="zeros")
    kafka.restart()
    assert simple(kafka).fetch(0) == [5]
