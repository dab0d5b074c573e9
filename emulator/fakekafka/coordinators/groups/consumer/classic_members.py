"""Members of a consumer group that speak the classic protocol: JoinGroup, SyncGroup, Heartbeat and LeaveGroup for them
(GroupMetadataManager.classicGroupJoinToConsumerGroup and its neighbours).

Their generation is the member epoch. They have no leader: the coordinator assigns, and what it assigned is the answer
to SyncGroup.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.classic.group import CONSUMER
from fakekafka.coordinators.groups.classic.member import JoinResult, SyncResult
from fakekafka.coordinators.groups.consumer.embedded import packed_assignment, reported_partitions, subscription
from fakekafka.coordinators.groups.consumer.fencing import fence, fence_by_timer
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.heartbeat import check_size, keep_alive, replacement
from fakekafka.coordinators.groups.consumer.identity import check_static, known_member
from fakekafka.coordinators.groups.consumer.member import ClassicMember, Member, MemberState, assignment
from fakekafka.coordinators.groups.consumer.migration import downgrade_for, downgrades_for_another
from fakekafka.coordinators.groups.consumer.patterns import resolve
from fakekafka.coordinators.groups.consumer.progress import Step, lead_on, note_member, target_for
from fakekafka.coordinators.groups.consumer.records import CoordinatorRecord
from fakekafka.errors import ApiError, ErrorCode, MalformedBytes
from fakekafka.ids import GenerationId
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolSubscription

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.classic.joining import JoinAsked
    from fakekafka.coordinators.groups.classic.membership import Identity, SyncAsked
    from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups


# ---- JoinGroup


def join(on: "ConsumerGroups", group: ConsumerGroup, ask: "JoinAsked") -> JoinResult:
    """A classic member joins, or joins again."""
    try:
        return _join(on, group, ask)
    except ApiError as refused:
        return JoinResult(refused.code, ask.member_id)
    except MalformedBytes:
        return JoinResult(ErrorCode.UNKNOWN_SERVER_ERROR, ask.member_id)


def _join(on: "ConsumerGroups", group: ConsumerGroup, ask: "JoinAsked") -> JoinResult:
    member_id = ask.member_id or on.new_id()
    check_size(on, group, member_id)
    if ask.protocol_type != CONSUMER or not _speaks(group, ask):
        raise ApiError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if ask.needs_known_id and not ask.member_id:
        return JoinResult(ErrorCode.MEMBER_ID_REQUIRED, member_id)
    wanted = subscription(ask.protocols[0][1])
    records: list[CoordinatorRecord] = []
    holder = None if ask.instance_id is None else group.static_member(ask.instance_id)
    old, replaces = _member(on, group, ask, member_id, records)
    step = Step(group, old, _updated(old, ask, wanted), reported_partitions(on.cluster, wanted), replaces)
    epochs = note_member(on, step, records)
    if holder is not None and downgrades_for_another(on, group, holder):
        return _joined(_take_place(on, step, holder, epochs.subscription_changed, records))
    target = target_for(on, step, epochs.group, records)
    member = lead_on(on, step, target, epochs.subscription_changed, records)
    on.write(group.id, records)
    resolve(on, group)
    group.stop_timer("join", member.id)
    keep_alive(on, group, member)
    _await_sync(on, group, member, ask.rebalance_timeout_ms)
    return _joined(member)


def _take_place(
    on: "ConsumerGroups", step: Step, holder: Member, changed: bool, records: list[CoordinatorRecord]
) -> Member:
    """The last member of the consumer protocol makes way for a classic one: the group becomes a classic one."""
    group = step.group
    target = group.assignment_epoch, group.target_of(step.new)
    member = step.new if changed else lead_on(on, step, target, changed, records)
    downgrade_for(on, group, member, holder, changed, records)
    return member


def _joined(member: Member) -> JoinResult:
    assert member.classic is not None
    return JoinResult(ErrorCode.NONE, member.id, member.epoch, CONSUMER, member.classic.protocols[0][0])


def _speaks(group: ConsumerGroup, ask: "JoinAsked") -> bool:
    """Does it speak a protocol that all classic members speak?"""
    spoken = [{name for name, _ in m.classic.protocols} for m in group.classic_members if m.classic is not None]
    offered = {name for name, _ in ask.protocols}
    return bool(offered.intersection(*spoken))


def _member(
    on: "ConsumerGroups", group: ConsumerGroup, ask: "JoinAsked", member_id: str, records: list[CoordinatorRecord]
) -> tuple[Member, bool]:
    """The member as it was, an empty one if it is new; and whether it has just taken a static member's place."""
    if ask.instance_id is None:
        return group.members.get(member_id, Member(member_id)), False
    holder = group.static_member(ask.instance_id)
    if ask.member_id:
        return check_static(holder, member_id, ask.instance_id), False
    if holder is None:
        return Member(member_id), False
    return replacement(on, group, holder, member_id, records), True


def _updated(member: Member, ask: "JoinAsked", wanted: ConsumerProtocolSubscription) -> Member:
    return member._replace(
        instance_id=member.instance_id if ask.instance_id is None else ask.instance_id,
        rack=member.rack if wanted.rack_id is None else wanted.rack_id,
        client_id=ask.client_id,
        client_host=ask.client_host,
        rebalance_timeout_ms=ask.rebalance_timeout_ms,
        topics=frozenset(wanted.topics),
        regex="",
        classic=ClassicMember(ask.session_timeout_ms, ask.protocols),
    )


def _await_sync(on: "ConsumerGroups", group: ConsumerGroup, member: Member, timeout_ms: int) -> None:
    timer = on.timers.after(timeout_ms, lambda: fence_by_timer(on, group.id, member.id))
    group.set_timer("sync", member.id, timer)


def _await_join(on: "ConsumerGroups", group: ConsumerGroup, member: Member) -> None:
    """It is to join again within its rebalance timeout, which runs already if it was told before."""
    if ("join", member.id) not in group.timers:
        timer = on.timers.after(member.rebalance_timeout_ms, lambda: fence_by_timer(on, group.id, member.id))
        group.set_timer("join", member.id, timer)


# ---- SyncGroup and Heartbeat


def sync(on: "ConsumerGroups", group: ConsumerGroup, ask: "SyncAsked") -> SyncResult:
    """A classic member asks for its assignment."""
    try:
        member, classic = _classic(group, ask.who, ask.generation)
        name = classic.protocols[0][0]
        if ask.protocol_type not in (None, CONSUMER) or ask.protocol_name not in (None, name):
            raise ApiError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        if group.epoch > member.epoch and member.state is not MemberState.UNREVOKED_PARTITIONS:
            _await_join(on, group, member)
            raise ApiError(ErrorCode.REBALANCE_IN_PROGRESS)
        share = packed_assignment(on.cluster, assignment(member.assigned), classic.protocols[0][1])
    except ApiError as refused:
        return SyncResult(refused.code)
    group.stop_timer("sync", member.id)
    keep_alive(on, group, member)
    return SyncResult(ErrorCode.NONE, share, ask.protocol_type, ask.protocol_name)


def heartbeat(on: "ConsumerGroups", group: ConsumerGroup, generation: GenerationId, who: "Identity") -> ErrorCode:
    """A classic member says that it is alive; 27: it has to join again."""
    try:
        member, _ = _classic(group, who, generation)
    except ApiError as refused:
        return refused.code
    keep_alive(on, group, member)
    gives_up = member.state is MemberState.UNREVOKED_PARTITIONS
    if member.epoch < group.epoch or gives_up or _can_get_more(group, member):
        _await_join(on, group, member)
        return ErrorCode.REBALANCE_IN_PROGRESS
    return ErrorCode.NONE


def _can_get_more(group: ConsumerGroup, member: Member) -> bool:
    """Is everything free by now that it waited for?"""
    if member.state is not MemberState.UNRELEASED_PARTITIONS:
        return False
    target = group.target.get(member.id, {})
    missing = {(t, p) for t, ps in target.items() for p in ps if p not in member.assigned.get(t, {})}
    return missing.isdisjoint(group.owned)


def _classic(group: ConsumerGroup, who: "Identity", generation: GenerationId) -> tuple[Member, ClassicMember]:
    """The member, if it speaks the classic protocol and is in `generation`. Raises `ApiError`."""
    if who.instance_id is None:
        member = known_member(group, who.member_id)
    else:
        member = check_static(group.static_member(who.instance_id), who.member_id, who.instance_id)
    if member.classic is None:
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member.id} does not use the classic protocol.")
    if member.epoch != generation:
        raise ApiError(ErrorCode.ILLEGAL_GENERATION)
    return member, member.classic


# ---- LeaveGroup


def leave(on: "ConsumerGroups", group: ConsumerGroup, leaving: "Sequence[Identity]") -> list[ErrorCode]:
    """Classic members leave. The error of each."""
    errors: list[ErrorCode] = []
    gone: dict[str, Member] = {}
    for who in leaving:
        try:
            member = _leaving(on, group, who)
            gone[member.id] = member
            errors.append(ErrorCode.NONE)
        except ApiError as refused:
            errors.append(refused.code)
    fence(on, group, list(gone.values()))
    return errors


def _leaving(on: "ConsumerGroups", group: ConsumerGroup, who: "Identity") -> Member:
    if who.instance_id is None:
        member = known_member(group, who.member_id)
    else:
        holder = group.static_member(who.instance_id)
        member = check_static(holder, who.member_id or (holder.id if holder else ""), who.instance_id)
    if member.classic is None and on.rules.leave_group == "classic members":
        raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID)
    return member
