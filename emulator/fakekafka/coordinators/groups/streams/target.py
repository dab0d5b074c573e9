"""The next target assignment of a streams group (GroupMetadataManager.maybeUpdateStreamsTargetAssignment,
TargetAssignmentBuilder).

It is made for a group epoch, unless the group waits: for more first members (the initial rebalance delay), or because
the last one was made a moment ago (the assignment interval).
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.coordinators.groups.streams.group import AssignmentConfigs, StreamsGroup
from fakekafka.coordinators.groups.streams.hash_order import hash_order
from fakekafka.coordinators.groups.streams.member import NO_TASKS, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.records import StreamsRecord, assignment_epoch_record, target_record
from fakekafka.coordinators.groups.streams.sticky import Candidate, Workload, sticky
from fakekafka.coordinators.groups.streams.topology import ConfiguredTopology, Status

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.streams.coordinator import StreamsGroups

STANDBY_REPLICAS: Final = "num.standby.replicas"
ASSIGNMENT_DELAYED: Final = 5
DELAYED: Final = "Assignment delayed due to the configured {}."


class Wanted(NamedTuple):
    """What a target assignment is to be made from."""

    epoch: int
    """Of the group."""
    members: Mapping[str, StreamsMember]
    topology: ConfiguredTopology
    configs: AssignmentConfigs


class Target(NamedTuple):
    """What one member is to have, and since which epoch."""

    epoch: int
    tasks: Tasks


def target_for(
    on: "StreamsGroups",
    group: StreamsGroup,
    member_id: str,
    wanted: Wanted,
    records: list[StreamsRecord],
    statuses: list[Status],
) -> Target:
    """The target of a member that asks. `statuses` get the reason if the assignment has to wait."""
    last = group.assignment_epoch
    if wanted.epoch <= last:
        return Target(last, group.target_of(member_id))
    if group.id in on.delays:
        statuses.append(Status(ASSIGNMENT_DELAYED, DELAYED.format("initial rebalance delay")))
        return Target(max(1, last), NO_TASKS)
    if not _is_time(on, group):
        statuses.append(Status(ASSIGNMENT_DELAYED, DELAYED.format("assignment interval")))
        return Target(last, group.target_of(member_id))
    return Target(wanted.epoch, assign(on, group, wanted, records)[member_id])


def _is_time(on: "StreamsGroups", group: StreamsGroup) -> bool:
    """May there be another target assignment already?"""
    if not on.rules.assignment_interval or not group.assignment_timestamp:
        return True
    interval = on.setting(group.id, "assignment.interval.ms")
    return interval == 0 or on.now >= group.assignment_timestamp + interval


def assign(on: "StreamsGroups", group: StreamsGroup, wanted: Wanted, records: list[StreamsRecord]) -> dict[str, Tasks]:
    """Make the next target assignment."""
    known = [member.id for member in group.ordered_members()]  # who has just come is put into the map behind them
    members = [wanted.members[member_id] for member_id in hash_order([*known, *wanted.members])]
    answer = _shared_out(group, members, wanted)
    for member in members:
        if answer[member.id] != group.target.get(member.id):
            records.append(target_record(group.id, member.id, answer[member.id]))
    made_at = on.now if on.rules.assignment_interval else 0
    records.append(assignment_epoch_record(group.id, wanted.epoch, made_at))
    return answer


def _shared_out(group: StreamsGroup, members: Sequence[StreamsMember], wanted: Wanted) -> dict[str, Tasks]:
    """Nobody gets anything while something is missing."""
    if not wanted.topology.is_ready or wanted.topology.parts is None:
        return {member.id: NO_TASKS for member in members}
    parts = wanted.topology.parts
    candidates = [Candidate(member.id, member.process_id, group.target_of(member.id)) for member in members]
    active = [(id, n) for id, part in parts.items() for n in range(part.tasks)]
    stateful = frozenset(task for task in active if parts[task[0]].changelogs)
    return sticky(candidates, Workload(active, stateful), int(wanted.configs.get(STANDBY_REPLICAS, "0")))
