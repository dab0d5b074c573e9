"""The "offset-commit-log": a keyed topic with one message for each committed offset, each in its own unit.

A commit counts once all its messages are in the logs of all replicas in sync. A broker that takes a partition over and
finds a commit without its last messages does not apply it; and since the cleaner keeps the last message of a key,
whatever it says, the broker writes the true value again after it. Commits in transactions stay in
`__consumer_offsets`.
"""

from collections.abc import Sequence

from fakekafka.coordinators.groups.offsets.atomic.conditions import Current
from fakekafka.coordinators.groups.offsets.atomic.entries import Entry, Value, key_of, message_of, offset_key_of
from fakekafka.coordinators.groups.offsets.atomic.replica import Replica
from fakekafka.coordinators.groups.offsets.pending import Key
from fakekafka.coordinators.groups.offsets.store import Entry as OffsetEntry
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_OFFSET, PartitionIndex, TimestampMs, TopicPartition
from fakekafka.log.append_info import Origin
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS
from fakekafka.storage.copying import append_copy
from fakekafka.storage.partition import ALL_IN_SYNC, AppendResult


class CommitLog:
    """The partitions of the log on one broker. The map of those that it leads belongs to the coordinator."""

    def __init__(self, groups: GroupRegistry) -> None:
        self._groups = groups
        self._transactions: dict[PartitionIndex, int] = {}
        """The last transaction id of each partition that is led here: a counter that the leader keeps."""
        self._led: set[PartitionIndex] = set()
        """The partitions whose log was read when this broker became their leader."""
        self._replicas: dict[PartitionIndex, Replica] = {}
        """The partitions that others lead."""

    def append(self, group_id: str, offsets: Sequence[OffsetEntry], current_of: Current) -> AppendResult:
        """Write one commit. If only a part of it can be written, that part is followed by the current offsets."""
        self._make()
        index = self._groups.partition_of(group_id)
        if self._groups.broker.partition(COMMIT_LOG, index) is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        transaction = self._transactions.get(index, 0) + 1
        size = len(offsets)
        entries = [
            self._entry((group_id, topic, at), Value(c.offset, transaction, size, c.metadata), c.commit_timestamp)
            for topic, at, c in offsets
        ]
        self._transactions[index] = transaction
        done = self._write(index, entries)
        if done.error is not ErrorCode.NONE:
            self._mend(index, [entry.key for entry in entries[: done.batches]], current_of)
        return done

    def forget(self, group_id: str, places: Sequence[TopicPartition]) -> None:
        """Write that offsets were deleted or have expired."""
        entries = [self._entry((group_id, *place), None, self._groups.now) for place in places]
        if entries:
            self._insist(self._groups.partition_of(group_id), entries)

    def _entry(self, key: Key, value: Value | None, time: TimestampMs) -> Entry:
        """A message that is to be written."""
        is_in_both = key in self._groups.pending.decided
        return Entry(NO_OFFSET, key_of(*key), value, time, self._groups.end_of(key[0]) if is_in_both else 0)

    def _write(self, index: PartitionIndex, entries: Sequence[Entry]) -> AppendResult:
        """Append messages one by one, until one fails. Returns their offsets, or the error, and how many there are."""
        groups, partition = self._groups, self._groups.broker.partition(COMMIT_LOG, index)
        if partition is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if partition.lacks_replicas and groups.config.int("offsets.commit.required.acks", ALL_IN_SYNC) == ALL_IN_SYNC:
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        whole = AppendResult()
        for entry in entries:
            message = message_of(entry._replace(at=0), partition.log.config.message_format)
            done = partition.append_from(Origin.COORDINATOR, bytearray(message), groups.now)
            if done.error is not ErrorCode.NONE:
                return done._replace(batches=whole.batches)
            first = done if whole.base_offset < 0 else whole
            whole = first._replace(last_offset=done.last_offset, batches=whole.batches + 1)
        groups.waiters.wake(partition.key)
        return whole

    def _insist(self, index: PartitionIndex, entries: Sequence[Entry]) -> None:
        """Append what must not be refused, whatever the topic's limits are and however few replicas are in sync:
        otherwise the cleaner would keep a part of a commit, or a start would bring a deleted offset back.
        """
        self._make()
        groups, partition = self._groups, self._groups.broker.partition(COMMIT_LOG, index)
        if partition is None:
            return
        for entry in entries:
            placed = entry._replace(at=partition.log.log_end_offset)
            message = message_of(placed, partition.log.config.message_format, partition.leader_epoch)
            if not append_copy(partition.log, message, groups.now):
                break  # the disk has failed: the next broker to read the log goes on
        partition.advance_high_watermark()
        groups.waiters.wake(partition.key)

    def _make(self) -> None:
        """Create the topic, with the partitions and the leaders of `__consumer_offsets`."""
        cluster = self._groups.cluster
        if COMMIT_LOG not in cluster.topics:
            replicas = {state.index: state.replicas for state in cluster.topics[CONSUMER_OFFSETS].partitions}
            cluster.new_topic(COMMIT_LOG, replicas, {"cleanup.policy": "compact"}, self._groups.broker.has_topic_ids)

    # ---- the maps of all replicas

    def on_leadership(self, index: PartitionIndex, leads: bool) -> None:
        """This or another broker leads a partition from now on; a broker with a replica keeps a map either way."""
        partition = self._groups.broker.partitions.get((COMMIT_LOG, index))
        if not leads:
            self._led.discard(index)
            self._transactions.pop(index, None)
        if partition is None or index in self._led:
            return
        replica = self._replicas.get(index)
        if replica is None or replica.partition is not partition:
            replica = Replica(self._groups, partition)
        if not leads:
            self._replicas[index] = replica
        else:
            self._led.add(index)
            self._replicas.pop(index, None)
            torn = replica.hand_over()
            self._transactions[index] = replica.last_transaction
            self._mend(index, torn, self._groups.offsets.get)

    def read_again(self, index: PartitionIndex) -> None:
        """Read a partition again, if it is led here: its offsets were forgotten with their groups."""
        if index in self._led:
            self._led.discard(index)
            self.on_leadership(index, leads=True)

    def clear(self) -> None:
        """Forget everything."""
        self._led.clear()
        self._transactions.clear()
        for replica in self._replicas.values():
            replica.stop()
        self._replicas.clear()

    def _mend(self, index: PartitionIndex, keys: Sequence[str], current_of: Current) -> None:
        """Write the true values of keys again, at the end of the log."""
        places = [offset_key_of(key, self._groups.cluster.topics) for key in dict.fromkeys(keys)]
        now = {place: current_of(*place) for place in places}
        kept = {place: committed for place, committed in now.items() if committed is not None}
        transaction = self._transactions.get(index, 0) + (1 if kept else 0)
        entries = [
            self._entry(place, Value(c.offset, transaction, len(kept), c.metadata), c.commit_timestamp)
            for place, c in kept.items()
        ]
        entries += [self._entry(place, None, self._groups.now) for place in now if place not in kept]
        self._transactions[index] = transaction
        if entries:
            self._insist(index, entries)
