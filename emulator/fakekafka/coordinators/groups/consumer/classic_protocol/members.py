"""Members of a consumer group that speak the classic protocol: JoinGroup, SyncGroup, Heartbeat and LeaveGroup for them
(GroupMetadataManager.classicGroupJoinToConsumerGroup and its neighbours).

Their generation is the member epoch. They have no leader: the coordinator assigns partitions, and the answer to
SyncGroup has its assignment.
"""

from collections.abc import Sequence

from fakekafka.coordinators.groups.classic.group import CONSUMER
from fakekafka.coordinators.groups.classic.member import Identity, JoinRequest, JoinResult, SyncRequest, SyncResult
from fakekafka.coordinators.groups.consumer.classic_protocol.migration import (
    downgrade_for,
    downgrades_for_another,
    packed_assignment,
    reported_partitions,
    subscription,
)
from fakekafka.coordinators.groups.consumer.group import ClassicMember, ConsumerGroup, Member, MemberState, assignment
from fakekafka.coordinators.groups.consumer.groups import ConsumerGroups
from fakekafka.coordinators.groups.consumer.membership import Membership
from fakekafka.coordinators.groups.consumer.patterns import resolve
from fakekafka.coordinators.groups.consumer.progress import Progress, plan_replacement
from fakekafka.coordinators.groups.runtime import Plan
from fakekafka.errors import ApiError, ErrorCode, MalformedBytes
from fakekafka.ids import GenerationId
from fakekafka.wire.internal.consumer_protocol import ConsumerProtocolSubscription


class ClassicJoin:
    """A JoinGroup of a classic member, new or known."""

    def __init__(self, groups: ConsumerGroups, group: ConsumerGroup, request: JoinRequest) -> None:
        self._groups = groups
        self._group = group
        self._request = request

    def result(self) -> JoinResult:
        """Carry out the request, and return the answer."""
        try:
            return self._joined()
        except ApiError as refused:
            return JoinResult(refused.code, self._request.member_id)
        except MalformedBytes:
            return JoinResult(ErrorCode.UNKNOWN_SERVER_ERROR, self._request.member_id)

    def _joined(self) -> JoinResult:
        groups, group, request = self._groups, self._group, self._request
        if not groups.rules.migrates:
            raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND)
        member_id = request.member_id or groups.new_member_id()
        groups.check_size(group, member_id)
        if request.protocol_type != CONSUMER or not self._speaks():
            raise ApiError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        if request.needs_known_id and not request.member_id:
            return JoinResult(ErrorCode.MEMBER_ID_REQUIRED, member_id)
        wanted = subscription(request.protocols[0][1])
        plan = Plan(group)
        holder = None if request.instance_id is None else group.static_member(request.instance_id)
        old, replaces = self._member(plan, member_id, holder)
        owned = reported_partitions(groups.cluster, wanted)
        progress = Progress(groups, plan, old, self._updated(old, wanted), owned, replaces=replaces)
        epoch = progress.note_member()
        if holder is not None and downgrades_for_another(groups, group, holder):
            return _result(self._take_last_place(plan, progress, holder))
        member = progress.reconcile(progress.assign(epoch))
        groups.commit(plan)
        if progress.resolves_patterns:
            resolve(groups, group)
        group.stop_timer("join", member.id)
        membership = Membership(groups, group)
        membership.keep_alive(member)
        membership.await_sync(member, request.rebalance_timeout_ms)
        return _result(member)

    def _take_last_place(self, plan: Plan[ConsumerGroup], progress: Progress, holder: Member) -> Member:
        """The last member of the consumer protocol is replaced by a classic one: the group becomes a classic group."""
        changed = progress.subscription_changed
        member = progress.new if changed else progress.reconcile(progress.current_target())
        downgrade_for(self._groups, plan, member, holder, rebalances=changed)
        return member

    def _speaks(self) -> bool:
        """Whether the member supports a protocol that all classic members support."""
        members = self._group.classic_members
        spoken = [{name for name, _ in member.classic.protocols} for member in members if member.classic is not None]
        offered = {name for name, _ in self._request.protocols}
        return bool(offered.intersection(*spoken))

    def _member(self, plan: Plan[ConsumerGroup], member_id: str, holder: Member | None) -> tuple[Member, bool]:
        """The previous state of the member, empty if it is new; and whether it has just taken a static member's
        place.
        """
        group, request = self._group, self._request
        if request.instance_id is None:
            return group.members.get(member_id, Member(member_id)), False
        if request.member_id:
            return group.require_static_member(request.instance_id, member_id), False
        if holder is None:
            return Member(member_id), False
        return plan_replacement(plan, self._groups.rules, holder, member_id), True

    def _updated(self, member: Member, wanted: ConsumerProtocolSubscription) -> Member:
        request = self._request
        return member._replace(
            instance_id=member.instance_id if request.instance_id is None else request.instance_id,
            rack=member.rack if wanted.rack_id is None else wanted.rack_id,
            client_id=request.client_id,
            client_host=request.client_host,
            rebalance_timeout_ms=request.rebalance_timeout_ms,
            topics=frozenset(wanted.topics),
            regex="",
            classic=ClassicMember(request.session_timeout_ms, request.protocols),
        )


def _result(member: Member) -> JoinResult:
    assert member.classic is not None
    return JoinResult(ErrorCode.NONE, member.id, member.epoch, CONSUMER, member.classic.protocols[0][0])


class ClassicMembers:
    """Requests of classic members that have joined."""

    def __init__(self, groups: ConsumerGroups, group: ConsumerGroup) -> None:
        self._groups = groups
        self._group = group
        self._membership = Membership(groups, group)

    def sync(self, request: SyncRequest) -> SyncResult:
        """A classic member asks for its assignment."""
        group = self._group
        try:
            member, classic = self._require(request.identity, request.generation)
            name, metadata = classic.protocols[0]
            if request.protocol_type not in (None, CONSUMER) or request.protocol_name not in (None, name):
                raise ApiError(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
            if group.epoch > member.epoch and member.state is not MemberState.UNREVOKED_PARTITIONS:
                self._membership.await_join(member)
                raise ApiError(ErrorCode.REBALANCE_IN_PROGRESS)
            share = packed_assignment(self._groups.cluster, assignment(member.assigned), metadata)
        except ApiError as refused:
            return SyncResult(refused.code)
        group.stop_timer("sync", member.id)
        self._membership.keep_alive(member)
        return SyncResult(ErrorCode.NONE, share, request.protocol_type, request.protocol_name)

    def heartbeat(self, generation: GenerationId, identity: Identity) -> ErrorCode:
        """A classic member says that it is alive. Returns 27 if it has to join again."""
        try:
            member, _ = self._require(identity, generation)
        except ApiError as refused:
            return refused.code
        self._membership.keep_alive(member)
        gives_up = member.state is MemberState.UNREVOKED_PARTITIONS
        if member.epoch < self._group.epoch or gives_up or self._can_get_more(member):
            self._membership.await_join(member)
            return ErrorCode.REBALANCE_IN_PROGRESS
        return ErrorCode.NONE

    def _can_get_more(self, member: Member) -> bool:
        """Whether everything that the member waited for is free by now."""
        if member.state is not MemberState.UNRELEASED_PARTITIONS:
            return False
        target = self._group.target.get(member.id, {})
        missing = {(t, p) for t, ps in target.items() for p in ps if p not in member.assigned.get(t, {})}
        return missing.isdisjoint(self._group.owned)

    def _require(self, identity: Identity, generation: GenerationId) -> tuple[Member, ClassicMember]:
        """The member, if it speaks the classic protocol and is in `generation`. Raises `ApiError`."""
        if not self._groups.rules.migrates:
            raise ApiError(ErrorCode.GROUP_ID_NOT_FOUND)
        if identity.instance_id is None:
            member = self._group.require_member(identity.member_id)
        else:
            member = self._group.require_static_member(identity.instance_id, identity.member_id)
        if member.classic is None:
            raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID, f"Member {member.id} does not use the classic protocol.")
        if member.epoch != generation:
            raise ApiError(ErrorCode.ILLEGAL_GENERATION)
        return member, member.classic

    def leave(self, leaving: Sequence[Identity]) -> list[ErrorCode]:
        """Let classic members leave. Returns the error of each."""
        errors: list[ErrorCode] = []
        gone: dict[str, Member] = {}
        for identity in leaving:
            try:
                member = self._leaving(identity)
                gone[member.id] = member
                errors.append(ErrorCode.NONE)
            except ApiError as refused:
                errors.append(refused.code)
        try:
            self._membership.fence(list(gone.values()))
        except ApiError as refused:
            return [error or refused.code for error in errors]
        return errors

    def _leaving(self, identity: Identity) -> Member:
        group = self._group
        if identity.instance_id is None:
            member = group.require_member(identity.member_id)
        else:
            holder = group.static_member(identity.instance_id)
            member_id = identity.member_id or (holder.id if holder else "")
            member = group.require_static_member(identity.instance_id, member_id)
        if member.classic is None and self._groups.rules.leave_group == "classic members":
            raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID)
        return member
