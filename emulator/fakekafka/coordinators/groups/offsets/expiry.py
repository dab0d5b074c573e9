"""When committed offsets and empty groups are forgotten: retention, deleted topics, deletion by an administrator.

Everything forgotten leaves tombstones in the log (GroupMetadataManager.cleanupGroupMetadata, OffsetMetadataManager).
The Scala coordinator forgets first and then writes; the Java one forgets what it could write.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, TypeAlias, assert_never

from fakekafka.coordinators.groups.classic.group import CONSUMER, Group, State
from fakekafka.coordinators.groups.offsets.commits import OffsetManager
from fakekafka.coordinators.groups.offsets.map_order import (
    GroupTopicPartition,
    expired_order,
    groups_order,
    order_of_all,
)
from fakekafka.coordinators.groups.offsets.store import Committed, Entry
from fakekafka.coordinators.groups.records import OffsetKey, group_key, offset_key, read_key
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.coordinators.groups.typed_records import KeyValue
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import PartitionIndex, TimestampMs, TopicName, TopicPartition

Partitions: TypeAlias = list[TopicPartition]


class Removal(NamedTuple):
    """Something that is to be forgotten."""

    group_id: str
    tombstones: Sequence[KeyValue]
    forget: Callable[[], object]


class Expiry:
    """What one broker's coordinator forgets."""

    def __init__(self, groups: GroupRegistry, offsets: OffsetManager) -> None:
        self._groups = groups
        self._classic = groups.classic_groups
        self._rules = groups.offset_rules
        self._manager = offsets

    def check(self) -> bool:
        """The regular check: remove expired offsets, and groups that have neither members nor offsets. False if nothing
        is left that could ever expire.
        """
        groups, now, order = self._groups, self._groups.now, self._rules.expired_order
        expired = {id: [entry[:2] for entry in self._expired(id, now)] for id in groups.may_have_offsets()}
        match order:
            case "old offsets":
                self._clean_up_together(expired, case_class=True)
            case "offsets":
                self._clean_up_together(expired, case_class=False)
            case "map" | "map of 2.12" | "map of 2.13" | "by topic":
                touched = {id for id, partitions in expired.items() if partitions or id not in groups.offsets}
                ordered = (
                    [id for id in groups_order(list(expired), by_topic=self._rules.expires_by_topic) if id in touched]
                    if touched
                    else []
                )
                self.clean_up(self.in_order({id: expired[id] for id in ordered}))
            case _:
                assert_never(order)
        return bool(groups.may_have_offsets())

    def topic_deleted(self, topic: TopicName) -> None:
        """Forget the offsets committed for a deleted topic. Where groups do not outlive their offsets, all go then that
        have neither members nor offsets (GroupMetadataManager.cleanupGroupMetadata).
        """
        if self._rules.deleted_topics:
            offsets, awaited, pending = self._groups.offsets, self._manager.awaited, self._groups.pending
            chosen = {id: [(topic, p) for p in offsets.partitions(id, topic)] for id in offsets.groups()}
            for id in awaited.groups() | pending.groups():
                undecided = chain(awaited.of_group(id), pending.of_group(id))
                chosen.setdefault(id, []).extend(place for place in undecided if place[0] == topic)
            bare = () if self._rules.groups_outlive_offsets else self._classic.groups.keys() - chosen.keys()
            chosen = {id: partitions for id, partitions in chosen.items() if partitions}
            self.clean_up(chosen | {id: [] for id in sorted(bare)}, may_leave_bare=True)

    def clean_up(
        self, chosen: Mapping[str, Partitions], *, may_leave_bare: bool = False, deletes_groups: bool = False
    ) -> None:
        """Remove offsets of some groups, and those groups that are left with nothing.

        `may_leave_bare`: the groups stay in releases where they outlive their offsets. `deletes_groups`: they go, even
        if open transactions hold offsets of them.
        """
        stay = may_leave_bare and self._rules.groups_outlive_offsets
        together: list[Removal] = []
        for group_id, partitions in chosen.items():
            removals = [self._of_offsets(group_id, partitions)]
            if (stay or (not deletes_groups and self._is_held(group_id))) and not self._groups.is_modern(group_id):
                if group_id not in self._classic.groups:
                    self._classic.keep(self._classic.new_group(group_id))
            elif not stay:
                removals += self._of_bare_group(group_id, partitions)
            match self._rules.tombstones:
                case "all groups":
                    together += removals
                case "each group":
                    self._carry_out(removals)
                case "offsets of each group":
                    for removal in removals:
                        self._carry_out([removal])
                case rule:
                    assert_never(rule)
        self._carry_out(together)

    def _clean_up_together(self, expired: Mapping[str, Partitions], *, case_class: bool) -> None:
        """Remove offsets as up to 0.10.0, when all of them were in one map and groups left nothing behind."""
        chosen = {(group_id, *partition) for group_id, partitions in expired.items() for partition in partitions}
        places = self._oldest_first(self._places(expired)) if chosen else []
        ordered = order_of_all(places, case_class=case_class)
        self._carry_out([self._of_offsets(place[0], [place[1:]]) for place in ordered if place in chosen])

    def in_order(self, chosen: Mapping[str, Partitions]) -> dict[str, Partitions]:
        """The offsets that groups lose, in the order of each group's map."""
        order = self._rules.expired_order
        if not self._rules.expires_by_topic:
            return {group_id: expired_order(partitions, order) for group_id, partitions in chosen.items()}
        several = [group_id for group_id, partitions in chosen.items() if len(partitions) > 1]
        maps: dict[str, Partitions] = {group_id: [] for group_id in several}
        waiting = self._manager.awaited.of_group
        written = [(group_id, *place) for group_id in several for place in waiting(group_id)]
        for group_id, topic, index in self._oldest_first([*self._places(several), *written]):
            maps[group_id].append((topic, index))
        return {**chosen, **{group_id: _out_of_maps(maps[group_id], chosen[group_id]) for group_id in several}}

    def oldest_first(self, group_id: str) -> Partitions:
        """The partitions for which a group has offsets, in the order in which they were first committed."""
        return [place[1:] for place in self._oldest_first(self._places([group_id]))]

    def out_of_one_map(self, group_id: str) -> Partitions:
        """These partitions in the order of the one map that up to 0.10.0 has the offsets of all groups."""
        places = self._oldest_first(self._places(list(self._groups.offsets.groups())))
        ordered = order_of_all(places, case_class=self._rules.in_case_classes)
        return [place[1:] for place in ordered if place[0] == group_id]

    def _places(self, group_ids: Collection[str]) -> list[GroupTopicPartition]:
        """Every place where one of these groups has an offset."""
        return [(id, *entry[:2]) for id in group_ids for entry in self._groups.offsets.of_group(id)]

    def _oldest_first(self, places: Sequence[GroupTopicPartition]) -> list[GroupTopicPartition]:
        """These places, in the order in which the log says that they were first committed."""
        groups, found, there = self._groups, dict[GroupTopicPartition, None](), dict.fromkeys(places)
        indexes = sorted({groups.partition_of(place[0]) for place in there})
        logs = [partition for index in indexes if (partition := groups.partition(index)) is not None]
        units = (unit for log in logs for some in groups.read(log) for unit in some if not unit.is_control)
        for record in (record for unit in units for record in unit.records()):
            place = _place(record.key)
            if place is not None and record.value is None:
                found.pop(place, None)
            elif place is not None:
                found.setdefault(place)
        return [place for place in {**found, **there} if place in there]

    def _carry_out(self, removals: Sequence[Removal]) -> None:
        """Write the tombstones, in one append for each partition of the offsets topic, and forget."""
        forgets_first = self._groups.rules.coordinator == "scala"
        by_index: dict[PartitionIndex, list[Removal]] = {}
        for removal in removals:
            by_index.setdefault(self._groups.partition_of(removal.group_id), []).append(removal)
            if forgets_first:
                removal.forget()
        for index, some in by_index.items():
            tombstones = [record for removal in some for record in removal.tombstones]
            partition = self._groups.partition(index)
            done = ErrorCode.NONE
            if tombstones and partition is not None:
                done = self._groups.append_to(partition, tombstones).error
            if not forgets_first and done is ErrorCode.NONE:
                for removal in some:
                    removal.forget()

    # ---- what is forgotten

    def _of_offsets(self, group_id: str, partitions: Partitions) -> Removal:
        """The removal of offsets of a group."""
        partitions = list(dict.fromkeys(partitions))
        forget = partial(self._manager.forget, group_id, partitions)
        if self._manager.has_own_log:
            return Removal(group_id, (), forget)
        key_type = self._rules.key_version
        there = [place for place in partitions if self._leaves_tombstone(group_id, *place)]
        tombstones = [(offset_key(key_type, group_id, topic, partition), None) for topic, partition in there]
        return Removal(group_id, tombstones, forget)

    def _leaves_tombstone(self, group_id: str, topic: TopicName, partition: PartitionIndex) -> bool:
        """Whether the removal of an offset is written. The Scala coordinator writes none for what is pending or waits,
        so a start brings that back (asked of 1.1.1, 2.4.1, 2.8.2, 3.9.1; and of 4.0.0 for the Java one).
        """
        if self._groups.rules.coordinator == "scala":
            return self._groups.offsets.get(group_id, topic, partition) is not None
        return self._manager.exists(group_id, topic, partition)

    def _is_held(self, group_id: str) -> bool:
        """Whether the group stays until all transactions that had offsets of it are decided, even if these are gone."""
        return self._groups.rules.coordinator == "scala" and self._groups.pending.is_open(group_id)

    def _of_bare_group(self, group_id: str, partitions: Partitions) -> list[Removal]:
        """The removal of the group itself, if it has no members, and no offsets outside `partitions`; offsets that are
        pending or wait for replicas count.
        """
        groups, kept = self._groups, self._groups.offsets
        gone = set(partitions)
        if not groups.rules.offsets_make_groups or any(entry[:2] not in gone for entry in kept.of_group(group_id)):
            return []
        undecided = chain(groups.pending.of_group(group_id), self._manager.awaited.of_group(group_id))
        if any(partition not in gone for partition in undecided):
            return []
        for kind in groups.modern:
            modern = kind.groups.get(group_id)
            if kind.COMMITS and modern is not None:
                if modern.members:
                    return []
                plan = kind.deletion(modern)
                return [Removal(group_id, kind.encoded(plan), partial(kind.apply, plan))]
        group = self._classic.groups.get(group_id)
        if group is not None and group.state is not State.EMPTY:
            return []
        has_record = (group is not None and group.generation > 0) or groups.rules.tombstone_of_generation_0
        tombstones: list[KeyValue] = [(group_key(group_id), None)] if has_record else []
        return [Removal(group_id, tombstones, lambda: self._classic.drop(group_id))]

    # ---- expired offsets

    def _expired(self, group_id: str, now: TimestampMs) -> list[Entry]:
        """The expired offsets of a group. One that a waiting commit is about to replace does not expire, even if that
        commit was refused; nor, with the Java coordinator, one that a transaction may replace.
        """
        groups, group = self._groups, self._classic.groups.get(group_id)
        begins = self._retention_begins(group)
        if begins is None:
            return []
        retention, at_once = self._manager.retention_ms(), self._rules.expires == "at"
        pending_protects = groups.rules.coordinator == "java"
        modern = groups.modern_group(group_id)
        renewed = frozenset(chain(self._manager.awaited.of_group(group_id), groups.pending.refused(group_id)))
        subscribed = self._subscribed(group)

        def over(committed: Committed) -> bool:
            end = committed.expire_timestamp
            if end is None:
                end = begins(committed) + retention
            return now >= end if at_once else now > end

        return [
            entry
            for entry in groups.offsets.of_group(group_id)
            if over(entry[2])
            and entry[0] not in subscribed
            and entry[:2] not in renewed
            and (modern is None or not modern.subscribes_to(entry[0]))
            and not (pending_protects and groups.pending.has(group_id, entry[0], entry[1]))
        ]

    def _subscribed(self, group: Group | None) -> frozenset[TopicName]:
        """The topics whose offsets stay because a member subscribes to them (KAFKA-8730)."""
        if group is None or group.subscribed_topics is None or self._rules.expires_in_any_state:
            return frozenset()
        return frozenset(group.subscribed_topics)

    def _retention_begins(self, group: Group | None) -> Callable[[Committed], TimestampMs] | None:
        """When the retention of a group's offsets begins; None if they do not expire now (KIP-211)."""
        whose = self._rules.expires_in
        if group is None or group.protocol_type is None:
            return _commit_time
        if group.state is State.EMPTY and not self._rules.expires_in_any_state:
            since = group.state_since
            return _commit_time if since is None else lambda _: since
        knows_topics = group.protocol_type == CONSUMER and group.subscribed_topics is not None
        match whose:
            case "any state":
                expires = True
            case "no members":
                expires = False
            case "any state, unsubscribed":
                expires = knows_topics
            case "stable, unsubscribed":
                expires = knows_topics and group.state is State.STABLE
            case _:
                assert_never(whose)
        return _commit_time if expires else None


def _out_of_maps(held: Partitions, chosen: Partitions) -> Partitions:
    """The chosen places as the maps of the Java coordinator give them back: first that of the group's offsets,
    filled in the order of `held`; then those of open transactions, which name what the first lacks
    (OffsetMetadataManager.deleteAllOffsets).
    """
    wanted, known = set(chosen), set(held)
    pending = [place for place in chosen if place not in known]
    return [
        *(place for place in expired_order(held, "by topic") if place in wanted),
        *expired_order(pending, "by topic"),
    ]


def _place(key: bytes | None) -> GroupTopicPartition | None:
    """The place that the key of a record names; None if it is another kind of record, or cannot be read."""
    try:
        read = None if key is None else read_key(key)
    except MalformedBytes:
        return None
    return (read.group, read.topic, read.partition) if isinstance(read, OffsetKey) else None


def _commit_time(committed: Committed) -> TimestampMs:
    return committed.commit_timestamp
