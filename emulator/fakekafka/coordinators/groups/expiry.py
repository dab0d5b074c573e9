"""When committed offsets and empty groups are forgotten: retention, deleted topics, deletion by an administrator.

Whatever goes leaves tombstones in the log (GroupMetadataManager.cleanupGroupMetadata, OffsetMetadataManager).
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from fakekafka.coordinators.groups.classic.group import CONSUMER, Group
from fakekafka.coordinators.groups.classic.map_order import expired_order, expired_order_of_all, groups_order
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.commits import retention_of
from fakekafka.coordinators.groups.consumer.migration import deletion_records
from fakekafka.coordinators.groups.offsets import Committed, Entry
from fakekafka.coordinators.groups.records import group_key, offset_key
from fakekafka.ids import PartitionIndex, TimestampMs, TopicName

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

Places: TypeAlias = list[tuple[TopicName, PartitionIndex]]


def check_expiry(on: "GroupCoordinator") -> bool:
    """The regular check: offsets whose time is over go, and groups that have neither members nor offsets.

    False: nothing is left that could go some time.
    """
    now, order = on.now, on.offset_rules.expired_order
    expired = {group_id: [entry[:2] for entry in _expired(on, group_id, now)] for group_id in on.everybody()}
    if order in ("offsets", "old offsets"):
        _clean_up_together(on, expired, case_class=order == "old offsets")
    else:
        touched = {group_id for group_id, places in expired.items() if places or group_id not in on.offsets}
        ordered = [g for g in groups_order(list(expired), order) if g in touched] if touched else []
        clean_up(on, {group_id: expired_order(expired[group_id], order) for group_id in ordered})
    return bool(on.everybody())


def topic_deleted(on: "GroupCoordinator", topic: TopicName) -> None:
    """A topic is gone; so are the offsets committed for it."""
    if on.offset_rules.deleted_topics:
        places = {group_id: on.offsets.partitions(group_id, topic) for group_id in on.offsets.groups()}
        clean_up(on, {g: [(topic, p) for p in found] for g, found in places.items() if found}, may_leave_bare=True)


def clean_up(on: "GroupCoordinator", places: Mapping[str, Places], *, may_leave_bare: bool = False) -> None:
    """Remove offsets of some groups, and those groups that are left with nothing.

    `may_leave_bare`: the groups stay in releases where they outlive their offsets.
    """
    stay = may_leave_bare and on.offset_rules.groups_outlive_offsets
    together: dict[PartitionIndex, list[tuple[bytes, bytes | None]]] = {}
    for group_id, chosen in places.items():
        tombstones = _remove_offsets(on, group_id, chosen)
        if stay and not on.is_modern(group_id):
            on.groups.setdefault(group_id, on.new_group(group_id))
        elif not stay:
            tombstones += _remove_if_bare(on, group_id)
        if on.offset_rules.tombstones == "all groups":
            together.setdefault(on.partition_of(group_id), []).extend(tombstones)
        elif tombstones:
            on.append(group_id, tombstones)
    for index, tombstones in together.items():
        partition = on.partition(index)
        if tombstones and partition is not None:
            on.append_to(partition, tombstones)


def _clean_up_together(on: "GroupCoordinator", expired: Mapping[str, Places], *, case_class: bool) -> None:
    """Up to 0.10.0 all offsets are in one map, and groups leave nothing behind."""
    places = [(group_id, *place) for group_id, chosen in expired.items() for place in chosen]
    together: dict[PartitionIndex, list[tuple[bytes, bytes | None]]] = {}
    ordered = expired_order_of_all(places, len(on.offsets), case_class=case_class) if places else []
    for group_id, topic, number in ordered:
        tombstones = _remove_offsets(on, group_id, [(topic, number)])
        together.setdefault(on.partition_of(group_id), []).extend(tombstones)
    for index, tombstones in together.items():
        partition = on.partition(index)
        if tombstones and partition is not None:
            on.append_to(partition, tombstones)


def _remove_offsets(on: "GroupCoordinator", group_id: str, places: Places) -> list[tuple[bytes, bytes | None]]:
    """Forget offsets of a group; their tombstones, which are still to be written."""
    removed = on.offsets.remove(group_id, places)
    if on.pending:
        for topic, partition in places:
            on.pending.remove(group_id, topic, partition)
    if on.commit_log is not None:
        on.commit_log.forget(group_id, [place[:2] for place in removed])
        return []
    key_type = on.offset_rules.key_version
    return [(offset_key(key_type, group_id, topic, partition), None) for topic, partition, _ in removed]


def _remove_if_bare(on: "GroupCoordinator", group_id: str) -> list[tuple[bytes, bytes | None]]:
    """Forget a group that has neither members nor offsets; its tombstone, if it gets one."""
    if not on.rules.offsets_make_groups or group_id in on.offsets:
        return []
    if on.pending and group_id in on.pending.groups():
        return []
    modern = on.consumer_groups.groups.get(group_id)
    if modern is not None:
        if modern.members:
            return []
        on.consumer_groups.drop(modern)
        return deletion_records(modern)
    streams = on.streams_groups.groups.get(group_id)
    if streams is not None:
        return [] if streams.members else on.streams_groups.deletion_records(streams)
    group = on.groups.get(group_id)
    if group is not None and group.state is not State.EMPTY:
        return []
    generation = 0 if group is None else group.generation
    if group is not None:
        group.stop_timers()
        group.become(State.DEAD, on.now)
        del on.groups[group_id]
    return [(group_key(group_id), None)] if generation > 0 or on.rules.tombstone_of_generation_0 else []


def _expired(on: "GroupCoordinator", group_id: str, now: TimestampMs) -> list[Entry]:
    """The offsets of a group whose time is over."""
    group = on.groups.get(group_id)
    begins = _retention_begins(on, group)
    if begins is None:
        return []
    retention, at_once = retention_of(on), on.offset_rules.expires == "at"
    modern = on.consumer_groups.groups.get(group_id) or on.streams_groups.groups.get(group_id)
    subscribed = frozenset() if group is None or group.subscribed_topics is None else group.subscribed_topics

    def over(committed: Committed) -> bool:
        end = committed.expire_timestamp
        if end is None:
            end = begins(committed) + retention
        return now >= end if at_once else now > end

    return [
        entry
        for entry in on.offsets.of_group(group_id)
        if over(entry[2])
        and entry[0] not in subscribed
        and (modern is None or not modern.subscribes_to(entry[0]))
        and not on.pending.has(group_id, entry[0], entry[1])
    ]


def _retention_begins(on: "GroupCoordinator", group: Group | None) -> "Callable[[Committed], TimestampMs] | None":
    """From when on the retention of a group's offsets counts; None: they do not expire now (KIP-211)."""
    whose = on.offset_rules.expires_in
    if group is None or group.protocol_type is None or whose == "any state":
        return _commit_time
    if group.state is State.EMPTY:
        since = group.state_since
        return _commit_time if since is None else lambda _: since
    if whose == "no members" or group.protocol_type != CONSUMER or group.subscribed_topics is None:
        return None
    return _commit_time if whose == "any state, unsubscribed" or group.state is State.STABLE else None


def _commit_time(committed: Committed) -> TimestampMs:
    return committed.commit_timestamp
