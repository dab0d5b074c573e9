"""Commits that the leader has written and that some replica in sync lacks: nobody can see them yet.

GroupMetadata.pendingOffsetCommits of the Scala coordinator; the Java one answers from its snapshot of what is
committed.
"""

from collections import deque
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from fakekafka.coordinators.groups.offsets.store import Committed, Entry
from fakekafka.coordinators.groups.registry import GroupRegistry
from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition
from fakekafka.storage.partition import Partition
from fakekafka.waiting.waiters import Watch


class Written(NamedTuple):
    """A commit in the log."""

    group_id: str
    offsets: Sequence[Entry]
    at: Offset
    """Its offset in the offsets topic; for a commit in another log, where the topic ended."""
    end: Offset
    """The offset after its last record, in its own log."""


class _Queue(NamedTuple):
    """The commits in one partition, in the order in which they were written."""

    partition: Partition
    watch: Watch
    commits: deque[Written]


class AwaitedCommits:
    """The commits of one broker's groups. `apply` is called with each that all replicas in sync have."""

    def __init__(self, groups: GroupRegistry, apply: Callable[[Written], None]) -> None:
        self._groups = groups
        self._apply = apply
        self._queues: dict[PartitionIndex, _Queue] = {}

    def add(self, partition: Partition, commit: Written) -> None:
        """Wait for the replicas of `partition`, to which the commit was written."""
        queue = self._queues.get(partition.index)
        if queue is None or queue.partition is not partition:
            if queue is not None:
                queue.watch.cancel()
            watch = self._groups.waiters.watch([partition.key], lambda: self._go_on(partition))
            queue = self._queues[partition.index] = _Queue(partition, watch, deque())
        queue.commits.append(commit)

    def _go_on(self, partition: Partition) -> None:
        """Apply what the replicas have by now. If another broker has become the leader, that one does so."""
        queue = self._queues.get(partition.index)
        if queue is None or queue.partition is not partition:
            return
        leads = self._groups.broker.partition(partition.topic.name, partition.index) is partition
        while leads and queue.commits and queue.commits[0].end <= partition.high_watermark:
            self._apply(queue.commits.popleft())
        if not leads or not queue.commits:
            queue.watch.cancel()
            del self._queues[partition.index]

    def give_up(self, partition: Partition, end: Offset) -> None:
        """Forget the commit that ends there: its client was told that it failed."""
        queue = self._queues.get(partition.index)
        if queue is not None:
            left = [commit for commit in queue.commits if commit.end != end]
            queue.commits.clear()
            queue.commits.extend(left)

    def forget(self, group_id: str, places: Collection[TopicPartition], before: Offset | None = None) -> None:
        """Take some partitions out of a group's commits, or only out of those before the commit of a transaction that
        is at offset `before` of the offsets topic.
        """
        for queue in self._queues.values():
            for at, commit in enumerate(queue.commits):
                if commit.group_id == group_id and (before is None or commit.at <= before):
                    left = [entry for entry in commit.offsets if entry[:2] not in places]
                    queue.commits[at] = commit._replace(offsets=left)

    def has(self, index: PartitionIndex) -> bool:
        """Whether a commit in this partition waits: those after it wait, too."""
        return index in self._queues

    def latest(self, group_id: str, topic: TopicName, partition: PartitionIndex) -> Committed | None:
        """The last offset of a partition among the commits that wait, if there is one."""
        waiting = (commit for queue in self._queues.values() for commit in reversed(queue.commits))
        offsets = (entry for commit in waiting if commit.group_id == group_id for entry in reversed(commit.offsets))
        return next((entry[2] for entry in offsets if entry[:2] == (topic, partition)), None)

    def groups(self) -> set[str]:
        """The groups with commits that wait."""
        return {commit.group_id for queue in self._queues.values() for commit in queue.commits}

    def of_group(self, group_id: str) -> Iterator[TopicPartition]:
        """The partitions in commits of a group that wait; one may come several times."""
        waiting = (commit for queue in self._queues.values() for commit in queue.commits)
        yield from (entry[:2] for commit in waiting if commit.group_id == group_id for entry in commit.offsets)

    def clear(self) -> None:
        """Forget everything."""
        for queue in self._queues.values():
            queue.watch.cancel()
        self._queues.clear()
