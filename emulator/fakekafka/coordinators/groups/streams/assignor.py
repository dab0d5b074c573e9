"""The assignor "sticky": members keep the tasks that they have, as long as all get about the same number
(streams.assignor.StickyTaskAssignor, ProcessState).

New tasks go to the process with the least load: tasks divided by members. A process has a task at most once. Which of
several equal processes or members comes first depends on hash maps and heaps, so Java's are imitated.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from fakekafka.coordinators.groups.streams.group import TaskId, Tasks
from fakekafka.coordinators.hash_order import grown_map_order
from fakekafka.jvm.hashes import MASK, java_hash
from fakekafka.jvm.queues import JavaQueue


class Candidate(NamedTuple):
    """A member, as the assignor sees it."""

    id: str
    process_id: str
    had: Tasks


class Workload(NamedTuple):
    """The tasks of a topology."""

    active: Sequence[TaskId]
    stateful: frozenset[TaskId]
    """The tasks with state: only these have standby tasks."""


def sticky(candidates: Sequence[Candidate], workload: Workload, standby_replicas: int) -> dict[str, Tasks]:
    """The target of each member. `candidates`: in the order of the coordinator's map."""
    sharing = _Sharing(candidates, workload, standby_replicas)
    sharing.assign_active(workload.active)
    if standby_replicas > 0:
        sharing.assign_standby(workload.stateful, standby_replicas)
    return {member.id: sharing.tasks(member) for member in candidates}


class _Process:
    """The tasks given to the members of a process."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        """How many tasks each member has."""
        self.active: dict[TaskId, str] = {}
        self.standby: dict[TaskId, str] = {}
        """Members by task."""
        self._queue: JavaQueue[str] | None = None

    @property
    def load(self) -> float:
        return sum(self.counts.values()) / len(self.counts)

    def has(self, task: TaskId) -> bool:
        return task in self.active or task in self.standby

    def give(self, member: str, task: TaskId, *, active: bool) -> int:
        """Give a task to a member, and return how many it has now."""
        self._queue = None
        return self._note(member, task, active)

    def give_to_least(self, task: TaskId, *, active: bool) -> int:
        """Give a task to the member with the fewest, and return how many it has now."""
        if self._queue is None:
            self._queue = JavaQueue(lambda member: self.counts[member])
            for member in grown_map_order(self.counts):
                self._queue.add(member)
        member = self._queue.take()
        count = self._note(member, task, active)
        self._queue.add(member)
        return count

    def _note(self, member: str, task: TaskId, active: bool) -> int:
        (self.active if active else self.standby)[task] = member
        self.counts[member] += 1
        return self.counts[member]


class _Quota:
    """How many tasks a member may have: the remaining tasks divided by the members that still have room, rounded up."""

    def __init__(self, tasks: int, members: int) -> None:
        self._tasks, self._members = tasks, members
        self._count()

    def _count(self) -> None:
        self.each = -(-self._tasks // self._members) if self._members else 0

    def note(self, count: int) -> None:
        """Note that a member has `count` tasks now, and may be full."""
        if count == self.each:
            self._members -= 1
            self._tasks -= count
            self._count()


class _Sharing:
    """Sharing out tasks among members."""

    def __init__(self, candidates: Sequence[Candidate], workload: Workload, standby_replicas: int) -> None:
        self._active_quota = _Quota(len(workload.active), len(candidates))
        total = len(workload.active) + len(workload.stateful) * standby_replicas
        self._quota = _Quota(total, len(candidates))
        self._had_active: dict[TaskId, Candidate] = {}
        self._had_standby: dict[TaskId, list[Candidate]] = {}
        processes: dict[str, _Process] = {}
        for member in candidates:
            processes.setdefault(member.process_id, _Process()).counts[member.id] = 0
            self._had_active.update(dict.fromkeys(member.had.active, member))
            for task in member.had.standby:
                self._had_standby.setdefault(task, []).append(member)
        self._processes = {id: processes[id] for id in _process_order(processes, len(candidates))}

    def tasks(self, member: Candidate) -> Tasks:
        """What a member was given."""
        process = self._processes[member.process_id]
        given = (process.active, process.standby)
        return Tasks(*(frozenset(task for task, whose in part.items() if whose == member.id) for part in given))

    # ---- active tasks

    def assign_active(self, tasks: Iterable[TaskId]) -> None:
        """Assign active tasks: first to members that had them, then to those that had them as standby tasks, then to
        the least loaded.
        """
        left = sorted(tasks, key=lambda task: (task[1], task[0]))
        left = [task for task in left if not self._back(self._had_active.get(task), task)]
        left = [task for task in left if not self._back(self._least(self._had_standby.get(task, ())), task)]
        queue = self._by_load()
        for task in sorted(left):
            process = queue.take()
            count = process.give_to_least(task, active=True)
            self._active_quota.note(count)
            self._quota.note(count)
            queue.add(process)

    def _back(self, member: Candidate | None, task: TaskId) -> bool:
        """Give a member its previous task, if it may have one more."""
        if member is None:
            return False
        process = self._processes[member.process_id]
        if process.counts[member.id] >= self._active_quota.each:
            return False
        count = process.give(member.id, task, active=True)
        self._active_quota.note(count)
        self._quota.note(count)
        return True

    def _by_load(self) -> JavaQueue[_Process]:
        queue: JavaQueue[_Process] = JavaQueue(lambda process: process.load)
        for process in self._processes.values():
            queue.add(process)
        return queue

    # ---- standby tasks

    def assign_standby(self, tasks: Iterable[TaskId], replicas: int) -> None:
        """Assign standby tasks: first to those that had the task in any role. A task without a process is left out."""
        rest: list[tuple[TaskId, int]] = []
        for task in sorted(tasks, key=lambda task: (task[1], task[0]), reverse=True):
            given = 0
            while given < replicas and self._standby_back(task):
                given += 1
            if given < replicas:
                rest.append((task, replicas - given))
        queue = self._by_load()
        for task, missing in sorted(rest, reverse=True):
            for _ in range(missing):
                if not self._standby_to_least(queue, task):
                    break

    def _standby_back(self, task: TaskId) -> bool:
        had = self._had_active.get(task)
        if had is not None and not self._processes[had.process_id].has(task) and self._give_standby(had, task):
            return True
        candidate = self._least(self._had_standby.get(task, ()), task)
        return candidate is not None and self._give_standby(candidate, task)

    def _give_standby(self, member: Candidate, task: TaskId) -> bool:
        process = self._processes[member.process_id]
        if process.counts[member.id] >= self._quota.each:
            return False
        self._quota.note(process.give(member.id, task, active=False))
        return True

    def _standby_to_least(self, queue: JavaQueue[_Process], task: TaskId) -> bool:
        """Give a task to the least loaded process that does not have it yet, if there is one."""
        passed = []
        is_given = False
        while len(queue) and not is_given:
            process = queue.take()
            passed.append(process)
            is_given = not process.has(task)
        if is_given:
            self._quota.note(passed[-1].give_to_least(task, active=False))
        for process in reversed(passed):
            queue.add(process)
        return is_given

    def _least(self, members: Sequence[Candidate], task: TaskId | None = None) -> Candidate | None:
        """The least loaded of the members that had a standby task. `task`: must not be at its process now. If the first
        member's process has the task, the result is None, whatever the other members are like.
        """
        if not members:
            return None
        first = self._processes[members[0].process_id]
        candidate, load, count = members[0], first.load, first.counts[members[0].id]
        for member in members[1:]:
            process = self._processes[member.process_id]
            is_free = task is None or not process.has(task)
            if process.load < load and is_free and process.counts[member.id] < count:
                candidate, load, count = member, process.load, process.counts[member.id]
        return candidate if task is None or not first.has(task) else None


def _process_order(ids: Iterable[str], room: int) -> list[str]:
    """The processes in the order of a HashMap created for `room` entries."""
    ordered = list(ids)
    size = 1 << max(0, room - 1).bit_length()
    while len(ordered) > size * 3 // 4:
        size *= 2

    def bucket(text: str) -> int:
        value = java_hash(text) & MASK
        return (value ^ value >> 16) & size - 1

    return sorted(ordered, key=bucket)
