"""The map of one partition of the "offset-commit-log" on a broker that does not lead it.

"All replicas will keep the in-memory lookup structure for offsets", and it contains "only committed offsets": a replica
reads its log up to the high watermark, commit by commit. When it becomes the leader, only the rest is left to read.
"""

from collections.abc import Iterator
from contextlib import suppress

from fakekafka.coordinators.groups.offsets.atomic.entries import Entry, entry_of, offset_key_of
from fakekafka.coordinators.groups.offsets.atomic.reading import Commit, CommitReader
from fakekafka.coordinators.groups.offsets.pending import Key
from fakekafka.coordinators.groups.offsets.store import Committed, OffsetStore
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Offset
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.storage.partition import Partition


class Replica:
    """The map of `partition` on the broker of `groups`; it grows with the log until it is handed over."""

    def __init__(self, groups: GroupRegistry, partition: Partition) -> None:
        self._groups = groups
        self.partition = partition
        self.offsets = OffsetStore()
        self._begin()
        self._watch = groups.waiters.watch([partition.key], self._follow)

    def stop(self) -> None:
        """Stop reading."""
        self._watch.cancel()

    def _begin(self) -> None:
        start = self.partition.log.log_start_offset
        self.offsets.clear()
        self.last_transaction = 0
        """The highest id of a commit."""
        self._read_to: Offset = start
        self._reader = CommitReader(start)
        self._gone: dict[str, None] = {}
        """Keys whose offset was deleted."""
        self._torn: dict[str, None] = {}
        """Keys whose last message belongs to a commit that is not whole."""
        self._topic_ends: dict[Key, Offset] = {}
        """Where the offsets topic ended when a key had its last commit, if its message says so."""

    def _follow(self) -> None:
        """Read what has become committed."""
        partition = self.partition
        if self._groups.broker.partitions.get((partition.topic.name, partition.index)) is not partition:
            self.stop()  # the broker has stopped, too, or no longer has the replica
            return
        if partition.high_watermark < self._read_to:
            self._begin()  # an unclean election has taken back what was committed
        self._read(partition.high_watermark)

    def hand_over(self) -> list[str]:
        """Read the log to its end, and move everything into the map of its new leader; what transactions have committed
        later stays.

        Returns the keys whose last message belongs to an incomplete commit: the leader must write their values again.
        """
        self.stop()
        end = self.partition.log.log_end_offset
        if end < self._read_to:
            self._begin()
        self._read(end)
        self._take(self._reader.close(end))
        for key in self._gone:
            if self._is_last(self._key(key)):
                self._groups.offsets.remove(self._key(key)[0], [self._key(key)[1:]])
        for group_id in self.offsets.groups():
            for topic, index, committed in self.offsets.of_group(group_id):
                if self._is_last((group_id, topic, index)):
                    self._groups.offsets.put(group_id, topic, index, committed)
        return list(self._torn)

    def _is_last(self, key: Key) -> bool:
        """Whether no transaction has committed the key later. Older pending commits are dropped."""
        pending, topic_end = self._groups.pending, self._topic_ends.get(key, 0)
        pending.supersede(key, topic_end)
        return pending.decided.get(key, NO_OFFSET) < topic_end

    def _read(self, end: Offset) -> None:
        for entry in self._entries(end):
            self._take(self._reader.take(entry))
        self._read_to = max(self._read_to, end)

    def _entries(self, end: Offset) -> Iterator[Entry]:
        """The entries that can be read; clients may have written other things there."""
        start = max(self._read_to, self.partition.log.log_start_offset)
        for units in self._groups.read(self.partition, start, end):
            for unit in units:
                for record in _readable(unit):
                    with suppress(MalformedBytes):
                        yield entry_of(record, self._groups.cluster.topics)

    def _take(self, commits: list[Commit]) -> None:
        for commit in commits:
            for entry in commit.entries:
                self._torn.pop(entry.key, None)
                if entry.value is not None:
                    self.last_transaction = max(self.last_transaction, entry.value.transaction)
                if commit.is_whole:
                    self._apply(entry)
                else:
                    self._torn[entry.key] = None

    def _apply(self, entry: Entry) -> None:
        key = group_id, topic, partition = self._key(entry.key)
        self._gone.pop(entry.key, None)
        self._topic_ends[key] = entry.topic_end
        if entry.value is None:
            self._gone[entry.key] = None
            self.offsets.remove(group_id, [(topic, partition)])
        else:
            time = self._groups.now if entry.timestamp == NO_TIMESTAMP else entry.timestamp  # format 0 has none
            committed = Committed(entry.value.offset, -1, entry.value.metadata, time)
            self.offsets.put(group_id, topic, partition, committed)

    def _key(self, key: str) -> Key:
        return offset_key_of(key, self._groups.cluster.topics)


def _readable(unit: Batch) -> Iterator[Record]:
    """The records of a unit, up to the first that cannot be read."""
    with suppress(MalformedBytes):
        yield from unit.records()
