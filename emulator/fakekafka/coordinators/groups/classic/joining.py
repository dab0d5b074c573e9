"""JoinGroup: who may become or stay a member, under which id, and whether that starts a rebalance.

The checks are in the order of the real coordinators (GroupCoordinator.doJoinGroup and its descendants, from 4.0 on
GroupMetadataManager.classicGroupJoin): the group, the session timeout, the size limit, the protocols, the member.
"""

from typing import assert_never

from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.classic.member import Identity, JoinRequest, JoinResult, Member, Reply
from fakekafka.coordinators.groups.classic.rebalance import NEW_MEMBER_JOIN_TIMEOUT_MS, Rebalance
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import ApiError, ErrorCode


def join(groups: GroupRegistry, request: JoinRequest) -> Reply[JoinResult]:
    """Carry out a JoinGroup. The reply holds the answer at once, or when the rebalance is over.

    Raises `LookupError` if the group is left without a common protocol, as can happen in old releases; `ApiError` if
    the coordinator fails.
    """
    reply: Reply[JoinResult] = Reply(groups.waiters)
    try:
        answered = _answered_at_once(groups, request)
        if answered is None:
            group = _group(groups, request)
    except ApiError as refused:
        answered = JoinResult(refused.code, request.member_id)
    if answered is not None:
        reply.give(answered)
    else:
        _Join(groups.classic_groups, group, request, reply).carry_out()
    return reply


def _answered_at_once(groups: GroupRegistry, request: JoinRequest) -> JoinResult | None:
    """The answer if no classic group is involved, otherwise None. Raises `ApiError`."""
    if groups.classic_groups.refuses(request.instance_id):
        return JoinResult(ErrorCode.UNSUPPORTED_VERSION, "")
    error = _refusal(groups, request)
    if error is not ErrorCode.NONE:
        return JoinResult(error, request.member_id)
    consumer = groups.consumer_group(request.group_id)
    streams = groups.streams_group(request.group_id)
    if consumer is not None and consumer.members:
        from fakekafka.coordinators.groups.consumer.classic_protocol.members import ClassicJoin  # few groups have both

        return ClassicJoin(groups.consumer_groups, consumer, request).result()
    if groups.has_share_group(request.group_id) or (streams is not None and streams.members):
        return JoinResult(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "")
    return None


def _refusal(groups: GroupRegistry, request: JoinRequest) -> ErrorCode:
    """What is wrong with the request, whatever the group's state."""
    if not request.group_id:
        return ErrorCode.INVALID_GROUP_ID
    status = groups.status(request.group_id)
    if status is not ErrorCode.NONE:
        return status
    least, most = groups.config.int("group.min.session.timeout.ms"), groups.config.int("group.max.session.timeout.ms")
    return ErrorCode.NONE if least <= request.session_timeout_ms <= most else ErrorCode.INVALID_SESSION_TIMEOUT


def _group(groups: GroupRegistry, request: JoinRequest) -> Group:
    """The group to join, which is created if there is none; an empty group of another kind gives up its name. If it
    raises `ApiError`, nothing has changed.
    """
    classic = groups.classic_groups
    consumer = groups.consumer_group(request.group_id)
    if consumer is not None:
        groups.consumer_groups.commit(groups.consumer_groups.deletion(consumer))
    empty = groups.streams_group(request.group_id)
    group = classic.find(request.group_id, makes_room=empty is not None)
    is_new = group is None or consumer is not None or empty is not None
    if group is None:
        if request.member_id:
            raise ApiError(ErrorCode.UNKNOWN_MEMBER_ID)
        group = classic.new_group(request.group_id, request.protocol_type)
    if is_new and groups.rules.new_group_record:
        end = None if empty is None else groups.streams_groups.deletion(empty)
        error = classic.store_new(group, [] if end is None else groups.streams_groups.encoded(end))
        if error is not ErrorCode.NONE:
            raise ApiError(error)
        if end is not None:
            groups.streams_groups.apply(end)
    classic.keep(group)
    return group


class _Join:
    """A JoinGroup request to a classic group, existing or new."""

    def __init__(self, groups: ClassicGroups, group: Group, request: JoinRequest, reply: Reply[JoinResult]) -> None:
        self._groups = groups
        self._group = group
        self._rebalance = Rebalance(groups, group)
        self._request = request
        self._reply = reply

    def carry_out(self) -> None:
        """Accept the member, or refuse it."""
        group, request = self._group, self._request
        if not self._has_room():
            group.remove(request.member_id)
            self._reply.give(JoinResult(ErrorCode.GROUP_MAX_SIZE_REACHED, ""))
            if not self._groups.rules.refusal_completes_join:
                return
        elif request.member_id:
            self._join_again()
        else:
            self._join_new()
        self._rebalance.complete_join_if_ready()

    def _has_room(self) -> bool:
        """Whether `group.max.size` leaves room for the member (KIP-389)."""
        match self._groups.rules.size_limit:
            case "none":
                return True
            case "members":
                return self._has_room_for_members(self._groups.config.int("group.max.size"))
            case "awaiting":
                return self._has_room_for_awaiting(self._groups.config.int("group.max.size"))
            case rule:
                assert_never(rule)

    def _has_room_for_members(self, limit: int) -> bool:
        member = self._group.members.get(self._request.member_id)
        size = len(self._group.members)
        sheds = size > limit and member is not None and member.join_reply is None
        return not sheds and (bool(self._request.member_id) or size < limit)

    def _has_room_for_awaiting(self, limit: int) -> bool:
        member = self._group.members.get(self._request.member_id)
        size = len(self._group.members)
        if self._group.state is State.EMPTY:
            return True
        if self._group.state is State.PREPARING_REBALANCE:
            return (member is not None and member.join_reply is not None) or self._group.awaiting_join < limit
        return member is not None or size < limit

    def _takes(self) -> bool:
        """Whether the protocols match the group's."""
        request = self._request
        if self._group.members or self._group.state not in (State.EMPTY, State.STABLE):
            return self._group.speaks(request.protocol_type, request.protocols)
        if self._groups.rules.empty_protocol_type == "taken":
            return self._group.state is State.EMPTY or self._group.protocol_type == request.protocol_type
        return bool(request.protocol_type and request.protocols)

    # ---- new members

    def _join_new(self) -> None:
        request = self._request
        if not self._takes():
            self._reply.give(JoinResult(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ""))
            return
        member_id = self._new_member_id()
        if request.instance_id is not None and request.instance_id in self._group.static_ids:
            self._return_of_static(member_id)
        elif request.needs_known_id:
            self._rebalance.give_out_id(member_id, request.session_timeout_ms)
            self._reply.give(JoinResult(ErrorCode.MEMBER_ID_REQUIRED, member_id))
        else:
            self._add(member_id)

    def _new_member_id(self) -> str:
        cluster, instance_id = self._groups.cluster, self._request.instance_id
        if instance_id is None:
            return f"{self._request.client_id}-{cluster.new_uuid()}"
        match self._groups.rules.static_member_id:
            case "time":
                return f"{instance_id}-{cluster.clock.now_ms}"
            case "random":
                return f"{instance_id}-{cluster.new_uuid()}"
            case rule:
                assert_never(rule)

    def _add(self, member_id: str) -> None:
        request = self._request
        member = Member(
            member_id,
            instance_id=request.instance_id,
            client_id=request.client_id,
            client_host=request.client_host,
            rebalance_timeout_ms=request.rebalance_timeout_ms,
            session_timeout_ms=request.session_timeout_ms,
            protocols=request.protocols,
        )
        rules = self._groups.rules
        member.is_new = True
        member.has_room_for_instances = request.has_room_for_instances
        member.join_reply = self._reply
        if self._group.join_is_initial and (
            self._group.generation == 0 or self._groups.rules.initial_delay_extended_for == "empty group"
        ):
            self._group.new_member_added = True
        self._group.add(member, request.protocol_type)
        if rules.new_member_join_timeout:
            self._rebalance.keep_alive(member, NEW_MEMBER_JOIN_TIMEOUT_MS)
        self._rebalance.prepare_if_possible()

    def _return_of_static(self, member_id: str) -> None:
        """A process joins without a member id, but with an instance id that the group has (KIP-345)."""
        assert self._request.instance_id is not None
        leader, rules = self._group.leader, self._groups.rules
        member = self._group.replace(self._request.instance_id, member_id)
        self._rebalance.keep_alive(member)
        self._update(member)
        if self._group.state is State.STABLE and rules.static_rejoin == "stored":
            self._store_return(member, leader or "")
        elif self._group.state is State.STABLE or (
            self._group.state is State.COMPLETING_REBALANCE
            and self._groups.rules.static_rejoin_awaiting_sync == "answered"
        ):
            self._group.answer_join(member, self._group.joined(member, leader=leader or ""))
        elif self._group.state is State.COMPLETING_REBALANCE:
            self._rebalance.prepare()

    def _store_return(self, member: Member, leader: str) -> None:
        """The member came back to a stable group: only its id changes, unless the vote on the protocol changes, too."""
        if self._group.select_protocol() != self._group.protocol_name:
            self._rebalance.prepare()
            return
        error = self._groups.store(self._group, {m.id: m.assignment for m in self._group.members.values()})
        if error is not ErrorCode.NONE:
            self._group.answer_join(member, JoinResult(error, ""))
        elif self._request.can_skip_assignment:
            result = self._group.joined(member)
            self._group.answer_join(member, result._replace(skip_assignment=self._group.leader == member.id))
        else:
            self._group.answer_join(member, self._group.joined(member, leader=leader))

    # ---- members that join again

    def _join_again(self) -> None:
        request = self._request
        error = self._refusal_of_known()
        if error is not ErrorCode.NONE:
            self._reply.give(JoinResult(error, request.member_id))
        elif request.member_id in self._group.pending_ids:
            self._join_with_given_id()
        else:
            self._rejoin(self._group.members[request.member_id])

    def _join_with_given_id(self) -> None:
        """A client joins with the id that it was told to come back with. The coordinator fails over a static member
        with such an id: raises `ApiError`. Recorded from 2.4.1 to 4.3.1: given_ids.
        """
        if self._request.instance_id is not None:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        self._add(self._request.member_id)

    def _refusal_of_known(self) -> ErrorCode:
        request = self._request
        if not self._takes():
            return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
        if request.member_id in self._group.pending_ids:
            return ErrorCode.NONE
        if self._group.is_fenced(Identity(request.member_id, request.instance_id)):
            return ErrorCode.FENCED_INSTANCE_ID
        known = request.instance_id is None or request.instance_id in self._group.static_ids
        return ErrorCode.NONE if known and request.member_id in self._group.members else ErrorCode.UNKNOWN_MEMBER_ID

    def _rejoin(self, member: Member) -> None:
        unchanged = member.protocols == self._request.protocols
        if self._group.state is State.COMPLETING_REBALANCE and unchanged:
            self._reply.give(self._group.joined(member))  # it may never have seen the answer to its first JoinGroup
        elif self._group.state is State.STABLE and unchanged and self._group.leader != member.id:
            self._reply.give(self._group.joined(member))
        else:
            self._update(member)
            self._rebalance.prepare_if_possible()

    def _update(self, member: Member) -> None:
        request = self._request
        member.protocols = request.protocols
        member.has_room_for_instances = request.has_room_for_instances
        member.join_reply = self._reply
        if self._groups.rules.rejoin_changes_timeouts:
            member.rebalance_timeout_ms = request.rebalance_timeout_ms
            member.session_timeout_ms = request.session_timeout_ms
