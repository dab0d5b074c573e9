"""Members of streams groups as values."""

from fakekafka.coordinators.groups.streams.member import (
    NO_TASKS,
    NOTHING,
    MemberState,
    Owned,
    StreamsMember,
    Tasks,
    by_subtopology,
)

ONE, TWO = ("0", 1), ("0", 2)


def test_tasks_are_sorted_by_subtopology_and_number() -> None:
    assert by_subtopology({("1", 0), TWO, ONE}) == {"0": [1, 2], "1": [0]}
    assert by_subtopology(()) == {}


def test_what_is_owned_meets_tasks_of_the_same_role_only() -> None:
    owned = Owned({ONE: 3}, frozenset({TWO}))
    assert owned.tasks == Tasks(frozenset({ONE}), frozenset({TWO}))
    assert owned.meets(Tasks(frozenset({ONE})))
    assert not owned.meets(Tasks(frozenset({TWO}), frozenset({ONE})))
    assert not owned.meets(NO_TASKS)
    assert NOTHING.tasks == NO_TASKS


def test_a_member_goes_on_to_an_epoch() -> None:
    member = StreamsMember("m", epoch=3).in_epoch(5)
    assert (member.epoch, member.previous_epoch) == (5, 3)
    assert member.is_reconciled(5)
    assert not member.is_reconciled(6)
    assert not member._replace(state=MemberState.UNRELEASED_TASKS).is_reconciled(5)
