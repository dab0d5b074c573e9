import pytest
from fakekafka.errors import ErrorCode
from fakekafka.log.append_info import Origin
from fakekafka.log.first_attempts import FirstAttempts
from fakekafka.log.producer_state import ProducerState, Refused

from tests.emulator.log.batches import Set, batch, rules


def noted(*attempts: tuple[int, int], from_zero: bool = False) -> FirstAttempts:
    """The epochs and sequences that producer 7 tried."""
    found = FirstAttempts()
    for epoch, first in attempts:
        found.note(7, epoch, first, from_zero, 0)
    return found


@pytest.mark.parametrize(
    ("attempts", "lowest"),
    [([(0, 3)], 3), ([(0, 3), (0, 5)], 3), ([(0, 3), (0, 1)], 1), ([(0, 3), (1, 5)], 5), ([(1, 3), (0, 1)], 3)],
)
def test_the_lowest_sequence_of_the_newest_epoch_counts(attempts: list[tuple[int, int]], lowest: int) -> None:
    found = noted(*attempts)
    assert not found.bars(7, lowest, is_new=True)
    assert found.bars(7, lowest + 1, is_new=True)


def test_a_producer_without_an_attempt_is_not_barred() -> None:
    assert not noted((0, 3)).bars(8, 9, is_new=True)


def test_an_unknown_producer_must_begin_with_0_if_its_attempt_says_so() -> None:
    found = noted((0, 3), from_zero=True)
    assert found.bars(7, 3, is_new=True)
    assert not found.bars(7, 3, is_new=False)
    assert not found.bars(7, 0, is_new=True)


def test_a_producer_that_has_begun_is_settled() -> None:
    found = noted((0, 3))
    found.settle(7)
    found.settle(8)
    assert not found.bars(7, 9, is_new=False)
    assert not found


def test_attempts_that_came_to_nothing_expire() -> None:
    found = noted((0, 3))
    found.remove_expired(999, 1000)
    assert found
    found.remove_expired(1000, 1000)
    assert not found


def sent(offset: int, sequence: int) -> Set:
    return batch(offset, 1000, producer=7, sequence=sequence, producer_epoch=0, transactional=True)


def test_a_partition_refuses_the_second_batch_while_the_first_is_missing() -> None:
    state = ProducerState(rules("3.9"))
    state.attempts.note(7, 0, 3, from_zero=False, now=0)
    _, later = sent(0, 5)
    assert state.check(later.batches, Origin.CLIENT) == Refused(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    for number, sequence in enumerate((3, 4)):
        _, info = sent(number, sequence)
        update = state.check(info.batches, info.origin)
        assert not isinstance(update, Refused)
        state.apply(update)
    assert not state.attempts
