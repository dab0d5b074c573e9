"""The next step of a member towards its target (streams.CurrentAssignmentBuilder).

    STABLE ──a newer target──▶ gives up first ──▶ UNREVOKED_TASKS ──it has given up──▶ next epoch
                               gets what is free ──▶ STABLE, or UNRELEASED_TASKS while the rest is elsewhere

An active task is at one process at a time. A process has a task in one role only: active, standby or warm-up.
"""

from typing import NamedTuple

from fakekafka.coordinators.groups.streams.group import ProcessesOfTasks
from fakekafka.coordinators.groups.streams.member import NOTHING, MemberState, Owned, StreamsMember, TaskId, Tasks


class Aim(NamedTuple):
    """Where a member is going."""

    epoch: int
    """The epoch of the target assignment."""
    target: Tasks
    processes: ProcessesOfTasks
    """The processes that have the group's tasks."""
    reported: Tasks | None
    """The tasks that the member claims to have; None if it did not say."""


def reconciled(member: StreamsMember, aim: Aim) -> StreamsMember:
    """The member after this step; itself if there is nothing to do."""
    if member.is_reconciled(aim.epoch):
        return member
    if member.state is MemberState.UNREVOKED_TASKS:
        if _still_has(aim, member.revoking):
            return member
        return _next(member, aim, member.epoch + 1)
    return _next(member, aim, member.epoch)


def _still_has(aim: Aim, revoking: Owned) -> bool:
    """Whether the member still has some of these; True if it does not say."""
    return aim.reported is None or revoking.meets(aim.reported)


def _next(member: StreamsMember, aim: Aim, epoch: int) -> StreamsMember:
    """The member, one step closer to the target. `epoch`: its epoch while it gives up tasks."""
    has, target = member.assigned, aim.target
    kept = Owned(
        {task: since for task, since in has.active.items() if task in target.active},
        has.standby & target.standby,
        has.warmup & target.warmup,
    )
    revoking = Owned(
        {task: since for task, since in has.active.items() if task not in target.active},
        has.standby - target.standby,
        has.warmup - target.warmup,
    )
    if revoking != NOTHING and _still_has(aim, revoking):
        gives_up = member._replace(state=MemberState.UNREVOKED_TASKS, assigned=kept, revoking=revoking)
        return gives_up._replace(epoch=epoch, previous_epoch=member.epoch)
    missing = Tasks(*(wanted - had for wanted, had in zip(target, kept.tasks)))
    free = _free(member, aim.processes, missing)
    assigned = Owned(
        {**kept.active, **dict.fromkeys(free.active, aim.epoch)}, kept.standby | free.standby, kept.warmup | free.warmup
    )
    state = MemberState.STABLE if free == missing else MemberState.UNRELEASED_TASKS
    return member.in_epoch(aim.epoch)._replace(state=state, assigned=assigned, revoking=NOTHING)


def _free(member: StreamsMember, processes: ProcessesOfTasks, tasks: Tasks) -> Tasks:
    """The tasks that the member's process may have now."""
    process = member.process_id

    def is_here(task: TaskId) -> bool:
        return (
            processes.active.get(task) == process
            or process in processes.standby.get(task, ())
            or process in processes.warmup.get(task, ())
        )

    active = frozenset(task for task in tasks.active if task not in processes.active and not is_here(task))
    standby, warmup = (frozenset(task for task in part if not is_here(task)) for part in tasks[1:])
    return Tasks(active, standby, warmup)
