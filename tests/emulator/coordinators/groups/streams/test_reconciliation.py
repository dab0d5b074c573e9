"""The steps of a member towards its tasks."""

from fakekafka.coordinators.groups.streams.group import ProcessesOfTasks
from fakekafka.coordinators.groups.streams.member import (
    NO_TASKS,
    NOTHING,
    MemberState,
    Owned,
    StreamsMember,
    TaskId,
    Tasks,
)
from fakekafka.coordinators.groups.streams.reconciliation import Aim, reconciled

A, B, C = ("0", 0), ("0", 1), ("0", 2)
NOWHERE = ProcessesOfTasks({}, {}, {})


def active(*tasks: TaskId) -> Tasks:
    return Tasks(frozenset(tasks))


def owned(epoch: int, *tasks: TaskId) -> Owned:
    return Owned(dict.fromkeys(tasks, epoch))


def member(epoch: int = 1, **fields: object) -> StreamsMember:
    return StreamsMember("m", process_id="here", epoch=epoch)._replace(**fields)  # type: ignore[arg-type]


def test_a_member_that_has_everything_stays_as_it_is() -> None:
    me = member(assigned=owned(1, A))
    assert reconciled(me, Aim(1, active(A), NOWHERE, None)) is me


def test_what_is_free_comes_at_once_in_the_new_epoch() -> None:
    led = reconciled(member(assigned=owned(1, A)), Aim(2, active(A, B), ProcessesOfTasks({A: "here"}, {}, {}), None))
    assert (led.epoch, led.previous_epoch, led.state) == (2, 1, MemberState.STABLE)
    assert led.assigned.active == {A: 1, B: 2}


def test_what_is_elsewhere_is_waited_for() -> None:
    aim = Aim(2, active(A, B), ProcessesOfTasks({B: "there"}, {}, {}), None)
    led = reconciled(member(), aim)
    assert (led.epoch, led.state, set(led.assigned.active)) == (2, MemberState.UNRELEASED_TASKS, {A})
    led = reconciled(led, aim._replace(processes=ProcessesOfTasks({A: "here"}, {}, {})))
    assert (led.epoch, led.previous_epoch, led.state) == (2, 2, MemberState.STABLE)
    assert led.assigned.active == {A: 2, B: 2}


def test_a_member_gives_up_before_it_gets_anything() -> None:
    aim = Aim(3, active(B), ProcessesOfTasks({A: "here"}, {}, {}), None)
    led = reconciled(member(assigned=owned(1, A)), aim)
    assert (led.epoch, led.state) == (1, MemberState.UNREVOKED_TASKS)
    assert (led.assigned, led.revoking) == (NOTHING, owned(1, A))
    assert reconciled(led, aim) is led, "it does not say that it has given up"
    assert reconciled(led, aim._replace(reported=active(A))) is led
    done = reconciled(led, aim._replace(reported=NO_TASKS))
    assert (done.epoch, done.state, done.revoking) == (3, MemberState.STABLE, NOTHING)
    assert done.assigned.active == {B: 3}


def test_a_member_without_the_tasks_it_must_give_up_gives_up_nothing() -> None:
    led = reconciled(member(assigned=owned(1, A)), Aim(2, active(B), ProcessesOfTasks({A: "here"}, {}, {}), NO_TASKS))
    assert (led.epoch, led.state, led.assigned.active) == (2, MemberState.STABLE, {B: 2})


def test_a_process_has_a_task_in_one_role_only() -> None:
    standby = Tasks(standby=frozenset({A}))
    me = member(assigned=owned(1, A))
    led = reconciled(me, Aim(2, standby, ProcessesOfTasks({A: "here"}, {}, {}), NO_TASKS))
    assert (led.state, led.assigned) == (MemberState.UNRELEASED_TASKS, NOTHING)
    assert reconciled(led, Aim(2, standby, NOWHERE, NO_TASKS)).assigned.standby == {A}
    elsewhere = Aim(2, standby, ProcessesOfTasks({A: "there"}, {}, {}), NO_TASKS)
    assert reconciled(member(), elsewhere).assigned.standby == {A}
    twice = Aim(2, active(A), ProcessesOfTasks({}, {A: {"here"}}, {}), NO_TASKS)
    assert reconciled(member(), twice).state is MemberState.UNRELEASED_TASKS
    warm = Aim(2, Tasks(warmup=frozenset({A})), ProcessesOfTasks({}, {}, {A: {"here"}}), NO_TASKS)
    assert reconciled(member(), warm).state is MemberState.UNRELEASED_TASKS
