"""StreamsGroupHeartbeat: members join, stay, and are led to their tasks (GroupMetadataManager.streamsGroupHeartbeat).

What a first heartbeat finds out beyond its records is lost: the group that it works on is kept only as its records make
it. So a group is configured anew by its second heartbeat, and a shutdown asked for by the first one is forgotten.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer.migration import forget_classic
from fakekafka.coordinators.groups.consumer.subscriptions import metadata_hash, subscribed_topics
from fakekafka.coordinators.groups.lingering import KeyValue
from fakekafka.coordinators.groups.records import group_key
from fakekafka.coordinators.groups.streams.coordinator import StreamsGroups
from fakekafka.coordinators.groups.streams.endpoints import Served, served
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.leaving import keep_alive, known_member, watch_revocation
from fakekafka.coordinators.groups.streams.member import Endpoint, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.reconciliation import Aim, reconciled
from fakekafka.coordinators.groups.streams.records import (
    StreamsRecord,
    current_record,
    epoch_record,
    member_record,
    topology_record,
)
from fakekafka.coordinators.groups.streams.target import Wanted, assign, target_for
from fakekafka.coordinators.groups.streams.topology import ConfiguredTopology, Status, configure, parts, required_topics
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue

STALE_TOPOLOGY = 0
SHUTDOWN_APPLICATION = 4


class StreamsHeartbeatAsked(NamedTuple):
    """What a heartbeat says. None: the same as before."""

    group_id: str
    member_id: str
    epoch: int
    client_id: str
    client_host: str
    rack: str | None
    rebalance_timeout_ms: DurationMs | None
    topology: StreamsGroupTopologyValue | None
    owned: Tasks | None
    process_id: str | None
    endpoint: Endpoint | None
    tags: Mapping[str, str] | None
    shutdown: bool
    endpoint_epoch: int
    """The newest epoch of endpoints that the member has heard of."""


class StreamsHeartbeatResult(NamedTuple):
    """What it is answered."""

    epoch: int
    interval_ms: DurationMs
    statuses: Sequence[Status]
    tasks: Tasks | None
    """None: unchanged."""
    endpoint_epoch: int
    endpoints: Sequence[Served] | None
    to_create: Sequence[NewTopic]
    """Internal topics that are missing."""


class Step(NamedTuple):
    """A heartbeat half carried out."""

    group: StreamsGroup
    old: StreamsMember
    new: StreamsMember
    topology: ConfiguredTopology
    statuses: list[Status]
    records: list[StreamsRecord]


def heartbeat(on: StreamsGroups, ask: StreamsHeartbeatAsked) -> StreamsHeartbeatResult:
    """Carry out a heartbeat of a member that does not leave. Raises `ApiError`."""
    before: list[KeyValue] = []
    was_known = on.coordinator.knows(ask.group_id)
    group = _group(on, ask, before)
    step, epoch = _first_step(on, group, ask)
    led = _second_step(on, step, epoch, ask)
    if ask.shutdown:
        group.shutdown_by = group.shutdown_by or ask.member_id
    result = _result(on, step, led, ask, was_known)
    on.write(group.id, step.records, before)
    if before:
        forget_classic(on.coordinator.consumer_groups, group.id)
    kept = on.groups[group.id]
    keep_alive(on, kept, led.id)
    if led != step.new:
        watch_revocation(on, kept, led)
    return result


# ---- the group and the member


def _group(on: StreamsGroups, ask: StreamsHeartbeatAsked, before: list[KeyValue]) -> StreamsGroup:
    """The group; who joins may make it. `before` gets what becomes of an empty classic group of that name."""
    if ask.epoch != 0:
        return on.require(ask.group_id, absent="Streams group {} not found.")
    classic = on.coordinator.group(ask.group_id) if ask.group_id not in on.groups else None
    if classic is not None and classic.state is State.EMPTY:
        before.append((group_key(classic.id), None))
        return StreamsGroup(ask.group_id, on.rules.first_epoch)
    if not on.coordinator.knows(ask.group_id):
        return StreamsGroup(ask.group_id, on.rules.first_epoch)
    group = on.require(ask.group_id)
    limit = on.config.int("group.streams.max.size")
    if len(group.members) >= limit:
        words = f"The streams group has reached its maximum capacity of {limit} members."
        raise ApiError(ErrorCode.GROUP_MAX_SIZE_REACHED, words)
    return group


def _member(group: StreamsGroup, ask: StreamsHeartbeatAsked) -> StreamsMember:
    """The member as it was. Raises `ApiError` 25, and 110 for one that has lost touch."""
    if ask.epoch == 0:
        return group.members.get(ask.member_id) or StreamsMember(ask.member_id)
    member = known_member(group, ask.member_id)
    is_behind = ask.epoch == member.previous_epoch and ask.epoch < member.epoch
    if ask.epoch == member.epoch or (is_behind and _has_only_its_own(member, ask)):
        return member
    words = (
        f"The streams group member has a {'greater' if ask.epoch > member.epoch else 'smaller'} member epoch"
        f" ({ask.epoch}) than the one known by the group coordinator ({member.epoch})."
        " The member must abandon all its partitions and rejoin."
    )
    raise ApiError(ErrorCode.FENCED_MEMBER_EPOCH, words)


def _has_only_its_own(member: StreamsMember, ask: StreamsHeartbeatAsked) -> bool:
    """Does the member say what it has, and is that assigned to it?"""
    owned = ask.owned
    return owned is not None and all(said <= has for said, has in zip(owned, member.assigned.tasks))


def _updated(member: StreamsMember, ask: StreamsHeartbeatAsked) -> StreamsMember:
    timeout, tags = ask.rebalance_timeout_ms, ask.tags
    return member._replace(
        rack=member.rack if ask.rack is None else ask.rack,
        client_id=ask.client_id,
        client_host=ask.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout is None else timeout,
        topology_epoch=member.topology_epoch if ask.topology is None else ask.topology.epoch,
        process_id=member.process_id if ask.process_id is None else ask.process_id,
        endpoint=ask.endpoint or member.endpoint,
        tags=member.tags if tags is None else tags,
    )


# ---- the first step: topology and epoch


def _first_step(on: StreamsGroups, group: StreamsGroup, ask: StreamsHeartbeatAsked) -> tuple[Step, int]:
    """What is new: of the member, of the topology, of the topics. The group's epoch."""
    old = _member(group, ask)
    new = _updated(old, ask)
    records = [] if new == old else [member_record(group.id, new)]
    topology = _topology(group, ask, records)
    statuses = _stale(group, new)
    digest = metadata_hash(subscribed_topics(on.cluster, required_topics(parts(topology))).values())
    configured = group.configured
    if group.topology is None or configured is None or configured.metadata_hash != digest:
        configured = group.configured = configure(on.cluster, topology, digest)
    validated = topology.epoch if configured.is_ready else -1
    if configured.is_ready:
        _check_tasks(configured, ask.owned)
    configs = on.assignment_configs(group.id)
    step = Step(group, old, new, configured, statuses, records)
    same = (group.metadata_hash, group.validated_topology_epoch, group.configs) == (digest, validated, configs)
    if new == old and same:
        return step, group.epoch
    epoch = max(1, group.epoch) + 1
    records.append(epoch_record(group.id, epoch, digest, validated, configs))
    return step, epoch


def _topology(
    group: StreamsGroup, ask: StreamsHeartbeatAsked, records: list[StreamsRecord]
) -> StreamsGroupTopologyValue:
    """The group's topology, which the first member brings. Raises `ApiError` 42 for another one that is not older."""
    known, said = group.topology, ask.topology
    if said is None:
        assert known is not None, "every group begins with a topology"
        return known
    if said.epoch < 0:
        raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)  # nobody has foreseen that
    by_id = parts(said)
    if known is None:
        records.append(topology_record(group.id, said))
        return said
    if known.epoch < said.epoch or (known.epoch == said.epoch and parts(known) != by_id):
        raise ApiError(ErrorCode.INVALID_REQUEST, "Topology updates are not supported yet.")
    return known


def _stale(group: StreamsGroup, member: StreamsMember) -> list[Status]:
    if group.topology is None or member.topology_epoch >= group.topology.epoch:
        return []
    words = (
        f"The member's topology epoch {member.topology_epoch} is behind"
        f" the group's topology epoch {group.topology.epoch}."
    )
    return [Status(STALE_TOPOLOGY, words)]


def _check_tasks(topology: ConfiguredTopology, owned: Tasks | None) -> None:
    """Raises `ApiError` 42 for tasks that there are not."""
    known = topology.parts or {}
    for tasks in owned or ():
        for subtopology, number in sorted(tasks):
            if subtopology not in known:
                words = f"Subtopology {subtopology} does not exist in the topology."
                raise ApiError(ErrorCode.INVALID_REQUEST, words)
            count = known[subtopology].tasks
            if not 0 <= number < count:
                words = (
                    f"Task {number} for subtopology {subtopology} is invalid."
                    f" Number of tasks for this subtopology: {count}"
                )
                raise ApiError(ErrorCode.INVALID_REQUEST, words)


# ---- the second step: the assignment


def _second_step(on: StreamsGroups, step: Step, epoch: int, ask: StreamsHeartbeatAsked) -> StreamsMember:
    """Lead the member on towards its tasks: as it is afterwards."""
    group, new = step.group, step.new
    if not group.members:
        _delay(on, group.id)
    wanted = Wanted(epoch, {**group.members, new.id: new}, step.topology, on.assignment_configs(group.id))
    target = target_for(on, group, new.id, wanted, step.records, step.statuses)
    led = reconciled(new, Aim(target.epoch, target.tasks, group.places, ask.owned))
    if led != new:
        step.records.append(current_record(group.id, led))
    return led


def _delay(on: StreamsGroups, group_id: str) -> None:
    """The first member of a group begins the time in which others may come before the first assignment is made."""
    delay = on.setting(group_id, "initial.rebalance.delay.ms")
    if delay > 0 and group_id not in on.delays:
        on.delays[group_id] = on.timers.after(delay, lambda: _delay_over(on, group_id))


def _delay_over(on: StreamsGroups, group_id: str) -> None:
    del on.delays[group_id]
    group = on.groups.get(group_id)
    if group is None or not group.members or group.epoch <= group.assignment_epoch or group.configured is None:
        return
    records: list[StreamsRecord] = []
    assign(on, group, Wanted(group.epoch, group.members, group.configured, group.configs), records)
    with suppress(ApiError):  # nobody asked
        on.write(group_id, records)


# ---- the answer


def _result(
    on: StreamsGroups, step: Step, led: StreamsMember, ask: StreamsHeartbeatAsked, was_known: bool
) -> StreamsHeartbeatResult:
    """`was_known`: there was a group of that name, of whatever kind; else the epoch of endpoints is not told yet."""
    group = step.group
    tells = ask.epoch == 0 or led.assigned != step.old.assigned
    if tells and led.endpoint is not None:
        group.endpoint_epoch += 1
    is_news = group.endpoint_epoch != ask.endpoint_epoch
    statuses = list(step.statuses)
    if step.topology.problem is not None:
        statuses.append(step.topology.problem)
    if group.shutdown_by is not None:
        words = "encountered a fatal error and requested a shutdown for the entire application."
        statuses.append(Status(SHUTDOWN_APPLICATION, f"Streams group member {group.shutdown_by} {words}"))
    return StreamsHeartbeatResult(
        led.epoch,
        on.setting(group.id, "heartbeat.interval.ms"),
        statuses,
        led.assigned.tasks if tells else None,
        group.endpoint_epoch if was_known else 0,
        served(on.cluster, group, led) if is_news else None,
        step.topology.to_create,
    )
