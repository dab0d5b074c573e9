"""StreamsGroupHeartbeat: members join, stay, and move towards their tasks (GroupMetadataManager.streamsGroupHeartbeat).

What a first heartbeat finds out beyond its records is lost: the group that it works on is stored only by applying its
records. So a group is configured again by its second heartbeat, and a shutdown asked for by the first one is forgotten.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from fakekafka.cluster.topic_creation.new_topics import NewTopic
from fakekafka.coordinators.groups.classic.group import State
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.coordinators.groups.streams.assignment import Aim, Wanted, assign, reconciled, target_for
from fakekafka.coordinators.groups.streams.endpoints import EndpointPartitions, endpoint_partitions
from fakekafka.coordinators.groups.streams.group import Endpoint, StreamsGroup, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.groups import Membership, StreamsGroups
from fakekafka.coordinators.groups.streams.records import current_record, epoch_record, member_record, topology_record
from fakekafka.coordinators.groups.streams.topology.configured import (
    ConfiguredTopology,
    Status,
    configure,
    parts,
    required_topics,
)
from fakekafka.coordinators.groups.subscriptions import metadata_hash, subscribed_topics
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue

STALE_TOPOLOGY: Final = 0
SHUTDOWN_APPLICATION: Final = 4


class StreamsHeartbeat(NamedTuple):
    """A StreamsGroupHeartbeat request; a field that is None is unchanged."""

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
    """The newest epoch of endpoints that the member knows."""


class StreamsHeartbeatResult(NamedTuple):
    """The answer to a StreamsGroupHeartbeat."""

    epoch: int
    interval_ms: DurationMs
    statuses: Sequence[Status]
    tasks: Tasks | None
    """None: unchanged."""
    endpoint_epoch: int
    endpoints: Sequence[EndpointPartitions] | None
    to_create: Sequence[NewTopic]
    """Internal topics that are missing."""


def heartbeat(groups: StreamsGroups, request: StreamsHeartbeat) -> StreamsHeartbeatResult:
    """Carry out a heartbeat of a member that does not leave. If it raises `ApiError`, nothing has changed."""
    was_known = groups.is_taken(request.group_id)
    progress = _Progress(groups, _plan(groups, request), request)
    member = progress.planned()
    result = progress.result(member, was_known=was_known)
    groups.commit(progress.plan)
    membership = Membership(groups, groups.groups[request.group_id])
    membership.keep_alive(member.id)
    if member != progress.new:
        membership.await_revocation(member)
    return result


# ---- the group and the member


def _plan(groups: StreamsGroups, request: StreamsHeartbeat) -> Plan[StreamsGroup]:
    """A plan for the group; a member that joins may create it, even in place of an empty classic group."""
    group_id = request.group_id
    if request.epoch != 0:
        return Plan(groups.require(group_id, absent="Streams group {} not found."))
    classic = groups.classic.find(group_id)
    if classic is not None and classic.state is State.EMPTY:
        plan = Plan(groups.new_group(group_id))
        groups.classic.replace_by(plan)
        return plan
    if not groups.is_taken(group_id):
        return Plan(groups.new_group(group_id))
    group = groups.require(group_id)
    groups.check_size(group, "")
    return Plan(group)


def _member(group: StreamsGroup, request: StreamsHeartbeat) -> StreamsMember:
    """The previous state of the member. Raises `ApiError` 25, or 110 if it has lost touch."""
    if request.epoch == 0:
        return group.members.get(request.member_id) or StreamsMember(request.member_id)
    member = group.require_member(request.member_id)
    is_behind = request.epoch == member.previous_epoch and request.epoch < member.epoch
    if request.epoch == member.epoch or (is_behind and _has_only_its_own(member, request)):
        return member
    words = (
        f"The streams group member has a {'greater' if request.epoch > member.epoch else 'smaller'} member epoch"
        f" ({request.epoch}) than the one known by the group coordinator ({member.epoch})."
        " The member must abandon all its partitions and rejoin."
    )
    raise ApiError(ErrorCode.FENCED_MEMBER_EPOCH, words)


def _has_only_its_own(member: StreamsMember, request: StreamsHeartbeat) -> bool:
    """Whether the member says what it has, and all of that is assigned to it."""
    owned = request.owned
    return owned is not None and all(said <= has for said, has in zip(owned, member.assigned.tasks))


def _updated(member: StreamsMember, request: StreamsHeartbeat) -> StreamsMember:
    timeout, tags, topology = request.rebalance_timeout_ms, request.tags, request.topology
    return member._replace(
        rack=member.rack if request.rack is None else request.rack,
        client_id=request.client_id,
        client_host=request.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout is None else timeout,
        topology_epoch=member.topology_epoch if topology is None else topology.epoch,
        process_id=member.process_id if request.process_id is None else request.process_id,
        endpoint=request.endpoint or member.endpoint,
        tags=member.tags if tags is None else tags,
    )


class _Progress:
    """A heartbeat being planned."""

    def __init__(self, groups: StreamsGroups, plan: Plan[StreamsGroup], request: StreamsHeartbeat) -> None:
        self._groups = groups
        self.plan = plan
        self._group = plan.group
        self._request = request
        self._old = _member(plan.group, request)
        self.new = _updated(self._old, request)
        """The member, updated from the request."""
        self._statuses = _stale(plan.group, self.new)
        self._configs = groups.assignment_configs(plan.group.id)

    def planned(self) -> StreamsMember:
        """Plan epochs and assignments. Returns the member as it is afterwards."""
        if self.new != self._old:
            self.plan.add(member_record(self._group.id, self.new))
        topology = self._known_topology()
        self._topology = self._configured(topology)
        return self._reconcile(self._next_epoch(topology))

    # ---- the first step: topology and epoch

    def _known_topology(self) -> StreamsGroupTopologyValue:
        """The group's topology, which the first member brings. Raises `ApiError` 42 for a newer one."""
        known, said = self._group.topology, self._request.topology
        if said is None:
            assert known is not None, "every group begins with a topology"
            return known
        if said.epoch < 0:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)  # brokers do not expect a negative epoch
        by_id = parts(said)
        if known is None:
            self.plan.add(topology_record(self._group.id, said))
            return said
        if known.epoch < said.epoch or (known.epoch == said.epoch and parts(known) != by_id):
            raise ApiError(ErrorCode.INVALID_REQUEST, "Topology updates are not supported yet.")
        return known

    def _configured(self, topology: StreamsGroupTopologyValue) -> ConfiguredTopology:
        """The topology, configured with the current topics."""
        group, cluster = self._group, self._groups.cluster
        digest = metadata_hash(subscribed_topics(cluster, required_topics(parts(topology))).values())
        configured = group.configured
        if group.topology is None or configured is None or configured.metadata_hash != digest:
            configured = configure(cluster, topology, digest)
        if configured.is_ready:
            _check_tasks(configured, self._request.owned)
        return configured

    def _next_epoch(self, topology: StreamsGroupTopologyValue) -> int:
        """The group's epoch, which grows if the member or the topology has changed."""
        group, configured, configs = self._group, self._topology, self._configs
        digest, validated = configured.metadata_hash, topology.epoch if configured.is_ready else -1
        if group.is_up_to_date(digest):
            digest = group.metadata_hash
        self.plan.on_written.append(lambda: group.note_configured(configured))
        same = (group.metadata_hash, group.validated_topology_epoch, group.configs) == (digest, validated, configs)
        if self.new == self._old and same:
            return group.epoch
        epoch = max(1, group.epoch) + 1
        group.note_refreshed(configured.metadata_hash, epoch)
        self.plan.add(epoch_record(group.id, epoch, digest, validated, configs))
        return epoch

    # ---- the second step: the assignment

    def _reconcile(self, epoch: int) -> StreamsMember:
        """Move the member towards its tasks. Returns it as it is afterwards."""
        group, new = self._group, self.new
        wanted = Wanted(epoch, {**group.members, new.id: new}, self._topology, self._configs)
        target = target_for(self._groups, self.plan, new.id, wanted, waits=self._waits_for_members())
        if target.delay is not None:
            self._statuses.append(target.delay)
        led = reconciled(new, Aim(target.epoch, target.tasks, group.processes, self._request.owned))
        if led != new:
            self.plan.add(current_record(group.id, led))
        return led

    def _waits_for_members(self) -> bool:
        """Whether others may join before the first assignment is made. The first member starts that delay."""
        groups, group_id = self._groups, self._group.id
        if group_id in groups.delays:
            return True
        if self._group.members:
            return False
        delay = groups.setting(group_id, "initial.rebalance.delay.ms")
        if delay <= 0:
            return False
        self.plan.on_written.append(lambda: _begin_delay(groups, group_id, delay))
        return True

    # ---- the answer

    def result(self, member: StreamsMember, *, was_known: bool) -> StreamsHeartbeatResult:
        """The answer. `was_known`: whether the group existed before; if not, the answer lacks the epoch of
        endpoints.
        """
        group, request, topology = self._group, self._request, self._topology
        statuses = self._all_statuses()
        tells = request.epoch == 0 or member.assigned != self._old.assigned
        moved = tells and member.endpoint is not None
        endpoint_epoch = group.endpoint_epoch + moved
        group.note_endpoints(endpoint_epoch)  # at once: it stays if the rest fails
        endpoints = None
        if endpoint_epoch != request.endpoint_epoch:
            endpoints = endpoint_partitions(self._groups.cluster, group, member, topology)
        return StreamsHeartbeatResult(
            epoch=member.epoch,
            interval_ms=self._groups.setting(group.id, "heartbeat.interval.ms"),
            statuses=statuses,
            tasks=member.assigned.tasks if tells else None,
            endpoint_epoch=endpoint_epoch if was_known else 0,
            endpoints=endpoints,
            to_create=topology.to_create,
        )

    def _all_statuses(self) -> list[Status]:
        group, request = self._group, self._request
        statuses = list(self._statuses)
        if self._topology.problem is not None:
            statuses.append(self._topology.problem)
        shutdown_by = group.shutdown_by or (request.member_id if request.shutdown else None)
        if request.shutdown:
            group.ask_for_shutdown(request.member_id)
        if shutdown_by is not None:
            words = "encountered a fatal error and requested a shutdown for the entire application."
            statuses.append(Status(SHUTDOWN_APPLICATION, f"Streams group member {shutdown_by} {words}"))
        return statuses


def _stale(group: StreamsGroup, member: StreamsMember) -> list[Status]:
    if group.topology is None or member.topology_epoch >= group.topology.epoch:
        return []
    words = (
        f"The member's topology epoch {member.topology_epoch} is behind"
        f" the group's topology epoch {group.topology.epoch}."
    )
    return [Status(STALE_TOPOLOGY, words)]


def _check_tasks(topology: ConfiguredTopology, owned: Tasks | None) -> None:
    """Raises `ApiError` 42 for tasks that do not exist."""
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


# ---- the initial rebalance delay


def _begin_delay(groups: StreamsGroups, group_id: str, delay_ms: DurationMs) -> None:
    groups.delays[group_id] = groups.timers.after(delay_ms, lambda: _delay_over(groups, group_id))


def _delay_over(groups: StreamsGroups, group_id: str) -> None:
    """Stop waiting for members, and make the first assignment."""
    del groups.delays[group_id]
    group = groups.groups.get(group_id)
    if group is None or not group.members or group.epoch <= group.assignment_epoch or group.configured is None:
        return
    plan = Plan(group)
    assign(groups, plan, Wanted(group.epoch, group.members, group.configured, group.configs))
    with suppress(ApiError):  # there is no request to answer
        groups.commit(plan)
