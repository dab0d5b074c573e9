"""Which records are delivered to which member."""

from collections.abc import Sequence

import pytest
from fakekafka.coordinators.share_partitions.delivery import JOINS, AckBatch, Delivery, Rules, Want
from fakekafka.coordinators.share_partitions.state_records import Change, Span
from fakekafka.errors import ApiError, ErrorCode
from hypothesis import given
from hypothesis import strategies as st

LIMIT = 5
ALL = Want(100, 100)
written: list[tuple[int, Sequence[Span], int]] = []


def delivery(rules: Rules = JOINS) -> Delivery:
    written.clear()
    return Delivery(0, (), written.append, rules)


def got(of: Delivery, member: str = "m", want: Want = ALL, *batches: tuple[int, int]) -> list[tuple[int, int, int]]:
    found = of.acquire(member, batches or [(0, 5)], want, LIMIT)
    return [(span.first, span.last, span.deliveries) for span in found]


def say(of: Delivery, *acks: tuple[int, int, list[int]], member: str = "m") -> None:
    of.store(of.answered(member, [AckBatch(*ack) for ack in acks], LIMIT))


def test_acquired_records_go_to_no_other_member() -> None:
    one = delivery()
    assert got(one) == [(0, 5, 1)]
    assert got(one, "n") == []
    assert one.next_offset == 6


def test_finished_records_move_the_start() -> None:
    one = delivery()
    got(one)
    say(one, (0, 0, [1]), (1, 1, [2]), (2, 2, [3]))
    assert (one.start, one.next_offset) == (1, 1)
    assert written == [Change(0, (Span(0, 0, 2, 1), Span(1, 1, 0, 1), Span(2, 2, 4, 1)), 2)]
    assert got(one) == [(1, 1, 2)]
    say(one, (1, 1, [1]))
    assert one.start == 3


def test_records_that_no_member_may_get_are_skipped_and_finished() -> None:
    one = delivery()
    spans = one.acquire("m", [(0, 5)], ALL, LIMIT)
    assert one.leave_out([(2, 3)], spans) == [Span(0, 1, 1, 1), Span(4, 5, 1, 1)]
    assert not written
    say(one, (0, 1, [1]))
    assert written == [Change(0, (Span(0, 1, 2, 1),), 4)]
    assert one.start == 4


def test_records_that_the_log_no_longer_has_are_skipped() -> None:
    one = delivery()
    got(one)
    say(one, (0, 2, [2]))
    assert got(one, "m", ALL, (3, 5), (6, 7)) == [(6, 7, 1)]
    assert one.next_offset == 8


def test_a_request_for_new_records_only_has_room_only_if_there_are_new_ones() -> None:
    one = delivery()
    got(one)
    assert not one.has_room(6)
    assert one.has_room(7, only_new=True)
    say(one, (0, 0, [2]))
    assert one.has_room(6)
    assert not one.has_room(7, only_new=True)


def test_batches_of_the_log_are_delivered_whole_unless_the_number_is_strict() -> None:
    assert got(delivery(), "m", Want(2, 2)) == [(0, 5, 1)]
    strict = delivery()
    assert got(strict, "m", Want(2, 2, strict=True)) == [(0, 1, 1)]
    assert got(strict, "n", Want(3, 2, strict=True)) == [(2, 4, 1)]


def test_units_of_delivery_end_where_batches_of_the_log_end() -> None:
    batches = [(0, 1), (2, 2), (3, 6), (7, 7)]
    assert got(delivery(), "m", Want(100, 3), *batches) == [(0, 2, 1), (3, 6, 1), (7, 7, 1)]
    assert got(delivery(), "m", ALL, *batches) == [(0, 7, 1)]


def test_the_number_of_records_in_flight_is_limited() -> None:
    one = delivery()
    assert got(one, "m", Want(100, 100, room=4)) == [(0, 5, 1)]
    assert not one.has_room(6)
    say(one, (0, 2, [1]))
    assert one.has_room(6)


def test_a_lock_expires() -> None:
    one = delivery()
    got(one)
    lock = one.last_lock
    assert one.expire(lock, LIMIT)
    assert not one.expire(lock, LIMIT)
    assert got(one, "n") == [(0, 5, 2)]


def test_a_renewed_lock_outlives_the_original_one() -> None:
    one = delivery()
    got(one)
    lock = one.last_lock
    renewals = [AckBatch(0, 5, [4])]
    one.store(one.answered("m", renewals, LIMIT))
    assert one.renewed("m", renewals)
    assert not one.expire(lock, LIMIT)
    assert one.expire(one.last_lock, LIMIT)


def test_records_that_were_delivered_too_often_are_archived() -> None:
    one = delivery()
    for count in range(1, LIMIT + 1):
        assert got(one) == [(0, 5, count)]
        say(one, (0, 5, [2]))
    assert (got(one), one.start) == ([], 6)


def test_the_end_of_a_session_may_count_as_no_delivery() -> None:
    one = delivery()
    got(one)
    one.release("m", LIMIT, counts=False)
    assert got(one) == [(0, 5, 1)]
    one.release("m", LIMIT, counts=True)
    assert got(one) == [(0, 5, 2)]


def test_4_1_shows_the_rest_of_a_unit_record_by_record() -> None:
    one = delivery(Rules(joins=False))
    got(one)
    say(one, (0, 2, [1]))
    one.release("m", LIMIT, counts=True)
    assert got(one) == [(3, 3, 2), (4, 4, 2), (5, 5, 2)]


def test_records_that_come_back_often_are_delivered_in_smaller_numbers_and_finally_alone() -> None:
    one = delivery(Rules(throttles=True))
    batch = (0, 7)
    for _ in range(3):
        assert got(one, "m", ALL, batch)[0][:2] == (0, 7)
        one.release("m", LIMIT, counts=True)
    assert got(one, "m", ALL, batch) == [(0, 3, 4)]
    one.release("m", LIMIT, counts=True)
    assert got(one, "m", ALL, batch) == [(0, 0, 5)]


@pytest.mark.parametrize(
    ("ack", "member", "error"),
    [
        ((9, 9, [1]), "m", ErrorCode.INVALID_REQUEST),
        ((5, 9, [1]), "m", ErrorCode.INVALID_REQUEST),
        ((0, 5, [1]), "n", ErrorCode.INVALID_RECORD_STATE),
        ((0, 0, [1]), "n", ErrorCode.INVALID_RECORD_STATE),
    ],
)
def test_refused_acknowledgements_change_nothing(
    ack: tuple[int, int, list[int]], member: str, error: ErrorCode
) -> None:
    one = delivery()
    got(one)
    with pytest.raises(ApiError) as refused:
        say(one, (0, 0, [1]), ack, member=member)
    assert refused.value.code is error
    assert not written
    assert one.start == 0


def test_records_that_were_acknowledged_cannot_be_acknowledged_again() -> None:
    one = delivery()
    got(one)
    say(one, (1, 2, [2]))
    with pytest.raises(ApiError, match="not acquired"):
        say(one, (1, 2, [1]))
    say(one, (0, 0, [1]))
    say(one, (0, 0, [1]))


def test_a_delivery_begins_with_the_written_state() -> None:
    one = Delivery(2, [Span(0, 3, 0, 2), Span(4, 4, 2, 1)], lambda *_: None)
    assert (one.next_offset, one.end) == (2, 4)
    assert got(one) == [(2, 3, 3), (5, 5, 1)]


def test_the_start_of_a_delivery_moves_with_that_of_the_log() -> None:
    one = delivery()
    got(one)
    one.move_start(4)
    assert (one.start, one.end, one.next_offset) == (4, 5, 6)
    one.move_start(9)
    assert (one.start, one.next_offset) == (9, 9)


@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(1, 4), st.booleans(), st.integers(1, 3)), max_size=30))
def test_no_record_is_acquired_by_two_members(steps: list[tuple[str, int, bool, int]]) -> None:
    one = delivery(Rules(throttles=True))
    has: dict[str, set[int]] = {"a": set(), "b": set()}
    for member, most, strict, word in steps:
        for first, last, _ in got(one, member, Want(most, 3, strict), (0, 2), (3, 3), (4, 9)):
            mine = set(range(first, last + 1))
            assert not mine & (has["a"] | has["b"])
            has[member] |= mine
        if has[member]:
            offset = has[member].pop()
            say(one, (offset, offset, [word]), member=member)


def test_what_came_back_goes_out_as_far_as_more_may_be_in_flight() -> None:
    """SharePartition.lastOffsetAndMaxRecordsToAcquire: as random traffic had it from 4.3.1."""
    one = delivery()
    halves = [(0, 2), (3, 5)]
    assert got(one, "m", Want(100, 3), *halves) == [(0, 2, 1), (3, 5, 1)]
    say(one, (0, 2, [2]), (3, 5, [2]))
    assert got(one, "m", Want(100, 3, room=8), *halves) == [(0, 2, 2)]
    assert got(one, "m", Want(100, 3, room=6), *halves) == [(3, 5, 2)]
