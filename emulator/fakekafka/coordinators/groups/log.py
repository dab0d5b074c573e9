"""The partitions of `__consumer_offsets` that a broker leads: where its groups are, and how they are stored.

Records that no client waits for are held back for a moment, so that the next records join their batch
(group.coordinator.append.linger.ms; CoordinatorRuntime of 3.8 and later). In the real coordinator every write lingers,
and a client that waits for it waits as long. Here a write that is waited for goes into the log at once, with what
lingers before it: the bytes are the same, the answers come sooner.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from fakekafka.cluster.internal_topics import NOBODY, Producer, append, partition_count, partition_for
from fakekafka.coordinators.groups.arrivals import Arrivals
from fakekafka.coordinators.groups.typed_records import KeyValue
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_ID, DurationMs, Offset, PartitionIndex, TimestampMs
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.scan import batches
from fakekafka.state.topics import CONSUMER_OFFSETS
from fakekafka.storage.partition import ALL_IN_SYNC, AppendResult, Partition
from fakekafka.waiting.timers import BrokerTimers, Timer

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

LINGER: Final = "group.coordinator.append.linger.ms"


class Lingering:
    """The open batch of each partition."""

    def __init__(self, timers: BrokerTimers, linger_ms: DurationMs, flush: Callable[[PartitionIndex], None]) -> None:
        self.linger_ms = linger_ms
        """Nothing lingers if this is 0 or less; in 4.2 and later -1 means "as long as there is more to do"."""
        self._timers = timers
        self._flush = flush
        """Writes a partition's batch, by `take`."""
        self._open: dict[PartitionIndex, tuple[list[KeyValue], Timer]] = {}

    def add(self, index: PartitionIndex, records: list[KeyValue]) -> None:
        """Hold records back. The first records of a batch decide when it is written."""
        if index in self._open:
            self._open[index][0].extend(records)
        else:
            self._open[index] = list(records), self._timers.after(self.linger_ms, lambda: self._flush(index))

    def take(self, index: PartitionIndex) -> list[KeyValue]:
        """Close and return the open batch of a partition. If another broker leads the partition, the batch is lost."""
        records, timer = self._open.pop(index, ([], None))
        if timer is not None:
            timer.cancel()
        return records

    def count(self, index: PartitionIndex) -> int:
        """How many records linger."""
        return len(self._open[index][0]) if index in self._open else 0

    def clear(self) -> None:
        """Lose the batches of all partitions."""
        for index in tuple(self._open):
            self.take(index)


class GroupLog:
    """The partitions of the offsets topic that a broker leads."""

    def __init__(self, broker: "Broker") -> None:
        self.broker = broker
        self.cluster = broker.cluster
        self.config = broker.config
        self.timers = broker.timers
        self.waiters = broker.cluster.waiters
        self.rules = broker.profile.groups
        self.offset_rules = broker.profile.offsets
        self.led: set[PartitionIndex] = set()
        """Partitions of the offsets topic whose groups are coordinated here."""
        self.loading: set[PartitionIndex] = set()
        """The partitions that have not been read to the end yet."""
        self.ends: dict[PartitionIndex, Offset] = {}
        """Where each partition's log ended, as far as a coordinator that outlives its topic knows."""
        self.arrivals = Arrivals()
        linger_ms = self.config.int(LINGER, 0) if self.rules.coordinator == "java" else 0
        self.lingering = Lingering(self.timers, linger_ms, self._flush)

    @property
    def now(self) -> TimestampMs:
        return self.cluster.clock.now_ms

    # ---- where groups are

    def partition_of(self, group_id: str) -> PartitionIndex:
        """The partition of the offsets topic that a group belongs to."""
        return partition_for(group_id, self.partition_count)

    @property
    def partition_count(self) -> int:
        """How many partitions the offsets topic has, or will have."""
        return partition_count(self.broker, CONSUMER_OFFSETS)

    def partition(self, index: PartitionIndex) -> Partition | None:
        """A partition of the offsets topic, if this broker leads it."""
        return self.broker.partition(CONSUMER_OFFSETS, index)

    def end_of(self, group_id: str) -> Offset:
        """Where the group's partition ends; 0 if another broker leads it."""
        partition = self.partition(self.partition_of(group_id))
        return 0 if partition is None else partition.log.log_end_offset

    def arrived(self, group_id: str) -> None:
        """There is a group from now on, if there was not before."""
        self.arrivals.add(self._map_of(group_id), group_id)

    def left(self, group_id: str) -> None:
        """There is no group, of any kind, with this id any more."""
        self.arrivals.remove(self._map_of(group_id), group_id)

    def _map_of(self, group_id: str) -> PartitionIndex:
        return 0 if self.rules.coordinator == "scala" else self.partition_of(group_id)

    def status(self, group_id: str) -> ErrorCode:
        """The error for requests about the group: NONE; 14 or 16 while it is being loaded; 16 if another broker
        coordinates it.
        """
        index = self.partition_of(group_id)
        if index in self.loading:
            return self.broker.profile.offsets.while_loading
        return ErrorCode.NONE if index in self.led else ErrorCode.NOT_COORDINATOR

    @property
    def outlives_topic(self) -> bool:
        """Whether the offsets topic is gone, and the groups are not."""
        return self.rules.outlives_topic and CONSUMER_OFFSETS not in self.cluster.topics

    def read(
        self, partition: Partition, start: Offset | None = None, end: Offset | None = None
    ) -> Iterator[list[Batch]]:
        """The units of a partition from `start` up to `end` (None: all), as many at a time as the load buffer holds."""
        log, size = partition.log, self.config.int("offsets.load.buffer.size", 5_242_880)
        at = log.log_start_offset if start is None else start
        while at < (log.log_end_offset if end is None else end):
            data = log.read(at, size, log.log_end_offset if end is None else end, min_one=True)
            assert not isinstance(data, ErrorCode)
            units = list(batches(joined(data.buffers), dialect=log.config.dialect))
            if not units:  # the cleaner has removed the last ones
                return
            at = units[-1].last_offset + 1
            yield units

    # ---- writing

    def append(self, group_id: str, records: list[KeyValue], producer: Producer = NOBODY) -> AppendResult:
        """Append to the group's partition."""
        partition = self.partition(self.partition_of(group_id))
        if partition is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        return self.append_to(partition, records, producer)

    def append_soon(self, group_id: str, records: list[KeyValue]) -> AppendResult:
        """Append records that no client waits for: at once, or with the next ones. Records that would be
        refused now are refused.
        """
        if self.lingering.linger_ms <= 0:
            return self.append(group_id, records)
        partition = self.partition(self.partition_of(group_id))
        if partition is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if self._lacks_replicas(partition):
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        self.lingering.add(partition.state.index, records)
        return AppendResult()

    def append_to(self, partition: Partition, records: list[KeyValue], producer: Producer = NOBODY) -> AppendResult:
        """`append` to a known partition. Lingering records go first, in the same batch if possible."""
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

    def _lacks_replicas(self, partition: Partition) -> bool:
        all_in_sync = self.config.int("offsets.commit.required.acks", ALL_IN_SYNC) == ALL_IN_SYNC
        return partition.lacks_replicas and all_in_sync

    def _write(self, partition: Partition, records: list[KeyValue], producer: Producer) -> AppendResult:
        if self._lacks_replicas(partition):
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        if partition.target.append_time and self.offset_rules.append_time_topic == "refused":
            return AppendResult(ErrorCode.INVALID_TIMESTAMP)
        codec = self.config.int("offsets.topic.compression.codec")
        if self.offset_rules.numbered_batches == "all":
            producer = producer._replace(sequence=0)
        done = append(self.waiters, partition, records, self.cluster.clock.now_ms, codec, producer)
        return self._in_step(partition, done) if self.rules.outlives_topic else done

    def _in_step(self, partition: Partition, done: AppendResult) -> AppendResult:
        """Note where the log ends. A coordinator that expects it elsewhere fails, though the records are there."""
        if done.error is not ErrorCode.NONE or self.rules.coordinator != "java":
            return done
        end = partition.log.log_end_offset
        if end <= self.ends.get(partition.index, 0):
            return AppendResult(ErrorCode.UNKNOWN_SERVER_ERROR)
        self.ends[partition.index] = end
        return done
