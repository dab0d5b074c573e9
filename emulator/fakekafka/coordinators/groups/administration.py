"""Describing, listing and deleting groups of all kinds: DescribeGroups, ListGroups, DeleteGroups, OffsetDelete."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from fakekafka.coordinators.groups.classic.group import CONSUMER, State
from fakekafka.coordinators.groups.coordinator import GroupCoordinator
from fakekafka.coordinators.groups.offsets.map_order import deleted_order
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import TopicPartition

CLASSIC: Final = "classic"


class Listed(NamedTuple):
    """A group as ListGroups shows it."""

    id: str
    protocol_type: str
    state: str
    kind: str
    """"classic", "consumer", "share" or "streams"."""


def state_name(coordinator: GroupCoordinator, state: State) -> str:
    """The release's name for a state of a classic group."""
    return coordinator.rules.awaiting_sync_name if state is State.COMPLETING_REBALANCE else state.value


def listed(coordinator: GroupCoordinator, states: Collection[str], kinds: Collection[str]) -> list[Listed]:
    """The groups that are in one of `states` and of one of `kinds`; an empty filter lets all through (KIP-518)."""
    any_case = coordinator.rules.state_filter == "any case"
    wanted = {s.lower() if any_case else s for s in states}
    asked = {kind.lower() for kind in kinds}
    return [
        group
        for group in _all(coordinator)
        if (not wanted or (_in_filters(group.state) if any_case else group.state) in wanted)
        and (not asked or group.kind in asked)
    ]


def _all(coordinator: GroupCoordinator) -> list[Listed]:
    small = coordinator.broker.profile.consumer_groups.states_in_small_letters
    rows = [
        Listed(g.id, kind.KIND, g.state.lower() if small else g.state, kind.KIND)
        for kind in coordinator.modern
        for g in kind.groups.values()
    ]
    rows += [
        Listed(g.id, g.protocol_type or "", state_name(coordinator, g.state), CLASSIC)
        for g in coordinator.classic_groups.everyone()
    ]
    return rows


def _in_filters(state: str) -> str:
    """A state in the spelling of filters."""
    return "not_ready" if state == "NotReady" else state.lower()


def refusals_of_deletion(coordinator: GroupCoordinator, group_ids: Iterable[str]) -> dict[str, ErrorCode]:
    """The errors of groups that cannot be deleted."""
    errors = {group_id: _refusal_of_deletion(coordinator, group_id) for group_id in group_ids}
    return {group_id: error for group_id, error in errors.items() if error is not ErrorCode.NONE}


def delete_groups(
    coordinator: GroupCoordinator, group_ids: Sequence[str], known: Mapping[str, ErrorCode] | None = None
) -> list[ErrorCode]:
    """Delete groups without members, with their offsets. Returns an error for each. `known`: errors that were found
    before.
    """
    rules, refused = coordinator.offset_rules, dict(known or {})
    free = [group_id for group_id in group_ids if group_id not in refused]
    refused |= refusals_of_deletion(coordinator, free)
    deletable = {group_id for group_id in free if group_id not in refused}
    ordered = deleted_order(list(dict.fromkeys(group_ids)), rules.deleted_order) if len(deletable) > 1 else deletable
    deleted = [group_id for group_id in ordered if group_id in deletable]
    others = [group_id for group_id in deleted if not coordinator.has_share_group(group_id)]
    for group_id in deleted:
        if coordinator.has_share_group(group_id):
            try:
                coordinator.share_groups.delete(coordinator.share_groups.groups[group_id])
            except ApiError as error:
                refused[group_id] = error.code
    chosen = coordinator.expiry.in_order({group_id: _places(coordinator, group_id) for group_id in others})
    coordinator.expiry.clean_up(chosen, deletes_groups=True)
    coordinator.pending.close(set(others))
    return [refused.get(group_id, ErrorCode.NONE) for group_id in group_ids]


def _places(coordinator: GroupCoordinator, group_id: str) -> list[TopicPartition]:
    """The partitions for which a group has offsets, or a first commit that waits for replicas or is pending."""
    committed = (entry[:2] for entry in coordinator.offsets.of_group(group_id))
    waiting = coordinator.offset_manager.awaited.of_group(group_id)
    return list(dict.fromkeys([*committed, *waiting, *coordinator.pending.of_group(group_id)]))


def _refusal_of_deletion(coordinator: GroupCoordinator, group_id: str) -> ErrorCode:
    if not group_id and coordinator.rules.deleted_empty_name is ErrorCode.INVALID_GROUP_ID:
        return ErrorCode.INVALID_GROUP_ID
    status = coordinator.status(group_id)
    if status is not ErrorCode.NONE:
        return status
    modern = coordinator.modern_group(group_id)
    if modern is not None:
        return ErrorCode.NON_EMPTY_GROUP if modern.members else ErrorCode.NONE
    group = coordinator.classic_groups.find(group_id)
    if group is None:
        return ErrorCode.GROUP_ID_NOT_FOUND
    return ErrorCode.NONE if group.state is State.EMPTY else ErrorCode.NON_EMPTY_GROUP


def delete_offsets(
    coordinator: GroupCoordinator, group_id: str, partitions: Sequence[TopicPartition]
) -> tuple[ErrorCode, list[ErrorCode]]:
    """Delete offsets of topics that no member consumes (KIP-496). Returns an error for the request, and one for
    each partition.
    """
    status = ErrorCode.INVALID_GROUP_ID if not group_id else coordinator.status(group_id)
    if status is not ErrorCode.NONE:
        return status, []
    modern = coordinator.consumer_group(group_id) or coordinator.streams_group(group_id)
    if modern is not None:
        consumed = [modern.subscribes_to(topic) for topic, _ in partitions]
    else:
        group = coordinator.classic_groups.find(group_id)
        if group is None:
            return ErrorCode.GROUP_ID_NOT_FOUND, []
        if group.members and group.protocol_type != CONSUMER:
            return ErrorCode.NON_EMPTY_GROUP, []
        consumed = [bool(group.members) and group.subscribes_to(topic) for topic, _ in partitions]
    free = [partition for partition, busy in zip(partitions, consumed) if not busy]
    if free:
        coordinator.expiry.clean_up({group_id: free}, may_leave_bare=True)
    return ErrorCode.NONE, [ErrorCode.GROUP_SUBSCRIBED_TO_TOPIC if busy else ErrorCode.NONE for busy in consumed]
