"""The group coordinator of one broker: which groups it has, and what it writes down (GroupCoordinator,
GroupMetadataManager; GroupCoordinatorService of 4.x).

A broker coordinates the groups whose partition of `__consumer_offsets` it leads. What a group is lies in that partition
and is read from there when the broker becomes its leader (`loading`); everything here is a cache of the log. A group
that never had members exists only through its offsets.

The requests are carried out by functions beside this class: `joining`, `membership`, `commits`, `administration`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from fakekafka.cluster.internal_topics import NOBODY, Producer, append, partition_count, partition_for
from fakekafka.coordinators.groups.atomic.commit_log import CommitLog
from fakekafka.coordinators.groups.classic.group import Group
from fakekafka.coordinators.groups.classic.member import JoinResult, SyncResult
from fakekafka.coordinators.groups.classic.states import State
from fakekafka.coordinators.groups.consumer.coordinator import ConsumerGroups
from fakekafka.coordinators.groups.consumer.fencing import fence_by_timer
from fakekafka.coordinators.groups.consumer.group import ConsumerGroup
from fakekafka.coordinators.groups.expiry import check_expiry, topic_deleted
from fakekafka.coordinators.groups.lingering import KeyValue, Lingering
from fakekafka.coordinators.groups.loading import lead
from fakekafka.coordinators.groups.offsets import OffsetStore
from fakekafka.coordinators.groups.pending_offsets import PendingOffsets
from fakekafka.coordinators.groups.records import group_key, group_value
from fakekafka.coordinators.groups.share.coordinator import ShareGroups
from fakekafka.coordinators.groups.share.group import ShareGroup
from fakekafka.coordinators.groups.share.heartbeat import keep_alive
from fakekafka.coordinators.groups.streams.coordinator import StreamsGroups
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_ID, DurationMs, PartitionIndex, TimestampMs, TopicName
from fakekafka.releases.coordinator_values import value_versions
from fakekafka.releases.protocol_effects import STATIC_MEMBERS
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS
from fakekafka.storage.partition import ALL_IN_SYNC, AppendResult, Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

TEN_MINUTES_MS: DurationMs = 600_000


class GroupCoordinator:
    """The groups of one broker."""

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self.cluster = broker.cluster
        self.config = broker.config
        self.timers = broker.timers
        self.waiters = broker.cluster.waiters
        self.rules = broker.profile.groups
        self.offset_rules = broker.profile.offsets
        self.groups: dict[str, Group] = {}
        """Classic groups that have, or had, members."""
        self.consumer_groups = ConsumerGroups(self)
        """Groups of the consumer protocol (KIP-848). No id is in both."""
        self.share_groups = ShareGroups(self)
        """Share groups (KIP-932)."""
        self.streams_groups = StreamsGroups(self)
        """Streams groups (KIP-1071)."""
        self.offsets = OffsetStore()
        self.pending = PendingOffsets()
        self.led: set[PartitionIndex] = set()
        """Partitions of the offsets topic whose groups are coordinated here."""
        self.loading: set[PartitionIndex] = set()
        """Those of them that have not been read to the end yet."""
        linger_ms = self.config.int("group.coordinator.append.linger.ms", 0) if self.rules.coordinator == "java" else 0
        self.lingering = Lingering(self.timers, linger_ms, self._flush)
        self.commit_log = CommitLog(self) if self.cluster.offsets_log == "atomic" else None
        """Where offsets are written, if not into the offsets topic."""
        self._checks = False
        """Is the regular check for expiry on?"""
        self.values = value_versions(self.offset_rules, self.config.text("inter.broker.protocol.version"))
        """The versions of values that are written."""

    @property
    def now(self) -> TimestampMs:
        return self.cluster.clock.now_ms

    @property
    def check_interval_ms(self) -> DurationMs:
        """How often expiry is checked."""
        if self.offset_rules.check_interval == "ten minutes":
            return TEN_MINUTES_MS
        return self.config.int("offsets.retention.check.interval.ms", TEN_MINUTES_MS)

    # ---- where groups are

    def partition_of(self, group_id: str) -> PartitionIndex:
        """The partition of the offsets topic that a group belongs to."""
        return partition_for(group_id, partition_count(self.broker, CONSUMER_OFFSETS))

    def status(self, group_id: str) -> ErrorCode:
        """May the group be asked for here: NONE, 14 while it is loaded, 16 if another broker has it."""
        index = self.partition_of(group_id)
        if index in self.loading:
            return ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
        return ErrorCode.NONE if index in self.led else ErrorCode.NOT_COORDINATOR

    def member_status(self, group_id: str) -> ErrorCode:
        """The same for what members ask: the group "" has none."""
        if not group_id and self.rules.empty_group_id is not ErrorCode.UNKNOWN_MEMBER_ID:
            return self.rules.empty_group_id
        return self.status(group_id)

    def refuses(self, instance_id: str | None) -> bool:
        """Is a static member asking, and the inter-broker protocol too old for it?"""
        protocol = self.config.text("inter.broker.protocol.version")
        return instance_id is not None and not self.broker.profile.allows(STATIC_MEMBERS, protocol)

    # ---- groups

    def group(self, group_id: str) -> Group | None:
        """The classic group, if it exists: with members, or by its offsets alone."""
        if self.is_modern(group_id):
            return None
        found = self.groups.get(group_id)
        if found is None and self.rules.offsets_make_groups and group_id in self.offsets:
            return Group(group_id, State.EMPTY, self.now)
        return found

    def is_modern(self, group_id: str) -> bool:
        """Is it a group of another kind than the classic one?"""
        others = (self.consumer_groups.groups, self.share_groups.groups, self.streams_groups.groups)
        return any(group_id in groups for groups in others)

    def knows(self, group_id: str) -> bool:
        """Is there a group of any kind?"""
        return self.is_modern(group_id) or self.group(group_id) is not None

    def all_groups(self) -> Iterator[Group]:
        """Every classic group."""
        yield from self.groups.values()
        if self.rules.offsets_make_groups:
            for group_id in self.offsets.groups():
                if group_id not in self.groups and not self.is_modern(group_id):
                    yield Group(group_id, State.EMPTY, self.now)

    def everybody(self) -> list[str]:
        """The ids of all groups, and of all that have offsets."""
        kinds = (self.groups, self.consumer_groups.groups, self.streams_groups.groups, self.offsets.groups())
        return list(dict.fromkeys(group_id for kind in kinds for group_id in kind))

    def new_group(self, group_id: str, protocol_type: str | None = None) -> Group:
        """A group that nobody has heard of. It is not kept yet."""
        if self.rules.empty_groups == "kept":
            return Group(group_id, State.EMPTY, self.now)
        group = Group(group_id, State.STABLE, self.now)
        group.protocol_type = protocol_type
        return group

    def store_group(self, group: Group, assignments: Mapping[str, bytes]) -> ErrorCode:
        """Write down a group at the end of a rebalance: what its members are told if that fails."""
        done = self.append(group.id, [(group_key(group.id), group_value(self.values, group, assignments))])
        return STORE_ERRORS.get(done.error, done.error)

    def store_new_group(self, group: Group, before: Sequence[KeyValue] = ()) -> None:
        """Write down that there is a group, before anybody is in it (GroupCoordinatorRecordHelpers).

        `before`: what is to be written of a group of another kind that gives its name.
        """
        blank = Group(group.id, State.EMPTY, group.state_since or self.now)
        self.append_soon(group.id, [*before, (group_key(group.id), group_value(self.values, blank, {}))])

    def forget(self, group: Group) -> None:
        """A group without members is no group any more (up to 0.10.0)."""
        group.become(State.DEAD, self.now)
        del self.groups[group.id]
        self.append(group.id, [(group_key(group.id), None)])

    # ---- the log

    def partition(self, index: PartitionIndex) -> Partition | None:
        """A partition of the offsets topic, if this broker leads it."""
        return self.broker.partition(CONSUMER_OFFSETS, index)

    def append(self, group_id: str, records: list[KeyValue], producer: Producer = NOBODY) -> AppendResult:
        """Append to the group's partition."""
        partition = self.partition(self.partition_of(group_id))
        if partition is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return self.append_to(partition, records, producer)

    def append_soon(self, group_id: str, records: list[KeyValue]) -> None:
        """Append what nobody waits for: at once, or with what comes next."""
        if self.lingering.linger_ms > 0:
            self.lingering.add(self.partition_of(group_id), records)
        else:
            self.append(group_id, records)

    def append_to(self, partition: Partition, records: list[KeyValue], producer: Producer = NOBODY) -> AppendResult:
        """The same as `append` for a partition at hand. What lingers goes before, in the same batch if it may be."""
        held = self.lingering.take(partition.state.index)
        if held and producer.id == NO_PRODUCER_ID:
            done = self._write(partition, held + records, producer)
            return done._replace(base_offset=done.base_offset + len(held))
        if held:
            self._write(partition, held, NOBODY)
        return self._write(partition, records, producer)

    def _flush(self, index: PartitionIndex) -> None:
        partition = self.partition(index)
        if partition is not None:
            self._write(partition, self.lingering.take(index), NOBODY)

    def _write(self, partition: Partition, records: list[KeyValue], producer: Producer) -> AppendResult:
        if partition.lacks_replicas and self.config.int("offsets.commit.required.acks", ALL_IN_SYNC) == ALL_IN_SYNC:
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        if partition.stamps_append_time and self.offset_rules.append_time_topic == "refused":
            return AppendResult(ErrorCode.INVALID_TIMESTAMP)
        codec = self.config.int("offsets.topic.compression.codec")
        if self.offset_rules.numbered_batches == "all":
            producer = producer._replace(sequence=0)
        return append(self.waiters, partition, records, self.now, codec, producer)

    # ---- partitions come and go

    def on_leadership(self, index: PartitionIndex, leads: bool) -> None:
        """The broker leads a partition of the offsets topic from now on, or another one does."""
        if leads:
            self._check_regularly()
            lead(self, index)
        elif index in self.led:
            self.unload(index)

    def on_commit_log(self, index: PartitionIndex, leads: bool) -> None:
        """The same for a partition of the "offset-commit-log"."""
        if self.commit_log is not None:
            self.commit_log.on_leadership(index, leads)

    def on_topic_deleted(self, topic: TopicName) -> None:
        """A topic is gone: its offsets go, or, if it is the offsets topic, everything."""
        if topic in (CONSUMER_OFFSETS, COMMIT_LOG):
            self.clear()
        else:
            topic_deleted(self, topic)

    def take_over(self, groups: "dict[str, ConsumerGroup]") -> None:
        """Consumer groups were read from the log."""
        on = self.consumer_groups
        on.take_over(groups, lambda group_id, member_id: fence_by_timer(on, group_id, member_id))

    def take_over_shared(self, groups: "dict[str, ShareGroup]") -> None:
        """Share groups were read from the log."""
        self.share_groups.groups.update(groups)
        for group in groups.values():
            for member_id in group.members:
                keep_alive(self.share_groups, group, member_id)

    def _check_regularly(self) -> None:
        if not self._checks:
            self._checks = True
            self.timers.while_busy(self.check_interval_ms, lambda: check_expiry(self))

    def unload(self, index: PartitionIndex) -> None:
        """The broker does not lead a partition any more: forget its groups; who waits is sent elsewhere."""
        self.led.discard(index)
        self.loading.discard(index)
        self.lingering.drop(index)
        for group in [g for g in self.groups.values() if self.partition_of(g.id) == index]:
            self._dissolve(group)
            del self.groups[group.id]
        for consumer_group in self.consumer_groups.of_partition(index):
            self.consumer_groups.drop(consumer_group)
        self.share_groups.drop_partition(index)
        self.streams_groups.drop_partition(index)
        for group_id in [g for g in self.offsets.groups() if self.partition_of(g) == index]:
            self.offsets.remove_group(group_id)
        self.pending.remove_groups({g for g in self.pending.groups() if self.partition_of(g) == index})

    def clear(self) -> None:
        """Forget everything."""
        for group in self.groups.values():
            self._dissolve(group)
        self.groups.clear()
        self.lingering.clear()
        self.consumer_groups.clear()
        self.share_groups.clear()
        self.streams_groups.clear()
        self.offsets.clear()
        self.pending.clear()
        self.led.clear()
        self.loading.clear()

    def _dissolve(self, group: Group) -> None:
        for member in group.members.values():
            group.answer_join(member, JoinResult(ErrorCode.NOT_COORDINATOR, member.id))
            group.answer_sync(member, SyncResult(ErrorCode.NOT_COORDINATOR))
        group.stop_timers()
        group.become(State.DEAD, self.now)


STORE_ERRORS = {
    ErrorCode.UNKNOWN_TOPIC_OR_PARTITION: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND: ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_LEADER_OR_FOLLOWER: ErrorCode.NOT_COORDINATOR,
    ErrorCode.KAFKA_STORAGE_ERROR: ErrorCode.NOT_COORDINATOR,
    ErrorCode.REQUEST_TIMED_OUT: ErrorCode.REBALANCE_IN_PROGRESS,
    ErrorCode.MESSAGE_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.RECORD_LIST_TOO_LARGE: ErrorCode.UNKNOWN_SERVER_ERROR,
    ErrorCode.INVALID_FETCH_SIZE: ErrorCode.UNKNOWN_SERVER_ERROR,
}
"""What members hear when a group cannot be written down (GroupMetadataManager.storeGroup)."""
