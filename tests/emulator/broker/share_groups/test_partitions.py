"""Share partitions at their leader."""

import pytest
from fakekafka.errors import ErrorCode

from tests.emulator.group_clients import clock_of
from tests.emulator.seeded import broker_of
from tests.emulator.share_group_clients import ShareMember, place, shared, state_of


def joined(release: str = "4.3", records: int = 4, **config: object) -> ShareMember:
    member = ShareMember(shared(release, records=records, **config))
    member.join()
    return member


@pytest.mark.parametrize(("reset", "expected"), [("earliest", [(0, 3, 1)]), ("latest", [])])
def test_where_a_group_begins(reset: str, expected: list[tuple[int, int, int]]) -> None:
    member = joined()
    broker_of(member.kafka).cluster.settings.groups["g"]["share.auto.offset.reset"] = reset
    assert member.got() == expected


def test_locks_end_by_the_clock() -> None:
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


def test_4_1_knows_no_renewals() -> None:
    member = joined("4.1")
    member.got()
    assert member.says((0, 3, [4])) == ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(("release", "count"), [("4.1", 1), ("4.2", 2)])
def test_the_end_of_a_session_sets_records_free(release: str, count: int) -> None:
    member = joined(release)
    member.got()
    member.acknowledge(epoch=-1)
    other = ShareMember(member.kafka, "other")
    assert other.got() == [(0, 3, count)]


def test_what_an_administrator_changed_is_read_anew() -> None:
    member = joined()
    member.got()
    shared_partitions = broker_of(member.kafka).share_partitions
    at = place(member.kafka)
    partition = broker_of(member.kafka).partition("t", 0)
    assert partition is not None
    before = shared_partitions.delivery(at, partition)
    shared_partitions.forget(at)
    assert shared_partitions.known(at, partition) is None
    assert shared_partitions.delivery(at, partition) is not before
