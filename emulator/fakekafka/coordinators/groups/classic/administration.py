"""Looking at groups and deleting them: DescribeGroups, ListGroups, DeleteGroups, OffsetDelete."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.coordinators.groups.classic.group import CONSUMER
from fakekafka.coordinators.groups.classic.map_order import deleted_order, expired_order
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.expiry import clean_up
from fakekafka.errors import ErrorCode
from fakekafka.ids import PartitionIndex, TopicName

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

SHARE: Final = "share"
STREAMS: Final = "streams"
CLASSIC = "classic"


class Listed(NamedTuple):
    """A group as ListGroups shows it."""

    id: str
    protocol_type: str
    state: str
    kind: str
    """CLASSIC, CONSUMER, SHARE or STREAMS."""


def state_name(on: "GroupCoordinator", state: State) -> str:
    """A state as the release calls it."""
    return on.rules.awaiting_sync_name if state is State.COMPLETING_REBALANCE else state.value


def listed(on: "GroupCoordinator", states: Collection[str], kinds: Collection[str]) -> list[Listed]:
    """The groups that are in one of `states` and of one of `kinds`; an empty filter lets all through (KIP-518)."""
    any_case = on.rules.state_filter == "any case"
    wanted = {s.lower() if any_case else s for s in states}

    asked = {kind.lower() for kind in kinds}
    found = [Listed(g.id, CONSUMER, g.state, CONSUMER) for g in on.consumer_groups.groups.values()]
    found += [Listed(g.id, SHARE, g.state, SHARE) for g in on.share_groups.groups.values()]
    found += [Listed(g.id, STREAMS, g.state, STREAMS) for g in on.streams_groups.groups.values()]
    found += [Listed(g.id, g.protocol_type or "", state_name(on, g.state), CLASSIC) for g in on.all_groups()]
    return [
        group
        for group in found
        if (not wanted or (_in_filters(group.state) if any_case else group.state) in wanted)
        and (not asked or group.kind in asked)
    ]


def _in_filters(state: str) -> str:
    """A state as filters name it."""
    return "not_ready" if state == "NotReady" else state.lower()


def delete_groups(on: "GroupCoordinator", group_ids: Sequence[str]) -> list[ErrorCode]:
    """Delete groups without members, with their offsets. An error for each."""
    errors = [_refusal_of_deletion(on, group_id) for group_id in group_ids]
    order = on.offset_rules.expired_order
    deletable = {group_id for group_id, error in zip(group_ids, errors) if error is ErrorCode.NONE}
    ordered = deleted_order(list(dict.fromkeys(group_ids)), on.offset_rules.deleted_order)
    deleted = [group_id for group_id in ordered if group_id in deletable]
    shared = [on.share_groups.groups[group_id] for group_id in deleted if group_id in on.share_groups.groups]
    for group in shared:
        on.share_groups.delete(group)
    others = [group_id for group_id in deleted if group_id not in {group.id for group in shared}]
    places = {group_id: [entry[:2] for entry in on.offsets.of_group(group_id)] for group_id in others}
    clean_up(on, {group_id: expired_order(found, order) for group_id, found in places.items()})
    return errors


def _refusal_of_deletion(on: "GroupCoordinator", group_id: str) -> ErrorCode:
    if not group_id and on.rules.deleted_empty_name is ErrorCode.INVALID_GROUP_ID:
        return ErrorCode.INVALID_GROUP_ID
    status = on.status(group_id)
    if status is not ErrorCode.NONE:
        return status
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        return ErrorCode.NON_EMPTY_GROUP if modern.members else ErrorCode.NONE
    other = on.share_groups.groups.get(group_id) or on.streams_groups.groups.get(group_id)
    if other is not None:
        return ErrorCode.NON_EMPTY_GROUP if other.members else ErrorCode.NONE
    group = on.group(group_id)
    if group is None:
        return ErrorCode.GROUP_ID_NOT_FOUND
    return ErrorCode.NONE if group.state is State.EMPTY else ErrorCode.NON_EMPTY_GROUP


def delete_offsets(
    on: "GroupCoordinator", group_id: str, places: Sequence[tuple[TopicName, PartitionIndex]]
) -> tuple[ErrorCode, list[ErrorCode]]:
    """Delete offsets of topics that no member consumes (KIP-496). The error of all, and one for each."""
    status = ErrorCode.INVALID_GROUP_ID if not group_id else on.status(group_id)
    if status is not ErrorCode.NONE:
        return status, []
    modern = on.consumer_groups.groups.get(group_id) or on.streams_groups.groups.get(group_id)
    if modern is not None:
        return ErrorCode.NONE, _deleted(on, group_id, places, [modern.subscribes_to(topic) for topic, _ in places])
    group = on.group(group_id)
    if group is None:
        return ErrorCode.GROUP_ID_NOT_FOUND, []
    if group.members and group.protocol_type != CONSUMER:
        return ErrorCode.NON_EMPTY_GROUP, []
    consumed = [bool(group.members) and group.subscribes_to(topic) for topic, _ in places]
    return ErrorCode.NONE, _deleted(on, group_id, places, consumed)


def _deleted(
    on: "GroupCoordinator",
    group_id: str,
    places: Sequence[tuple[TopicName, PartitionIndex]],
    consumed: Sequence[bool],
) -> list[ErrorCode]:
    free = [place for place, busy in zip(places, consumed) if not busy]
    if free:
        clean_up(on, {group_id: free}, may_leave_bare=True)
    return [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if busy else ErrorCode.NONE for busy in consumed]
