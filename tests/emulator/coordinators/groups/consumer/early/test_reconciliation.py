"""Members of the early access (3.7) on their way to their targets."""

import pytest
from fakekafka.coordinators.groups.consumer.early.reconciliation import EarlyAim, reconciled_early
from fakekafka.coordinators.groups.consumer.group import Early, Member, MemberState, assignment

T = b"t" * 16
BOTH = {T: frozenset({0, 1})}
FIRST, SECOND = {T: frozenset({0})}, {T: frozenset({1})}
HAS_BOTH = Member("m", epoch=1, assigned={T: {0: 1, 1: 1}}, early=Early(1))


def test_a_member_gets_free_partitions_and_waits_for_the_rest_in_the_new_epoch() -> None:
    led = reconciled_early(Member("m"), EarlyAim(2, BOTH, {(T, 1)}, {}))
    assert (led.epoch, led.state, assignment(led.assigned)) == (2, MemberState.UNRELEASED_PARTITIONS, FIRST)
    assert led.early == Early(2, SECOND)
    assert reconciled_early(led, EarlyAim(2, BOTH, {(T, 0), (T, 1)}, None)) is led
    arrived = reconciled_early(led, EarlyAim(2, BOTH, {(T, 0)}, None))
    assert (arrived.state, assignment(arrived.assigned), arrived.previous_epoch) == (MemberState.STABLE, BOTH, 2)


@pytest.mark.parametrize("reported", [None, BOTH, {}], ids=["says nothing", "has both", "has none"])
def test_a_member_stays_in_its_epoch_until_it_reports_exactly_the_partitions_that_it_keeps(
    reported: dict[bytes, frozenset[int]],
) -> None:
    led = reconciled_early(HAS_BOTH, EarlyAim(2, FIRST, {(T, 0), (T, 1)}, BOTH))
    assert (led.epoch, led.state, assignment(led.revoking)) == (1, MemberState.UNREVOKED_PARTITIONS, SECOND)
    aim = EarlyAim(2, FIRST, {(T, 0), (T, 1)}, reported)
    assert reconciled_early(led, aim) is led
    arrived = reconciled_early(led, aim._replace(reported=FIRST))
    assert (arrived.epoch, arrived.previous_epoch, arrived.state) == (2, 1, MemberState.STABLE)


def test_a_newer_target_may_keep_partitions_that_are_being_given_up() -> None:
    led = reconciled_early(HAS_BOTH, EarlyAim(2, FIRST, {(T, 0), (T, 1)}, BOTH))
    back = reconciled_early(led, EarlyAim(3, BOTH, {(T, 0), (T, 1)}, None))
    assert (back.epoch, back.state, assignment(back.assigned)) == (3, MemberState.STABLE, BOTH)
