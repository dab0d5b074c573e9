import pytest
from fakekafka.coordinators.transactions.states import BY_LABEL, COMES_FROM, RESTING, State


def test_states_are_called_as_clients_read_them() -> None:
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


def test_what_is_decided_is_not_undone() -> None:
    after = {state: {new for new in State if state in COMES_FROM[new]} for state in State}
    assert after[State.PREPARE_COMMIT] == {State.COMPLETE_COMMIT}
    assert after[State.PREPARE_ABORT] == {State.COMPLETE_ABORT}
    assert after[State.DEAD] == set()


def test_only_what_rests_is_forgotten() -> None:
    assert COMES_FROM[State.DEAD] == RESTING
