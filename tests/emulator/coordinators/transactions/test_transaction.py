import pytest
from fakekafka.coordinators.transactions.states import State
from fakekafka.coordinators.transactions.transaction import LAST_EPOCH, Transaction

NEW = Transaction("x", 0, 60_000, 0)


def test_a_state_that_may_follow_is_given_back() -> None:
    assert NEW.to(State.ONGOING) is State.ONGOING


@pytest.mark.parametrize("state", [State.PREPARE_COMMIT, State.COMPLETE_COMMIT, State.PREPARE_EPOCH_FENCE])
def test_one_that_may_not_is_a_defect(state: State) -> None:
    with pytest.raises(AssertionError, match="cannot follow Empty"):
        NEW.to(state)


@pytest.mark.parametrize(("epoch", "exhausted"), [(0, False), (LAST_EPOCH - 1, False), (LAST_EPOCH, True)])
def test_the_last_epoch_but_one_is_the_last_that_a_producer_gets(epoch: int, exhausted: bool) -> None:
    assert NEW._replace(epoch=epoch).is_exhausted is exhausted
