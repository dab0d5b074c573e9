"""Share partitions at their leader."""

from typing import Any

import pytest
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.partitions import duration_ms
from fakekafka.errors import ErrorCode

from tests.support.group_clients import clock_of
from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, place, shared, state_of


@pytest.mark.parametrize(
    ("text", "ms"),
    [("PT1S", 1000), ("pt2h30m", 9_000_000), ("P1DT0.5S", 86_400_500), ("+PT1,25S", 1250), ("PT0.0001S", 0)],
)
def test_the_parts_of_a_duration_are_added_up(text: str, ms: int) -> None:
    assert duration_ms(text) == ms


def joined(release: str = "4.3", records: int = 4, **config: Any) -> ShareMember:
    member = ShareMember(shared(release, records=records, **config))
    member.join()
    return member


@pytest.mark.parametrize(("reset", "expected"), [("earliest", [(0, 3, 1)]), ("latest", [])])
def test_the_reset_config_decides_where_a_group_begins(reset: str, expected: list[tuple[int, int, int]]) -> None:
    member = joined()
    broker_of(member.kafka).cluster.settings.groups["g"]["share.auto.offset.reset"] = reset
    assert member.got() == expected


def test_locks_expire_with_time() -> None:
    member = joined()
    assert member.got() == [(0, 3, 1)]
    clock_of(member.kafka).advance(29_999)
    assert member.got() == []
    clock_of(member.kafka).advance(1)
    assert member.got() == [(0, 3, 2)]


def test_renewed_locks_last_longer() -> None:
    member = joined()
    member.got()
    clock_of(member.kafka).advance(20_000)
    assert member.says((0, 3, [4])) == ErrorCode.NONE
    clock_of(member.kafka).advance(20_000)
    assert member.says((0, 3, [1])) == ErrorCode.NONE
    assert state_of(member.kafka).spans[0].state == 2


def test_4_1_has_no_renewals() -> None:
    member = joined("4.1")
    member.got()
    assert member.says((0, 3, [4])) == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(("release", "count"), [("4.1", 1), ("4.2", 2)])
def test_the_end_of_a_session_releases_records(release: str, count: int) -> None:
    member = joined(release)
    member.got()
    member.acknowledge(epoch=-1)
    other = ShareMember(member.kafka, "other")
    assert other.got() == [(0, 3, count)]


def test_a_state_that_an_administrator_changed_is_read_again() -> None:
    member = joined()
    member.got()
    shared_partitions = coordinators_of(broker_of(member.kafka)).share.partitions
    at = place(member.kafka)
    partition = broker_of(member.kafka).partition("t", 0)
    assert partition is not None
    before = shared_partitions.delivery(at, partition)
    shared_partitions.forget(at)
    assert shared_partitions.known(at, partition) is None
    assert shared_partitions.delivery(at, partition) is not before


@pytest.mark.parametrize(("age", "expected"), [("PT90M", [(1, 2, 1)]), ("P1D", [(0, 2, 1)])])
def test_a_group_may_begin_with_records_of_a_given_age(age: str, expected: list[tuple[int, int, int]]) -> None:
    member = joined(records=0)
    kafka = member.kafka
    broker_of(kafka).cluster.settings.groups["g"]["share.auto.offset.reset"] = f"by_duration:{age}"
    for hours in (2, 1, 0):
        kafka.send("t", b"v", timestamp=clock_of(kafka).now_ms - hours * 3_600_000)
    assert member.got() == expected


def test_a_group_that_begins_by_age_gets_an_error_until_a_record_is_young_enough() -> None:
    member = joined()
    kafka = member.kafka
    broker_of(kafka).cluster.settings.groups["g"]["share.auto.offset.reset"] = "by_duration:PT1S"
    clock_of(kafka).advance(60_000)
    said = member.fetch(max_wait_ms=1)
    assert said.responses[0].partitions[0].error_code == ErrorCode.OFFSET_NOT_AVAILABLE
    kafka.send("t", b"v")
    assert [member.got(), member.got()] == [[], [(4, 4, 1)]]


def test_records_come_back_when_the_connection_of_their_member_ends() -> None:
    member = joined()
    other = ShareMember(member.kafka, "other")
    member.got()
    assert other.got() == []
    member.connection.disconnect()
    assert other.got() == [(0, 3, 2)]


def test_the_state_of_a_group_without_connections_is_read_again() -> None:
    member = joined()
    member.got()
    member.says((0, 1, [1]), (2, 2, [2]))
    member.connection.disconnect()
    other = ShareMember(member.kafka, "other")
    assert other.got() == [(2, 3, 2)]


@pytest.mark.parametrize(("release", "expected"), [("4.1", [(0, 149, 1)]), ("4.2", [(0, 99, 1)])])
def test_only_as_many_records_are_in_flight_as_the_config_allows(
    release: str, expected: list[tuple[int, int, int]]
) -> None:
    member = joined(release, records=150, group_share_partition_max_record_locks=100)
    assert member.got(most=500) == expected
    assert member.got(most=500) == []


def test_a_group_may_forbid_renewals() -> None:
    member = joined()
    broker_of(member.kafka).cluster.settings.groups["g"]["share.renew.acknowledge.enable"] = "false"
    member.got()
    assert member.says((0, 3, [4])) == ErrorCode.INVALID_RECORD_STATE


def test_a_partition_that_nobody_has_read_from_cannot_be_acknowledged() -> None:
    member = joined()
    member.fetch(partitions=())
    assert member.says((0, 0, [1])) == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize("crash", [False, True])
def test_delivery_counts_of_records_outlive_a_restart(crash: bool) -> None:
    member = joined(records=4)
    member.got()
    member.says((0, 0, [1]), (1, 2, [2]))
    member.kafka.restart(crash=crash)
    again = ShareMember(member.kafka)
    assert again.got() == [(1, 2, 2), (3, 3, 1)]
    assert again.says((1, 3, [1])) == ErrorCode.NONE
    assert state_of(member.kafka).start == 1
