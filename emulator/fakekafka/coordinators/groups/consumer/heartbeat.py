"""ConsumerGroupHeartbeat: a member joins, stays or changes its subscription
(GroupMetadataManager.consumerGroupHeartbeat).
"""

from collections.abc import Sequence
from typing import NamedTuple

from fakekafka.coordinators.groups.consumer.classic_protocol.migration import plan_for_member
from fakekafka.coordinators.groups.consumer.group import AWAY, LEFT, Assignment, ConsumerGroup, Member, assignment
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.membership import Membership
from fakekafka.coordinators.groups.consumer.patterns import resolve
from fakekafka.coordinators.groups.consumer.progress import Partitions, Progress, plan_replacement
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs


class ConsumerHeartbeat(NamedTuple):
    """A ConsumerGroupHeartbeat request; a field that is None is unchanged."""

    group_id: str
    member_id: str
    epoch: int
    instance_id: str | None
    rack: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: DurationMs | None
    topics: Sequence[str] | None
    regex: str | None
    assignor: str | None
    owned: Partitions | None
    names_itself: bool
    """Whether the client makes up the member id (KIP-1082)."""

    @property
    def is_whole(self) -> bool:
        """Whether the request has all fields: then the answer has them, too."""
        subscribes = self.topics is not None or self.regex is not None
        return self.rebalance_timeout_ms is not None and self.owned is not None and subscribes


class HeartbeatResult(NamedTuple):
    """The answer to a ConsumerGroupHeartbeat."""

    member_id: str
    epoch: int
    interval_ms: DurationMs = 0
    assignment: Assignment | None = None
    """None: unchanged."""


def heartbeat(groups: ConsumerGroups, request: ConsumerHeartbeat) -> HeartbeatResult:
    """Carry out a heartbeat that was validated. If it raises `ApiError`, nothing has changed."""
    if request.epoch in (LEFT, AWAY):
        group = groups.require(request.group_id)
        Membership(groups, group).leave(request.member_id, request.instance_id, request.epoch)
        return HeartbeatResult(request.member_id, request.epoch)
    plan = plan_for_member(groups, request.group_id, joins=request.epoch == 0)
    groups.check_size(plan.group, request.member_id)
    old, replaces = _member(groups, plan, request)
    progress = Progress(groups, plan, old, _updated(old, request), request.owned, replaces=replaces)
    member = progress.planned()
    groups.commit(plan)
    group = groups.groups[request.group_id]
    membership = Membership(groups, group)
    membership.keep_alive(member)
    if member != progress.new:
        membership.await_revocation(member)
    if progress.resolves_patterns:
        resolve(groups, group)
    interval = groups.setting(group.id, "heartbeat.interval.ms")
    asks = request.is_whole if groups.rules.assignment_shown == "whole request" else request.owned is not None
    tells = request.epoch == 0 or asks or member.has_other_partitions(old)
    return HeartbeatResult(member.id, member.epoch, interval, assignment(member.assigned) if tells else None)


# ---- the request


def validate(groups: ConsumerGroups, request: ConsumerHeartbeat) -> None:
    """Validate the request. Raises `ApiError` 42 or 112."""
    if not request.member_id and (request.names_itself or request.epoch > 0 or request.epoch == LEFT):
        raise _invalid("MemberId can't be empty.")
    if not request.group_id:
        raise _invalid("GroupId can't be empty.")
    if request.instance_id == "":
        raise _invalid("InstanceId can't be empty.")
    if request.rack == "":
        raise _invalid("RackId can't be empty.")
    if request.epoch == 0:
        _validate_joining(groups, request)
    elif request.epoch == AWAY and request.instance_id is None:
        raise _invalid("InstanceId can't be null.")
    elif request.epoch < AWAY:
        raise _invalid("MemberEpoch is invalid.")
    if request.assignor is not None and request.assignor not in groups.assignors:
        supported = ", ".join(groups.assignors)
        words = f"ServerAssignor {request.assignor} is not supported. Supported assignors: {supported}."
        raise ApiError(ErrorCode.UNSUPPORTED_ASSIGNOR, words)


def _validate_joining(groups: ConsumerGroups, request: ConsumerHeartbeat) -> None:
    if request.rebalance_timeout_ms is None:
        raise _invalid("RebalanceTimeoutMs must be provided in first request.")
    if request.owned is None or request.owned:
        raise _invalid("TopicPartitions must be empty when (re-)joining.")
    if groups.rules.empty_subscription == "refused":
        if not request.topics:
            raise _invalid("SubscribedTopicNames must be set in first request.")
    elif request.topics is None and request.regex is None:
        raise _invalid("Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.")


def _invalid(words: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, words)


def _updated(member: Member, request: ConsumerHeartbeat) -> Member:
    """The member, updated from the request."""
    timeout = request.rebalance_timeout_ms
    return member._replace(
        instance_id=member.instance_id if request.instance_id is None else request.instance_id,
        rack=member.rack if request.rack is None else request.rack,
        client_id=request.client_id,
        client_host=request.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout is None else timeout,
        topics=member.topics if request.topics is None else frozenset(request.topics),
        regex=member.regex if request.regex is None else request.regex,
        assignor=member.assignor if request.assignor is None else request.assignor,
        classic=None,
    )


# ---- the member


def _member(groups: ConsumerGroups, plan: Plan[ConsumerGroup], request: ConsumerHeartbeat) -> tuple[Member, bool]:
    """The member of the request, empty if it is new; and whether it has just taken a static member's place."""
    group, member_id = plan.group, request.member_id or groups.new_member_id()
    if request.epoch != 0:
        if request.instance_id is None:
            member = group.require_member(member_id)
        else:
            member = group.require_static_member(request.instance_id, member_id)
        _check_epoch(groups, member, request)
        return member, False
    holder = None if request.instance_id is None else group.static_member(request.instance_id)
    if holder is None:
        member = group.members.get(member_id, Member(member_id))
        if request.instance_id is None:
            _check_epoch(groups, member, request)
        return member, False
    if holder.classic is None and holder.epoch != AWAY:
        words = (
            f"Static member {member_id} with instance id {request.instance_id} cannot join the group because the"
            f" instance id is owned by {holder.id} member."
        )
        raise ApiError(ErrorCode.UNRELEASED_INSTANCE_ID, words)
    return plan_replacement(plan, groups.rules, holder, member_id), True


def _check_epoch(groups: ConsumerGroups, member: Member, request: ConsumerHeartbeat) -> None:
    """Check the member's epoch. Raises `ApiError` 110 for a member that has lost touch."""
    epoch, owned = request.epoch, request.owned
    if epoch == member.epoch or (epoch == 0 and groups.rules.rejoin_at_0 == "taken"):
        return
    if epoch == member.previous_epoch < member.epoch and owned is not None and _is_part(owned, member):
        return
    words = (
        f"The consumer group member has a {'greater' if epoch > member.epoch else 'smaller'} member epoch ({epoch})"
        f" than the one known by the group coordinator ({member.epoch})."
        " The member must abandon all its partitions and rejoin."
    )
    raise ApiError(ErrorCode.FENCED_MEMBER_EPOCH, words)


def _is_part(owned: Partitions, member: Member) -> bool:
    return all(partitions <= member.assigned.get(topic, {}).keys() for topic, partitions in owned.items())
