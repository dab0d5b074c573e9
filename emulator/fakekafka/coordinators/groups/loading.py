"""What a broker knows of groups when it becomes the leader of a partition of the offsets topic: it reads the partition.

The last record of a key counts. A partition that is larger than `offsets.load.buffer.size` is read in several steps,
between which other requests are served, and those for its groups get error 14. What cannot be read ends the loading;
whether that loses what came before depends on the release (GroupMetadataManager.loadGroupsAndOffsets).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.map_order import loaded_order
from fakekafka.coordinators.groups.classic.member import Member
from fakekafka.coordinators.groups.classic.rebalance import keep_alive, prepare_rebalance
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.commits import normal
from fakekafka.coordinators.groups.consumer import records as consumer_records
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.consumer.replay import replay
from fakekafka.coordinators.groups.offsets import OffsetStore
from fakekafka.coordinators.groups.pending_offsets import Key, PendingOffsets
from fakekafka.coordinators.groups.records import GroupKey, OffsetKey, read_group, read_key, read_offset
from fakekafka.coordinators.groups.share import records as share_records
from fakekafka.coordinators.groups.share.group import ShareGroup
from fakekafka.coordinators.groups.share.replay import replay as replay_shared
from fakekafka.coordinators.groups.streams import leaving as streams_leaving
from fakekafka.coordinators.groups.streams import records as streams_records
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.replay import replay as replay_streams
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import Offset, PartitionIndex, ProducerId
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.control import marker
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.storage.partition import Partition
from fakekafka.wire.internal.consumer_offsets import MemberMetadata

if TYPE_CHECKING:
    from fakekafka.coordinators.groups.coordinator import GroupCoordinator

FIRST_WITH_INSTANCE_IDS = 3
"""Version of a group's value."""


def lead(on: "GroupCoordinator", index: PartitionIndex) -> None:
    """This broker leads a partition of the offsets topic: read it, unless it has led it all along."""
    partition = on.partition(index)
    if partition is None or index in on.led:
        return
    on.led.add(index)
    on.loading.add(index)
    _go_on(on, index, _load(on, partition))


def _go_on(on: "GroupCoordinator", index: PartitionIndex, steps: Iterator[None]) -> None:
    """Another step; the next one when everybody else has had a turn."""
    if index in on.loading:
        for _ in steps:
            on.timers.after(0, lambda: _go_on(on, index, steps))
            return
        on.loading.discard(index)


def _load(on: "GroupCoordinator", partition: Partition) -> Iterator[None]:
    """Read a partition step by step, then let it count."""
    found = _Found(on)
    try:
        for data in reads(on, partition):
            for batch in data:
                found.take(batch)
            if found.position < partition.log.log_end_offset:
                yield
    except MalformedBytes:
        found.broken()
    found.count()


def reads(on: "GroupCoordinator", partition: Partition) -> Iterator[list[Batch]]:
    """The units of a log, as many at a time as the load buffer holds."""
    log, size = partition.log, on.config.int("offsets.load.buffer.size", 5_242_880)
    at = log.log_start_offset
    while at < log.log_end_offset:
        found = log.read(at, size, log.log_end_offset, min_one=True)
        assert not isinstance(found, ErrorCode)
        units = list(batches(joined(found.buffers)))
        if not units:  # the cleaner took the last ones
            return
        at = units[-1].last_offset + 1
        yield units


class _Found:
    """What was read so far."""

    def __init__(self, on: "GroupCoordinator") -> None:
        self._on = on
        self._rules = on.offset_rules
        self._offsets = OffsetStore()
        self._pending = PendingOffsets()
        self._groups: dict[str, Group] = {}
        self._consumer_groups: dict[str, ConsumerGroup] = {}
        self._share_groups: dict[str, ShareGroup] = {}
        self._streams_groups: dict[str, StreamsGroup] = {}
        self._named: set[str] = set()
        """Groups that had offsets, which may be deleted since."""
        self.position: Offset = 0
        """Behind the last unit."""

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
            found = marker(record)
            if found is None:
                continue
            for key, at, committed in self._pending.complete(batch.producer_id, self._pending.groups()):
                if found.commit:
                    self._pending.supersede(key, at)
                    self._offsets.put(*key, committed)

    def _take_record(self, record: Record, producer: ProducerId | None, batch_start: Offset) -> None:
        if record.key is None:
            raise MalformedBytes("a record without key")
        key = read_key(record.key)
        if isinstance(key, OffsetKey):
            self._take_offset(key, record.value, producer, batch_start)
        elif isinstance(key, GroupKey):
            self._take_group(key.group, record.value)
        elif key.type in consumer_records.KINDS and self._on.rules.coordinator == "java":
            found = consumer_records.decoded(key.type, record.key, record.value)
            replay(self._consumer_groups, self._on.consumer_groups.rules.first_epoch, found)
            self._named.discard(consumer_records.group_of(found))  # a consumer group takes the place of bare offsets
        elif key.type in share_records.KINDS and self._on.share_groups.rules.exist:
            told = share_records.decoded(key.type, record.key, record.value)
            replay_shared(self._share_groups, self._on.share_groups.rules.first_epoch, told)
        elif key.type in streams_records.KINDS and self._on.streams_groups.rules.exist:
            said = streams_records.decoded(key.type, record.key, record.value)
            replay_streams(self._streams_groups, self._on.streams_groups.rules.first_epoch, said)
            self._named.discard(streams_records.group_of(said))  # the same
        elif key.type > self._rules.newest_record_type and self._rules.unknown_record == "stop":
            raise MalformedBytes(f"a record of type {key.type}")

    def _take_offset(self, key: Key, value: bytes | None, producer: ProducerId | None, batch_start: Offset) -> None:
        if value is None:
            if producer is None:
                self._offsets.remove(key[0], [key[1:]])
            self._pending.remove(*key)
            return
        committed = read_offset(value, self._rules.newest_value)
        if committed.expire_timestamp == -1 and not self._rules.minus_one_expires:
            committed = committed._replace(expire_timestamp=None)
        committed = normal(self._on, committed)
        if producer is not None:
            self._pending.add(producer, key, batch_start, committed)
        else:
            self._pending.supersede(key, batch_start)
            self._offsets.put(*key, committed)
            if not self._is_modern(key[0]):
                self._named.add(key[0])

    def _take_group(self, group_id: str, value: bytes | None) -> None:
        self._groups.pop(group_id, None)
        self._named.discard(group_id)
        if value is not None:
            self._groups[group_id] = _group(self._on, group_id, value)

    def _is_modern(self, group_id: str) -> bool:
        return group_id in self._consumer_groups or group_id in self._streams_groups

    def broken(self) -> None:
        """The rest cannot be read."""
        self._groups.clear()
        self._consumer_groups.clear()
        self._share_groups.clear()
        self._streams_groups.clear()
        if self._rules.load_applies == "at the end":
            self._offsets, self._pending = OffsetStore(), PendingOffsets()

    def count(self) -> None:
        """All was read: from now on it is true."""
        on = self._on
        bare = [g for g in self._offsets.groups() if g not in self._groups and not self._is_modern(g)]
        whole = [*self._groups, *self._consumer_groups, *self._streams_groups]
        on.offsets.absorb(self._offsets, [*whole, *loaded_order(bare, self._rules.expired_order)])
        on.pending.absorb(self._pending)
        if self._rules.groups_outlive_offsets:
            on.groups.update(
                {g: on.new_group(g) for g in self._named if g not in self._offsets and not self._is_modern(g)}
            )
        on.take_over(self._consumer_groups)
        on.take_over_shared(self._share_groups)
        streams_leaving.take_over(on.streams_groups, self._streams_groups)
        for group in self._groups.values():
            on.groups[group.id] = group
            for member in group.members.values():
                keep_alive(on, group, member)
            if on.rules.size_limit != "none" and len(group.members) > on.config.int("group.max.size"):
                prepare_rebalance(on, group)


def _group(on: "GroupCoordinator", group_id: str, data: bytes) -> Group:
    """The group that a record describes. Raises `MalformedBytes`."""
    version, value = read_group(data, on.offset_rules.newest_group_value)
    rules = on.rules
    group = Group(group_id, State.STABLE if value.members else State.EMPTY, on.now)
    known = rules.loaded_state_time == "known" or (rules.loaded_state_time == "of version 2" and version == 2)
    since = value.current_state_timestamp
    group.state_since = since if known and since != -1 else None
    for described in value.members:
        member = _member(described, value.protocol or "", version)
        member.counts_as_static = member.instance_id is not None or (rules.loaded_members_static and version >= 3)
        group.add(member, value.protocol_type)
    if not value.members and rules.loaded_protocol_type == "always":
        group.protocol_type = value.protocol_type or None
    group.generation = value.generation
    group.protocol_name = value.protocol
    group.leader = value.leader
    group.load_topics()
    return group


def _member(described: MemberMetadata, protocol: str, version: int) -> Member:
    rebalance_timeout = described.rebalance_timeout if version else described.session_timeout
    member = Member(
        described.member_id,
        described.group_instance_id,
        described.client_id,
        described.client_host,
        rebalance_timeout,
        described.session_timeout,
        ((protocol, described.subscription),),
    )
    member.assignment = described.assignment
    return member
