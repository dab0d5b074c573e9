"""The next target assignment of a streams group (GroupMetadataManager.maybeUpdateStreamsTargetAssignment,
TargetAssignmentBuilder).

It is made for a group epoch, unless the group waits: for more first members (the initial rebalance delay), or because
the last one was made a moment ago (the assignment interval).
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.streams.group import STANDBY_REPLICAS, AssignmentConfigs, StreamsGroup
from fakekafka.coordinators.groups.streams.groups import StreamsGroups
from fakekafka.coordinators.groups.streams.member import NO_TASKS, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.records import assignment_epoch_record, target_record
from fakekafka.coordinators.groups.streams.sticky import Candidate, Workload, sticky
from fakekafka.coordinators.groups.streams.topology import ConfiguredTopology, Status
from fakekafka.coordinators.hash_order import grown_map_order

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
    """The target of one member, and since which epoch."""

    epoch: int
    tasks: Tasks
    delay: Status | None = None
    """Why there is no newer one yet."""


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
