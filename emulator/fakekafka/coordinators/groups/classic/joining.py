"""JoinGroup: who may become or stay a member, under which id, and whether that starts a rebalance.

The checks stand in the order of the real coordinators (GroupCoordinator.doJoinGroup and its descendants, from 4.0 on
GroupMetadataManager.classicGroupJoin): the group, the session timeout, the size limit, the protocols, the member.
"""

from typing import TYPE_CHECKING, NamedTuple

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.member import JoinResult, Member, Protocols
from fakekafka.coordinators.groups.classic.rebalance import (
    NEW_MEMBER_JOIN_TIMEOUT_MS,
    complete_join_if_ready,
    give_out_id,
    keep_alive,
    prepare_rebalance,
    rebalance_if_possible,
)
from fakekafka.coordinators.groups.classic.reply import Reply
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer import classic_members
from fakekafka.coordinators.groups.consumer.migration import delete_empty
from fakekafka.coordinators.groups.lingering import KeyValue
from fakekafka.errors import ErrorCode
from fakekafka.ids import DurationMs

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator


class JoinAsked(NamedTuple):
    """A JoinGroup request."""

    group_id: str
    member_id: str
    instance_id: str | None
    client_id: str
    client_host: str
    rebalance_timeout_ms: DurationMs
    session_timeout_ms: DurationMs
    protocol_type: str
    protocols: Protocols
    needs_known_id: bool
    """Must a new member come back with the id that it gets (KIP-394)?"""
    can_skip_assignment: bool
    """May a static leader that comes back be told that there is nothing to assign (KIP-814)?"""


def join(on: "GroupCoordinator", ask: JoinAsked) -> Reply[JoinResult]:
    """Carry out a JoinGroup. The reply holds the answer at once, or when the rebalance is over.

    Raises `LookupError` if the group is left without a common protocol, as old releases let happen.
    """
    reply: Reply[JoinResult] = Reply(on.waiters)
    if on.refuses(ask.instance_id):
        reply.give(JoinResult(ErrorCode.UNSUPPORTED_VERSION, ""))
        return reply
    error = _refusal(on, ask)
    if error is not ErrorCode.NONE:
        reply.give(JoinResult(error, ask.member_id))
        return reply
    answered = _joined_other_kind(on, ask)
    if answered is not None:
        reply.give(answered)
        return reply
    before = _made_room(on, ask.group_id)
    group = on.group(ask.group_id)
    is_new_group = group is None or bool(before)
    if group is None:
        if ask.member_id:
            reply.give(JoinResult(ErrorCode.UNKNOWN_MEMBER_ID, ask.member_id))
            return reply
        group = on.new_group(ask.group_id, ask.protocol_type)
    on.groups[group.id] = group
    if not _has_room(on, group, ask):
        group.remove(ask.member_id)
        reply.give(JoinResult(ErrorCode.GROUP_MAX_SIZE_REACHED, ""))
    elif ask.member_id:
        _join_again(on, group, ask, reply)
    else:
        _join_new(on, group, ask, reply)
    if is_new_group and on.rules.new_group_record:
        on.store_new_group(group, before)
    complete_join_if_ready(on, group)
    return reply


def _joined_other_kind(on: "GroupCoordinator", ask: JoinAsked) -> JoinResult | None:
    """What is answered if the group is of another kind and has members; None: it is not, or it has not."""
    modern, streams = on.consumer_groups.groups.get(ask.group_id), on.streams_groups.groups.get(ask.group_id)
    if modern is not None and modern.members:
        return classic_members.join(on.consumer_groups, modern, ask)
    if ask.group_id in on.share_groups.groups or (streams is not None and streams.members):
        return JoinResult(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, "")
    return None


def _made_room(on: "GroupCoordinator", group_id: str) -> list[KeyValue]:
    """An empty group of another kind gives its name to a classic one. What is still to be written of that."""
    modern, streams = on.consumer_groups.groups.get(group_id), on.streams_groups.groups.get(group_id)
    if modern is not None:
        delete_empty(on.consumer_groups, modern)
    return [] if streams is None else on.streams_groups.deletion_records(streams)


def _refusal(on: "GroupCoordinator", ask: JoinAsked) -> ErrorCode:
    """What is wrong with the request whatever the group is like."""
    if not ask.group_id:
        return ErrorCode.INVALID_GROUP_ID
    status = on.status(ask.group_id)
    if status is not ErrorCode.NONE:
        return status
    least, most = on.config.int("group.min.session.timeout.ms"), on.config.int("group.max.session.timeout.ms")
    return ErrorCode.NONE if least <= ask.session_timeout_ms <= most else ErrorCode.INVALID_SESSION_TIMEOUT


def _has_room(on: "GroupCoordinator", group: Group, ask: JoinAsked) -> bool:
    """group.max.size (KIP-389)."""
    rule = on.rules.size_limit
    if rule == "none":
        return True
    limit = on.config.int("group.max.size")
    member = group.members.get(ask.member_id)
    size = len(group.members)
    if rule == "members":
        sheds = size > limit and member is not None and member.join_reply is None
        return not sheds and (bool(ask.member_id) or size < limit)
    if group.state is State.EMPTY:
        return True
    if group.state is State.PREPARING_REBALANCE:
        return (member is not None and member.join_reply is not None) or group.awaiting_join < limit
    return member is not None or size < limit


def _takes(on: "GroupCoordinator", group: Group, ask: JoinAsked) -> bool:
    """Do the protocols fit the group's?"""
    if group.members or group.state not in (State.EMPTY, State.STABLE):
        return group.speaks(ask.protocol_type, ask.protocols)
    if on.rules.empty_protocol_type == "taken":
        return group.state is State.EMPTY or group.protocol_type == ask.protocol_type
    return bool(ask.protocol_type and ask.protocols)


# ---- new members


def _join_new(on: "GroupCoordinator", group: Group, ask: JoinAsked, reply: Reply[JoinResult]) -> None:
    if not _takes(on, group, ask):
        reply.give(JoinResult(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, ""))
        return
    prefix = ask.client_id if ask.instance_id is None else ask.instance_id
    member_id = f"{prefix}-{on.cluster.new_uuid()}"
    if ask.instance_id is not None and ask.instance_id in group.static_ids:
        _return_of_static(on, group, ask, member_id, reply)
    elif ask.needs_known_id:
        give_out_id(on, group, member_id, ask.session_timeout_ms)
        reply.give(JoinResult(ErrorCode.MEMBER_ID_REQUIRED, member_id))
    else:
        _add(on, group, ask, member_id, reply)


def _add(on: "GroupCoordinator", group: Group, ask: JoinAsked, member_id: str, reply: Reply[JoinResult]) -> None:
    member = Member(
        member_id,
        ask.instance_id,
        ask.client_id,
        ask.client_host,
        ask.rebalance_timeout_ms,
        ask.session_timeout_ms,
        ask.protocols,
    )
    member.is_new = True
    member.join_reply = reply
    if group.join_is_initial and (group.generation == 0 or on.rules.initial_delay_extended_for == "empty group"):
        group.new_member_added = True
    group.add(member, ask.protocol_type)
    if on.rules.new_member_join_timeout:
        keep_alive(on, group, member, NEW_MEMBER_JOIN_TIMEOUT_MS)
    rebalance_if_possible(on, group)


def _return_of_static(
    on: "GroupCoordinator", group: Group, ask: JoinAsked, member_id: str, reply: Reply[JoinResult]
) -> None:
    """A process comes without member id, but with an instance id that the group has (KIP-345)."""
    assert ask.instance_id is not None
    leader = group.leader
    member = group.replace(ask.instance_id, member_id)
    keep_alive(on, group, member)
    _update(on, member, ask, reply)
    if group.state is State.STABLE and on.rules.static_rejoin == "stored":
        _store_return(on, group, ask, member, leader or "")
    elif group.state is State.STABLE or (
        group.state is State.COMPLETING_REBALANCE and on.rules.static_rejoin_awaiting_sync == "answered"
    ):
        group.answer_join(member, group.joined(member, leader=leader or ""))
    elif group.state is State.COMPLETING_REBALANCE:
        prepare_rebalance(on, group)


def _store_return(on: "GroupCoordinator", group: Group, ask: JoinAsked, member: Member, leader: str) -> None:
    """It came back to a stable group: nothing changes but its id, unless the vote on the protocol does."""
    if group.select_protocol() != group.protocol_name:
        prepare_rebalance(on, group)
        return
    error = on.store_group(group, {m.id: m.assignment for m in group.members.values()})
    if error is not ErrorCode.NONE:
        group.answer_join(member, JoinResult(error, ""))
    elif ask.can_skip_assignment:
        result = group.joined(member)
        group.answer_join(member, result._replace(skip_assignment=group.leader == member.id))
    else:
        group.answer_join(member, group.joined(member, leader=leader))


# ---- members that join again


def _join_again(on: "GroupCoordinator", group: Group, ask: JoinAsked, reply: Reply[JoinResult]) -> None:
    error = _refusal_of_known(on, group, ask)
    if error is not ErrorCode.NONE:
        reply.give(JoinResult(error, ask.member_id))
    elif ask.member_id in group.pending_ids:
        _add(on, group, ask, ask.member_id, reply)
    else:
        _rejoin(on, group, ask, group.members[ask.member_id], reply)


def _refusal_of_known(on: "GroupCoordinator", group: Group, ask: JoinAsked) -> ErrorCode:
    if not _takes(on, group, ask):
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if ask.member_id in group.pending_ids:
        # The real coordinator fails over a static member with such an id.
        return ErrorCode.NONE if ask.instance_id is None else ErrorCode.UNKNOWN_SERVER_ERROR
    if ask.instance_id is not None and group.static_ids.get(ask.instance_id, ask.member_id) != ask.member_id:
        return ErrorCode.FENCED_INSTANCE_ID
    known = ask.instance_id is None or ask.instance_id in group.static_ids
    return ErrorCode.NONE if known and ask.member_id in group.members else ErrorCode.UNKNOWN_MEMBER_ID


def _rejoin(on: "GroupCoordinator", group: Group, ask: JoinAsked, member: Member, reply: Reply[JoinResult]) -> None:
    unchanged = member.protocols == ask.protocols
    if group.state is State.COMPLETING_REBALANCE and unchanged:
        reply.give(group.joined(member))  # maybe it never saw the answer to its first JoinGroup
    elif group.state is State.STABLE and unchanged and group.leader != member.id:
        reply.give(group.joined(member))
    else:
        _update(on, member, ask, reply)
        rebalance_if_possible(on, group)


def _update(on: "GroupCoordinator", member: Member, ask: JoinAsked, reply: Reply[JoinResult]) -> None:
    member.protocols = ask.protocols
    member.join_reply = reply
    if on.rules.rejoin_changes_timeouts:
        member.rebalance_timeout_ms = ask.rebalance_timeout_ms
        member.session_timeout_ms = ask.session_timeout_ms
