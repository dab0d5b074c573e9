"""Which members are to have which tasks."""

from collections.abc import Sequence

import pytest
from fakekafka.coordinators.groups.streams.assignor import Candidate, Workload, sticky
from fakekafka.coordinators.groups.streams.group import NO_TASKS, TaskId, Tasks
from hypothesis import given
from hypothesis import strategies as st

SIX: list[TaskId] = [("0", n) for n in range(6)]


def workload(tasks: Sequence[TaskId], *, stateful: bool = True) -> Workload:
    return Workload(tasks, frozenset(tasks) if stateful else frozenset())


def candidates(*ids: str, had: dict[str, Tasks] | None = None) -> list[Candidate]:
    """Members "process.thread"."""
    return [Candidate(id, id.partition(".")[0], (had or {}).get(id, NO_TASKS)) for id in ids]


def test_fresh_members_share_ranges_of_tasks() -> None:
    found = sticky(candidates("a.1", "b.1"), workload(SIX), 0)
    assert sorted(len(tasks.active) for tasks in found.values()) == [3, 3]
    assert all(not tasks.standby and not tasks.warmup for tasks in found.values())


def test_members_keep_their_tasks_as_far_as_it_is_fair() -> None:
    had = {"a.1": Tasks(frozenset(SIX))}
    found = sticky(candidates("a.1", "b.1", had=had), workload(SIX), 0)
    assert found["a.1"].active == set(SIX[:3])
    again = sticky(candidates("a.1", "b.1", had=found), workload(SIX), 0)
    assert again == found


def test_a_task_becomes_active_where_its_standby_is() -> None:
    had = {"b.1": Tasks(standby=frozenset({("0", 0)})), "a.1": NO_TASKS, "c.1": NO_TASKS}
    found = sticky(candidates("a.1", "b.1", "c.1", had=had), workload(SIX[:3]), 0)
    assert found["b.1"].active == {("0", 0)}


def test_standby_tasks_are_on_other_processes() -> None:
    found = sticky(candidates("a.1", "a.2", "b.1"), workload(SIX), 1)
    at_a = found["a.1"].active | found["a.2"].active
    assert found["a.1"].standby | found["a.2"].standby == found["b.1"].active
    assert found["b.1"].standby == at_a


def test_without_another_process_there_are_no_standby_tasks() -> None:
    found = sticky(candidates("a.1", "a.2"), workload(SIX), 1)
    assert all(not tasks.standby for tasks in found.values())


def test_stateless_tasks_have_no_standby_tasks() -> None:
    found = sticky(candidates("a.1", "b.1"), workload(SIX, stateful=False), 1)
    assert all(not tasks.standby for tasks in found.values())


def test_a_surplus_member_gets_no_task() -> None:
    found = sticky(candidates("a.1", "b.1", "c.1"), workload(SIX[:2]), 0)
    assert sorted(len(tasks.active) for tasks in found.values()) == [0, 1, 1]


@pytest.mark.parametrize("replicas", [0, 1, 2])
@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), min_size=1, max_size=8, unique=True), st.data())
def test_every_task_is_active_once_and_at_most_once_on_each_process(
    replicas: int, threads: list[tuple[str, int]], data: st.DataObject
) -> None:
    ids = [f"{process}.{thread}" for process, thread in threads]
    before = sticky(candidates(*ids), workload(SIX), replicas)
    left = data.draw(st.lists(st.sampled_from(ids), min_size=1, unique=True))
    found = sticky(candidates(*left, had=before), workload(SIX), replicas)
    assert sorted(task for tasks in found.values() for task in tasks.active) == SIX
    processes = {id.partition(".")[0] for id in left}
    for process in processes:
        held = [task for id in left if id.startswith(process) for part in found[id] for task in part]
        assert len(held) == len(set(held))
    standby = sum(len(tasks.standby) for tasks in found.values())
    assert standby == len(SIX) * min(replicas, len(processes) - 1)
