"""ConsumerGroupHeartbeat: a member joins, stays, changes its mind (GroupMetadataManager.consumerGroupHeartbeat)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.consumer.fencing import fence_by_timer
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.identity import check_static, known_member
from fakekafka.coordinators.groups.consumer.leaving import leave
from fakekafka.coordinators.groups.consumer.member import (
    AWAY,
    LEFT,
    NOTHING,
    Assignment,
    Member,
    MemberState,
    assignment,
)
from fakekafka.coordinators.groups.consumer.migration import forget_classic, group_for_member
from fakekafka.coordinators.groups.consumer.patterns import resolve
from fakekafka.coordinators.groups.consumer.progress import Step, lead_on, note_member, target_for, waits_for_revocation
from fakekafka.coordinators.groups.consumer.reconciliation import Partitions
from fakekafka.coordinators.groups.consumer.records import (
    CoordinatorRecord,
    current_record,
    member_record,
    member_tombstones,
    target_record,
)
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


class HeartbeatAsked(NamedTuple):
    """A ConsumerGroupHeartbeat request; None: as before."""

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
    """Does the client make up the member id (KIP-1082)?"""


class HeartbeatResult(NamedTuple):
    """The answer to it."""

    member_id: str
    epoch: int
    interval_ms: DurationMs = 0
    assignment: Assignment | None = None
    """None: as before."""


def heartbeat(on: "ConsumerGroups", ask: HeartbeatAsked) -> HeartbeatResult:
    """Carry out a heartbeat. Raises `ApiError`."""
    _check(on, ask)
    if ask.epoch in (LEFT, AWAY):
        leave(on, ask.group_id, ask.member_id, ask.instance_id, ask.epoch)
        return HeartbeatResult(ask.member_id, ask.epoch)
    records: list[CoordinatorRecord] = []
    group = group_for_member(on, ask.group_id, joins=ask.epoch == 0, records=records)
    check_size(on, group, ask.member_id)
    old, replaces = _member(on, group, ask, records)
    step = Step(group, old, _updated(old, ask), ask.owned, replaces)
    epochs = note_member(on, step, records)
    target = target_for(on, step, epochs.group, records)
    member = lead_on(on, step, target, epochs.subscription_changed, records)
    if records:
        on.append(group.id, records)
    forget_classic(on, group.id)
    on.groups.setdefault(group.id, group)
    on.apply(records)
    _restart_timers(on, group, member, member != step.new)
    resolve(on, group)
    whole = ask.rebalance_timeout_ms is not None and ask.owned is not None
    whole = whole and not (ask.topics is None and ask.regex is None)
    tells = ask.epoch == 0 or whole or member.has_other_partitions(old)
    interval = on.setting_ms(group.id, "heartbeat.interval.ms")
    return HeartbeatResult(member.id, member.epoch, interval, assignment(member.assigned) if tells else None)


# ---- the request


def _check(on: "ConsumerGroups", ask: HeartbeatAsked) -> None:
    """Is the request one? Raises `ApiError` 42 or 112."""
    if not ask.member_id and (ask.names_itself or ask.epoch > 0 or ask.epoch == LEFT):
        raise _wrong("MemberId can't be empty.")
    if not ask.group_id:
        raise _wrong("GroupId can't be empty.")
    if ask.instance_id == "":
        raise _wrong("InstanceId can't be empty.")
    if ask.rack == "":
        raise _wrong("RackId can't be empty.")
    if ask.epoch == 0:
        _check_joining(on, ask)
    elif ask.epoch == AWAY and ask.instance_id is None:
        raise _wrong("InstanceId can't be null.")
    elif ask.epoch < AWAY:
        raise _wrong("MemberEpoch is invalid.")
    if ask.assignor is not None and ask.assignor not in on.assignors:
        words = f"ServerAssignor {ask.assignor} is not supported. Supported assignors: {', '.join(on.assignors)}."
        raise ApiError(ErrorCode.UNSUPPORTED_ASSIGNOR, words)


def _check_joining(on: "ConsumerGroups", ask: HeartbeatAsked) -> None:
    if ask.rebalance_timeout_ms is None:
        raise _wrong("RebalanceTimeoutMs must be provided in first request.")
    if ask.owned is None or ask.owned:
        raise _wrong("TopicPartitions must be empty when (re-)joining.")
    if on.rules.empty_subscription == "refused":
        if not ask.topics:
            raise _wrong("SubscribedTopicNames must be set in first request.")
    elif ask.topics is None and ask.regex is None:
        raise _wrong("Either SubscribedTopicNames or SubscribedTopicRegex must be non-null when (re-)joining.")


def _wrong(words: str) -> ApiError:
    return ApiError(ErrorCode.INVALID_REQUEST, words)


def check_size(on: "ConsumerGroups", group: ConsumerGroup, member_id: str) -> None:
    """Raises `ApiError` 81 for one more than the group may have."""
    most = on.config.int("group.consumer.max.size")
    if len(group.members) >= most and member_id not in group.members:
        words = f"The consumer group has reached its maximum capacity of {most} members."
        raise ApiError(ErrorCode.GROUP_MAX_SIZE_REACHED, words)


def _updated(member: Member, ask: HeartbeatAsked) -> Member:
    """The member as it says that it is now."""
    timeout = ask.rebalance_timeout_ms
    return member._replace(
        instance_id=member.instance_id if ask.instance_id is None else ask.instance_id,
        rack=member.rack if ask.rack is None else ask.rack,
        client_id=ask.client_id,
        client_host=ask.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout is None else timeout,
        topics=member.topics if ask.topics is None else frozenset(ask.topics),
        regex=member.regex if ask.regex is None else ask.regex,
        assignor=member.assignor if ask.assignor is None else ask.assignor,
        classic=None,
    )


# ---- who asks


def _member(
    on: "ConsumerGroups", group: ConsumerGroup, ask: HeartbeatAsked, records: list[CoordinatorRecord]
) -> tuple[Member, bool]:
    """The member that asks, an empty one if it is new; and whether it has just taken a static member's place."""
    member_id = ask.member_id or on.new_id()
    if ask.instance_id is not None:
        return _static_member(on, group, ask, member_id, records)
    member = group.members.get(member_id, Member(member_id)) if ask.epoch == 0 else known_member(group, member_id)
    _check_epoch(on, member, ask.epoch, ask.owned)
    return member, False


def _static_member(
    on: "ConsumerGroups", group: ConsumerGroup, ask: HeartbeatAsked, member_id: str, records: list[CoordinatorRecord]
) -> tuple[Member, bool]:
    instance_id = ask.instance_id or ""
    holder = group.static_member(instance_id)
    if ask.epoch != 0:
        holder = check_static(holder, member_id, instance_id)
        _check_epoch(on, holder, ask.epoch, ask.owned)
        return holder, False
    if holder is None:
        return group.members.get(member_id, Member(member_id)), False
    if holder.classic is None and holder.epoch != AWAY:
        words = (
            f"Static member {member_id} with instance id {instance_id} cannot join the group because the instance id"
            f" is owned by {holder.id} member."
        )
        raise ApiError(ErrorCode.UNRELEASED_INSTANCE_ID, words)
    return replacement(on, group, holder, member_id, records), True


def replacement(
    on: "ConsumerGroups", group: ConsumerGroup, holder: Member, member_id: str, records: list[CoordinatorRecord]
) -> Member:
    """The process that takes a static member's place: that member under another id, from epoch 0 on."""
    member = holder._replace(id=member_id, epoch=0, previous_epoch=0)
    records += member_tombstones(group.id, holder.id)
    if on.rules.static_replacement == "assigned anew":
        return member._replace(assignor=None, rack=None, state=MemberState.STABLE, revoking=NOTHING)
    records.append(member_record(group.id, member))
    records.append(target_record(group.id, member_id, group.target.get(holder.id, {})))
    records.append(current_record(group.id, member, with_epochs=on.rules.assignment_epochs))
    return member


def _check_epoch(on: "ConsumerGroups", member: Member, epoch: int, owned: Partitions | None) -> None:
    """Raises `ApiError` 110 for a member that has lost touch."""
    if epoch == member.epoch or (epoch == 0 and on.rules.rejoin_at_0 == "taken"):
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


# ---- time


def _restart_timers(on: "ConsumerGroups", group: ConsumerGroup, member: Member, moved: bool) -> None:
    """It was heard of; if its assignment has moved, it has another rebalance timeout to give up what it must."""
    keep_alive(on, group, member)
    if not moved:
        return
    if not waits_for_revocation(member):
        group.stop_timer("rebalance", member.id)
        return

    def over() -> None:
        now = group.members.get(member.id)
        if now is not None and now.epoch == member.epoch:
            fence_by_timer(on, group.id, member.id)

    group.set_timer("rebalance", member.id, on.timers.after(member.rebalance_timeout_ms, over))


def keep_alive(on: "ConsumerGroups", group: ConsumerGroup, member: Member) -> None:
    """Another session begins."""
    timer = on.timers.after(on.session_timeout_ms(group, member), lambda: fence_by_timer(on, group.id, member.id))
    group.set_timer("session", member.id, timer)
