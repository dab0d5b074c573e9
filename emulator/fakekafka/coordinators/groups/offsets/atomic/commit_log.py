"""The "offset-commit-log": a keyed topic with one message for each committed offset, each a unit of its own.

A commit counts when all its messages are in the log. A broker that takes a partition over and finds a commit without
its
last messages does not apply it; and since the cleaner keeps the last message of a key, whatever it says, the broker
writes the true value after it once more. Commits in transactions stay in `__consumer_offsets`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress

from fakekafka.coordinators.groups.offsets.atomic.entries import (
    Entry,
    Value,
    commits,
    entry_of,
    key_of,
    offset_key_of,
    value_bytes,
)
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition
from fakekafka.log.append_info import Origin
from fakekafka.records import v0, v1, v2
from fakekafka.records.record import Record
from fakekafka.state.topics import COMMIT_LOG, CONSUMER_OFFSETS
from fakekafka.storage.partition import ALL_IN_SYNC, AppendResult, Partition


class CommitLog:
    """The partitions of the log that one broker leads. The map of offsets belongs to the coordinator."""

    def __init__(self, groups: GroupRegistry) -> None:
        self._groups = groups
        self._transactions: dict[PartitionIndex, int] = {}
        """The last transaction id of each partition that is led here: a counter that the leader keeps."""

    def append(self, group_id: str, offsets: Sequence[tuple[TopicName, PartitionIndex, Committed]]) -> AppendResult:
        """Write one commit."""
        index = self._groups.partition_of(group_id)
        transaction = self._transactions.get(index, 0) + 1
        rows = [
            (key_of(group_id, topic, partition), Value(c.offset, transaction, len(offsets), c.metadata))
            for topic, partition, c in offsets
        ]
        self._transactions[index] = transaction
        return self._write(index, rows)

    def forget(self, group_id: str, places: Sequence[TopicPartition]) -> None:
        """Write that offsets were deleted or have expired."""
        rows = [(key_of(group_id, *place), None) for place in places]
        if rows:
            self._write(self._groups.partition_of(group_id), rows)

    def _write(self, index: PartitionIndex, rows: Sequence[tuple[str, Value | None]]) -> AppendResult:
        """Append messages one by one, until one fails. Returns the first one's result, or the error."""
        self._make()
        groups, partition = self._groups, self._groups.broker.partition(COMMIT_LOG, index)
        if partition is None:
            return AppendResult(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        if partition.lacks_replicas and groups.config.int("offsets.commit.required.acks", ALL_IN_SYNC) == ALL_IN_SYNC:
            return AppendResult(ErrorCode.NOT_ENOUGH_REPLICAS)
        magic = partition.log.config.message_format
        build = v2.build if magic == 2 else v1.build if magic else v0.build
        first: AppendResult | None = None
        for key, value in rows:
            message = build([Record(0, groups.now, 0, key.encode(), None if value is None else value_bytes(value))])
            done = partition.append_from(Origin.COORDINATOR, bytearray(message), groups.now)
            first = first or done
            if done.error is not ErrorCode.NONE:
                return done
        groups.waiters.wake(partition.key)
        return first or AppendResult()

    def _make(self) -> None:
        """Create the topic, with the partitions and the leaders of `__consumer_offsets`."""
        cluster = self._groups.cluster
        if COMMIT_LOG not in cluster.topics:
            replicas = {state.index: state.replicas for state in cluster.topics[CONSUMER_OFFSETS].partitions}
            cluster.new_topic(COMMIT_LOG, replicas, {"cleanup.policy": "compact"}, self._groups.broker.has_topic_ids)

    # ---- taking over

    def on_leadership(self, index: PartitionIndex, leads: bool) -> None:
        """This or another broker leads a partition from now on."""
        partition = self._groups.broker.partition(COMMIT_LOG, index)
        if not leads:
            self._transactions.pop(index, None)
        elif partition is not None and index not in self._transactions:
            self._transactions[index] = 0
            self._load(index, partition)

    def _load(self, index: PartitionIndex, partition: Partition) -> None:
        """Read a partition into the map of offsets, and repair what unfinished commits have broken."""
        last: dict[str, Offset] = {}
        broken: list[Entry] = []
        for commit in commits(self._entries(partition), partition.log.log_start_offset, partition.log.log_end_offset):
            last.update((entry.key, entry.at) for entry in commit.entries)
            for entry in commit.entries:
                if entry.value is not None:
                    self._transactions[index] = max(self._transactions[index], entry.value.transaction)
                if commit.is_whole:
                    self._apply(entry)
            if not commit.is_whole:
                broken += commit.entries
        self._mend(index, [entry.key for entry in broken if last[entry.key] == entry.at])

    def _entries(self, partition: Partition) -> Iterator[Entry]:
        """The entries that can be read; clients may have written other things there."""
        for units in self._groups.read(partition):
            for unit in units:
                for record in unit.records():
                    with suppress(MalformedBytes):
                        yield entry_of(record, self._groups.cluster.topics)

    def _apply(self, entry: Entry) -> None:
        group_id, topic, partition = offset_key_of(entry.key, self._groups.cluster.topics)
        if entry.value is None:
            self._groups.offsets.remove(group_id, [(topic, partition)])
        else:
            committed = Committed(entry.value.offset, -1, entry.value.metadata, entry.timestamp)
            self._groups.offsets.put(group_id, topic, partition, committed)

    def _mend(self, index: PartitionIndex, keys: Sequence[str]) -> None:
        """Write the true values of keys once more, at the end of the log."""
        groups = self._groups
        now = {key: groups.offsets.get(*offset_key_of(key, groups.cluster.topics)) for key in keys}
        kept = [(key, committed) for key, committed in now.items() if committed is not None]
        transaction = self._transactions.get(index, 0) + 1
        rows: list[tuple[str, Value | None]] = [
            (key, Value(c.offset, transaction, len(kept), c.metadata)) for key, c in kept
        ]
        rows += [(key, None) for key, committed in now.items() if committed is None]
        if rows:
            self._transactions[index] = transaction
            self._write(index, rows)
