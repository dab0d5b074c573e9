"""Loading groups when a broker becomes the leader of a partition of the offsets topic: it reads the partition.

The last record of a key counts. A partition that is larger than `offsets.load.buffer.size` is read in several steps,
between which other requests are served, and those for its groups get error 14. What cannot be read ends the loading;
whether the records before it are lost depends on the release (GroupMetadataManager.loadGroupsAndOffsets).
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, assert_never

from fakekafka.coordinators.groups.classic.group import Group, State
from fakekafka.coordinators.groups.classic.groups import ClassicGroups
from fakekafka.coordinators.groups.classic.member import Member
from fakekafka.coordinators.groups.classic.rebalance import Rebalance
from fakekafka.coordinators.groups.offsets.commits import OffsetManager
from fakekafka.coordinators.groups.offsets.map_order import loaded_order, loaded_whole_order
from fakekafka.coordinators.groups.offsets.pending import Key, PendingOffsets
from fakekafka.coordinators.groups.offsets.store import OffsetStore
from fakekafka.coordinators.groups.records import (
    GROUP_TYPE,
    GroupKey,
    OffsetKey,
    read_group,
    read_key,
    read_offset,
)
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.coordinators.groups.runtime import ModernGroups
from fakekafka.coordinators.groups.typed_records import TypedRecord, group_of
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, PartitionIndex, ProducerId
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records.batch import Batch
from fakekafka.records.control import marker
from fakekafka.records.record import Record
from fakekafka.storage.partition import Partition
from fakekafka.wire.internal.consumer_offsets import MemberMetadata

FIRST_WITH_REBALANCE_TIMEOUTS: Final = 1
FIRST_WITH_STATE_TIMES: Final = 2
FIRST_WITH_INSTANCE_IDS: Final = 3
"""Versions of a group's value."""


def lead(groups: GroupRegistry, offsets: OffsetManager, index: PartitionIndex) -> None:
    """This broker leads a partition of the offsets topic: read it, unless it was already its leader."""
    partition = groups.partition(index)
    if partition is None or index in groups.led:
        return
    groups.led.add(index)
    groups.loading.add(index)
    _go_on(groups, index, _load(groups, offsets, partition))


def _go_on(groups: GroupRegistry, index: PartitionIndex, steps: Iterator[None]) -> None:
    """Take another step; the next one follows when others have had a turn."""
    if index in groups.loading:
        for _ in steps:
            groups.timers.after(0, lambda: _go_on(groups, index, steps))
            return


def _load(groups: GroupRegistry, offsets: OffsetManager, partition: Partition) -> Iterator[None]:
    """Read a partition step by step, then apply it. In some releases loading may never end."""
    loader = _Loader(groups, offsets)
    try:
        for units in groups.read(partition):
            if loader.is_stuck_at(units[0]):
                return
            loader.begin_portion()
            for batch in units:
                loader.take(batch)
            if loader.position < partition.log.log_end_offset:
                yield
        if loader.misses_the_end(partition.log):
            return
    except MalformedBytes:
        if groups.rules.coordinator == "java":  # it has failed for this partition (CoordinatorRuntime)
            groups.loading.discard(partition.index)
            groups.led.discard(partition.index)
            return
        loader.give_up()
    loader.finish()
    groups.loading.discard(partition.index)
    groups.ends[partition.index] = partition.log.log_end_offset
    offsets.read_own_log_again(partition.index)


class _Loader:
    """What has been read so far."""

    def __init__(self, groups: GroupRegistry, manager: OffsetManager) -> None:
        self._groups = groups
        self._manager = manager
        self._rules = groups.offset_rules
        self._offsets = OffsetStore()
        self._pending = PendingOffsets(keeps_decided=manager.has_own_log)
        self._classic: dict[str, Group] = {}
        self._modern: dict[ModernGroups[Any], dict[str, Any]] = {}
        """Keyed by kind and id; only the kinds that the log has."""
        self._arrived: dict[str, None] = {}
        """Groups in the order in which the log makes them."""
        self._named: set[str] = set()
        """Groups that had offsets, which may have been deleted since."""
        self.position: Offset = 0
        """The offset after the last unit."""
        self._portion: set[Key] = set()
        self._settled: set[Key] = set()
        """Keys whose offsets no longer change."""

    def is_stuck_at(self, batch: Batch) -> bool:
        """Whether loading never gets past this unit, because it does not fit into the buffer."""
        size = self._groups.config.int("offsets.load.buffer.size", 5_242_880)
        return self._rules.load_buffer == "fixed" and batch.size > size

    def misses_the_end(self, log: PartitionLog) -> bool:
        """Whether the log has no unit that reaches its end, and loading waits for one."""
        return self._rules.load_ends == "at the log's end" and self.position < log.log_end_offset

    def begin_portion(self) -> None:
        """Begin another portion."""
        if self._rules.load_portions == "earlier counts":
            self._settled |= self._portion

    # ---- unit by unit

    def take(self, batch: Batch) -> None:
        """Read one unit. Raises `MalformedBytes` for what the release cannot read."""
        if batch.magic > self._rules.newest_magic:
            raise MalformedBytes(f"a unit of format {batch.magic}")
        self.position = batch.last_offset + 1
        producer = batch.producer_id if batch.is_transactional else None
        if batch.is_control:
            self._take_marker(batch)
            return
        first: Offset | None = None
        for record in batch.records():
            first = record.offset if first is None else first
            self._take_record(record, producer, first)

    def _take_marker(self, batch: Batch) -> None:
        for record in batch.records():
            end = marker(record)
            if end is None:
                continue
            for key, at, committed in self._pending.complete(batch.producer_id, self._pending.groups()):
                if end.commit:
                    self._pending.decide(key, at)
                    self._offsets.put(*key, committed)

    def _take_record(self, record: Record, producer: ProducerId | None, batch_start: Offset) -> None:
        if record.key is None:
            raise MalformedBytes("a record without key")
        key = read_key(record.key)
        if isinstance(key, OffsetKey):
            self._take_offset(key, record.value, producer, batch_start)
        elif isinstance(key, GroupKey):
            if self._rules.newest_record_type < GROUP_TYPE:
                raise MalformedBytes("the record of a group")
            self._take_classic_group(key.group, record.value)
        elif (kind := self._kind_of(key.type)) is not None:
            typed = kind.TYPES.decoded(key.type, record.key, record.value)
            kind.replay(self._modern.setdefault(kind, {}), typed)
            self._note(kind, typed)
            if kind.COMMITS:
                self._named.discard(group_of(typed))  # the group takes the place of bare offsets
        elif key.type > self._rules.newest_record_type and self._rules.unknown_record == "stop":
            raise MalformedBytes(f"a record of type {key.type}")

    def _note(self, kind: ModernGroups[Any], record: TypedRecord) -> None:
        if record[1] is not None:
            self._arrived.setdefault(group_of(record))
        elif isinstance(record[0], kind.METADATA_KEY):
            self._arrived.pop(group_of(record), None)

    def _kind_of(self, record_type: int) -> ModernGroups[Any] | None:
        """The kind of group to which this type of record belongs in the release."""
        return next((kind for kind in self._groups.every_modern() if record_type in kind.TYPES and kind.exists), None)

    def _take_offset(self, key: Key, value: bytes | None, producer: ProducerId | None, batch_start: Offset) -> None:
        if key in self._settled:
            return
        self._portion.add(key)
        if value is None:
            if producer is None:
                self._offsets.remove(key[0], [key[1:]])
            self._pending.remove(*key)
            return
        self._arrived.setdefault(key[0])
        committed = read_offset(value, self._rules.newest_value)
        if committed.expire_timestamp == -1 and not self._rules.minus_one_expires:
            committed = committed._replace(expire_timestamp=None)
        committed = self._manager.normal(committed)
        if not self._is_committing(key[0]):
            self._named.add(key[0])
        if producer is not None:
            self._pending.add(producer, key, batch_start, committed)
        else:
            self._pending.decide(key, batch_start)
            self._offsets.put(*key, committed)

    def _take_classic_group(self, group_id: str, value: bytes | None) -> None:
        self._named.discard(group_id)
        if value is None:
            self._classic.pop(group_id, None)
            self._arrived.pop(group_id, None)
        else:
            self._arrived.setdefault(group_id)
            self._classic[group_id] = _group(self._groups.classic_groups, group_id, value)

    def _is_committing(self, group_id: str) -> bool:
        """Whether the group is one that commits offsets, and not a classic one."""
        return any(kind.COMMITS and group_id in of_kind for kind, of_kind in self._modern.items())

    def give_up(self) -> None:
        """Give up because the rest cannot be read."""
        self._classic.clear()
        for of_kind in self._modern.values():
            of_kind.clear()
        if self._rules.load_applies == "at the end":
            self._offsets, self._pending = OffsetStore(), PendingOffsets()

    # ---- the end

    def finish(self) -> None:
        """Apply everything that was read."""
        groups, classic = self._groups, self._groups.classic_groups
        bare = [g for g in self._offsets.groups() if g not in self._classic and not self._is_committing(g)]
        modern = [g for kind in groups.modern if kind.COMMITS for g in self._modern.get(kind, ())]
        whole = [*self._classic, *modern]
        bare = loaded_order(bare, self._rules.expired_order)
        groups.offsets.absorb(self._offsets, [*whole, *bare])
        groups.pending.absorb(self._pending)
        emptied = self._emptied()
        classic.groups.update({group_id: classic.new_group(group_id) for group_id in emptied})
        self._start_modern()
        ordered = loaded_whole_order(self._classic, self._rules.expired_order)
        self._let_arrive([*ordered, *loaded_order([*bare, *emptied], self._rules.expired_order)])
        for group_id in ordered:
            group = self._classic[group_id]
            classic.keep(group)
            rebalance = Rebalance(classic, group)
            for member in group.members.values():
                rebalance.keep_alive(member)
            if classic.rules.limits_size and len(group.members) > classic.config.int("group.max.size"):
                rebalance.prepare()

    def _emptied(self) -> list[str]:
        """Groups without members and offsets: those that have only commits of open transactions, and in some releases
        all that have ever had one.
        """
        named = self._named if self._rules.groups_outlive_offsets else self._pending.groups()
        without = [g for g in sorted(named) if g not in self._offsets and g not in self._classic]
        return [g for g in without if not self._is_committing(g)]

    def _let_arrive(self, ordered: Iterable[str]) -> None:
        """The Scala coordinator makes its groups at the end, in order; the Java one while it reads."""
        groups = self._groups
        ids = self._arrived if groups.rules.coordinator == "java" else ordered
        for group_id in ids:
            if group_id in self._classic or groups.knows(group_id):
                groups.arrived(group_id)

    def _start_modern(self) -> None:
        """Take over groups of other kinds; their members have deadlines again."""
        for kind, of_kind in self._modern.items():
            kind.groups.update(of_kind)
        if self._modern:
            from fakekafka.coordinators.groups.reloaded import start_timers  # few logs have such groups

            start_timers(self._groups, self._modern)


def _group(groups: ClassicGroups, group_id: str, data: bytes) -> Group:
    """The group that a record describes. Raises `MalformedBytes`."""
    version, value = read_group(data, groups.log.offset_rules.newest_group_value)
    rules = groups.rules
    state = State.STABLE if value.members else State.EMPTY
    group = Group(group_id, state, groups.now, groups.vote_order)
    match rules.loaded_state_time:
        case "unknown":
            known = False
        case "of version 2":
            known = version == FIRST_WITH_STATE_TIMES
        case "known":
            known = True
        case rule:
            assert_never(rule)
    since = value.current_state_timestamp
    group.state_since = since if known and since != -1 else None
    all_static = rules.loaded_members_static and version >= FIRST_WITH_INSTANCE_IDS
    for described in value.members:
        member = _member(described, value.protocol or "", version)
        member.counts_as_static = member.instance_id is not None or all_static
        group.add(member, value.protocol_type)
    if not value.members and rules.loaded_protocol_type == "always":
        group.protocol_type = value.protocol_type or None
    group.generation = value.generation
    group.protocol_name = value.protocol
    group.leader = value.leader
    group.load_topics()
    return group


def _member(described: MemberMetadata, protocol: str, version: int) -> Member:
    has_own = version >= FIRST_WITH_REBALANCE_TIMEOUTS
    member = Member(
        described.member_id,
        instance_id=described.group_instance_id,
        client_id=described.client_id,
        client_host=described.client_host,
        rebalance_timeout_ms=described.rebalance_timeout if has_own else described.session_timeout,
        session_timeout_ms=described.session_timeout,
        protocols=((protocol, described.subscription),),
    )
    member.assignment = described.assignment
    return member
