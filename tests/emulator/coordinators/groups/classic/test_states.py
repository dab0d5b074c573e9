import pytest
from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.states import BEFORE, State


def test_every_state_says_where_one_may_come_from() -> None:
    assert set(BEFORE) == set(State)


@pytest.mark.parametrize("state", State)
def test_a_dead_group_stays_dead(state: State) -> None:
    assert (State.DEAD in BEFORE[state]) == (state is State.DEAD)


@pytest.mark.parametrize(("before", "after"), [(b, a) for a in State for b in State])
def test_a_group_goes_only_where_the_table_lets_it(before: State, after: State) -> None:
    group = Group("g", before, 1)
    if before in BEFORE[after]:
        group.become(after, 2)
        assert (group.state, group.state_since) == (after, 2)
    else:
        with pytest.raises(AssertionError):
            group.become(after, 2)
