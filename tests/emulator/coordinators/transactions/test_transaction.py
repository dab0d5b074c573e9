import pytest
from fakekafka.coordinators.transactions.transaction import (
    BY_LABEL,
    COMES_FROM,
    LAST_EPOCH,
    RESTING,
    State,
    Transaction,
)

NEW = Transaction("x", 0, 60_000, 0)


def test_an_allowed_transition_returns_its_new_state() -> None:
    assert NEW.to(State.ONGOING) is State.ONGOING


@pytest.mark.parametrize("state", [State.PREPARE_COMMIT, State.COMPLETE_COMMIT, State.PREPARE_EPOCH_FENCE])
def test_a_transition_that_is_not_allowed_is_a_defect(state: State) -> None:
    with pytest.raises(AssertionError, match="cannot follow Empty"):
        NEW.to(state)


@pytest.mark.parametrize(("epoch", "exhausted"), [(0, False), (LAST_EPOCH - 1, False), (LAST_EPOCH, True)])
def test_the_last_epoch_but_one_is_the_last_that_a_producer_gets(epoch: int, exhausted: bool) -> None:
    assert NEW._replace(epoch=epoch).is_exhausted is exhausted


def test_states_have_the_names_that_clients_read() -> None:
    assert list(BY_LABEL) == [
        "Empty",
        "Ongoing",
        "PrepareCommit",
        "PrepareAbort",
        "CompleteCommit",
        "CompleteAbort",
        "Dead",
        "PrepareEpochFence",
    ]
    assert [int(state) for state in BY_LABEL.values()] == list(range(8))


@pytest.mark.parametrize("state", list(State))
def test_every_state_follows_another_one(state: State) -> None:
    assert COMES_FROM[state]


def test_a_decided_transaction_is_not_undone() -> None:
    after = {state: {new for new in State if state in COMES_FROM[new]} for state in State}
    assert after[State.PREPARE_COMMIT] == {State.COMPLETE_COMMIT}
    assert after[State.PREPARE_ABORT] == {State.COMPLETE_ABORT}
    assert after[State.DEAD] == set()


def test_only_ids_without_a_transaction_under_way_are_forgotten() -> None:
    assert COMES_FROM[State.DEAD] == RESTING
