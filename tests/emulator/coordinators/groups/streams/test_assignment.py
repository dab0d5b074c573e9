"""How a member arrives at its tasks, step by step."""

import pytest
from fakekafka.coordinators.groups.streams.assignment import Aim, reconciled
from fakekafka.coordinators.groups.streams.group import (
    NO_TASKS,
    NOTHING,
    MemberState,
    Owned,
    ProcessesOfTasks,
    StreamsMember,
    TaskId,
    Tasks,
)

from tests.support.group_clients import clock_of
from tests.support.seeded import broker_of
from tests.support.streams_group_clients import STATEFUL, described, group_of, settle, streaming
from tests.support.streams_group_clients import StreamsMember as Client

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


def test_free_tasks_are_assigned_at_once_in_the_new_epoch() -> None:
    led = reconciled(member(assigned=owned(1, A)), Aim(2, active(A, B), ProcessesOfTasks({A: "here"}, {}, {}), None))
    assert (led.epoch, led.previous_epoch, led.state) == (2, 1, MemberState.STABLE)
    assert led.assigned.active == {A: 1, B: 2}


def test_a_member_waits_for_tasks_that_another_one_has() -> None:
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


DELAYED = "Assignment delayed due to the configured {}."


@pytest.mark.parametrize(("release", "first"), [("4.2", 0), ("4.3", 1)])
def test_the_first_assignment_waits_for_more_members(release: str, first: int) -> None:
    kafka = streaming(release, group_streams_initial_rebalance_delay_ms=3000)
    one, two = Client(kafka, "one"), Client(kafka, "two")
    for member in (one, two):
        (status,) = member.join().status or []
        assert (status.status_code, status.status_detail) == (5, DELAYED.format("initial rebalance delay"))
        assert (member.epoch, member.tasks) == (1, [])
    assert (group_of(kafka).epoch, group_of(kafka).assignment_epoch) == (3, first)
    clock_of(kafka).advance(3000)
    assert group_of(kafka).assignment_epoch == 3
    settle(one, two)
    assert (len(one.tasks), len(two.tasks)) == (2, 2)


def test_a_group_that_is_not_configured_yet_is_assigned_by_the_next_heartbeat() -> None:
    kafka = streaming(group_streams_initial_rebalance_delay_ms=3000)
    member = Client(kafka)
    member.join()
    clock_of(kafka).advance(3000)
    assert group_of(kafka).assignment_epoch == 1
    assert member.beat().status == []
    assert (member.epoch, len(member.tasks)) == (2, 4)


def test_an_assignment_waits_for_the_interval_after_the_previous_one() -> None:
    kafka = streaming(group_streams_assignment_interval_ms=1000)
    one, two = Client(kafka, "one"), Client(kafka, "two")
    one.join()
    (status,) = two.join().status or []
    assert (status.status_code, status.status_detail) == (5, DELAYED.format("assignment interval"))
    assert described(kafka).group_state == "Assigning"
    clock_of(kafka).advance(1000)
    settle(one, two)
    assert (len(one.tasks), len(two.tasks)) == (2, 2)


def test_standby_replicas_are_a_config_of_the_group_and_make_it_rebalance() -> None:
    kafka = streaming()
    one, two = Client(kafka, "one", topology=STATEFUL), Client(kafka, "two", topology=STATEFUL)
    one.join()
    two.join()
    settle(one, two)
    assert not one.standby | two.standby
    broker_of(kafka).cluster.settings.groups["g"] = {"streams.num.standby.replicas": "1"}
    settle(one, two)
    assert (one.standby, two.standby) == (two.active, one.active)
    assert group_of(kafka).configs == {"num.standby.replicas": "1"}


def test_no_member_gets_a_task_while_a_topic_is_missing() -> None:
    kafka = streaming()
    member = Client(kafka)
    member.join()
    kafka.delete_topic("t")
    settle(member)
    assert (member.tasks, described(kafka).group_state) == ([], "NotReady")
    kafka.create_topic("t", partitions=2)
    settle(member)
    assert (len(member.tasks), described(kafka).group_state) == (2, "Stable")
