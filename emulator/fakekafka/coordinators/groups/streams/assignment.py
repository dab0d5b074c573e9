"""The next target assignment of a streams group, and the next step of a member towards it
(GroupMetadataManager.maybeUpdateStreamsTargetAssignment, streams.CurrentAssignmentBuilder).

A target is made for a group epoch, unless the group waits: for more first members (the initial rebalance delay), or
because the last one was made a moment ago (the assignment interval).

    STABLE ──a newer target──▶ gives up first ──▶ UNREVOKED_TASKS ──it has given up──▶ next epoch
                               gets what is free ──▶ STABLE, or UNRELEASED_TASKS while the rest is elsewhere

An active task is at only one process at a time. A process has a task in one role only: active, standby or warm-up.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.streams.assignor import Candidate, Workload, sticky
from fakekafka.coordinators.groups.streams.group import (
    NO_TASKS,
    NOTHING,
    STANDBY_REPLICAS,
    AssignmentConfigs,
    MemberState,
    Owned,
    ProcessesOfTasks,
    StreamsGroup,
    StreamsMember,
    TaskId,
    Tasks,
)
from fakekafka.coordinators.groups.streams.groups import StreamsGroups
from fakekafka.coordinators.groups.streams.records import assignment_epoch_record, target_record
from fakekafka.coordinators.groups.streams.topology.configured import ConfiguredTopology, Status
from fakekafka.coordinators.hash_order import grown_map_order


class Aim(NamedTuple):
    """Where a member is going."""

    epoch: int
    """The epoch of the target assignment."""
    target: Tasks
    processes: ProcessesOfTasks
    """The processes that have the group's tasks."""
    reported: Tasks | None
    """The partitions that the member claims to have; None if it did not say."""


def reconciled(member: StreamsMember, aim: Aim) -> StreamsMember:
    """The member after this step; `member` itself if there is nothing to do."""
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


ASSIGNMENT_DELAYED: Final = 5
DELAYED: Final = "Assignment delayed due to the configured {}."


class Wanted(NamedTuple):
    """The input of a target assignment."""

    epoch: int
    """The epoch of the group."""
    members: Mapping[str, StreamsMember]
    topology: ConfiguredTopology
    configs: AssignmentConfigs


class Target(NamedTuple):
    """The target of one member, and its epoch."""

    epoch: int
    tasks: Tasks
    delay: Status | None = None
    """Why there is no newer target yet."""


def target_for(
    groups: StreamsGroups, plan: Plan[StreamsGroup], member_id: str, wanted: Wanted, *, waits: bool
) -> Target:
    """The target of a requesting member. `waits`: whether more members may join before the first assignment is made."""
    group = plan.group
    last = group.assignment_epoch
    if wanted.epoch <= last:
        return Target(last, group.target_of(member_id))
    if waits:
        return Target(max(1, last), NO_TASKS, Status(ASSIGNMENT_DELAYED, DELAYED.format("initial rebalance delay")))
    if not groups.may_assign(group):
        delay = Status(ASSIGNMENT_DELAYED, DELAYED.format("assignment interval"))
        return Target(last, group.target_of(member_id), delay)
    return Target(wanted.epoch, assign(groups, plan, wanted)[member_id])


def assign(groups: StreamsGroups, plan: Plan[StreamsGroup], wanted: Wanted) -> dict[str, Tasks]:
    """Plan the next target assignment."""
    group = plan.group
    known = [member.id for member in group.ordered_members()]  # a new member is put into the map after them
    members = [wanted.members[member_id] for member_id in grown_map_order([*known, *wanted.members])]
    answer = _shared_out(group, members, wanted)
    for member in members:
        if answer[member.id] != group.target.get(member.id):
            plan.add(target_record(group.id, member.id, answer[member.id]))
    plan.add(assignment_epoch_record(group.id, wanted.epoch, groups.assignment_timestamp))
    return answer


def _shared_out(group: StreamsGroup, members: Sequence[StreamsMember], wanted: Wanted) -> dict[str, Tasks]:
    """The assignment, which is empty while something is missing."""
    if not wanted.topology.is_ready or wanted.topology.parts is None:
        return {member.id: NO_TASKS for member in members}
    parts = wanted.topology.parts
    candidates = [Candidate(member.id, member.process_id, group.target_of(member.id)) for member in members]
    active = [(id, n) for id, part in parts.items() for n in range(part.tasks)]
    stateful = frozenset(task for task in active if parts[task[0]].changelogs)
    return sticky(candidates, Workload(active, stateful), int(wanted.configs.get(STANDBY_REPLICAS, "0")))
