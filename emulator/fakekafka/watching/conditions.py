"""What a condition is, and two of them: records in a topic, and commits of a group."""

from collections.abc import Callable
from typing import Protocol, TypeAlias, TypeVar

from fakekafka.cluster.cluster import Cluster
from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.state.topics import Topic
from fakekafka.watching.stored import CommittedOffset, StoredRecord, committed_offsets, found_topic, stored_records

Got = TypeVar("Got", covariant=True)
GetCluster: TypeAlias = Callable[[], Cluster]
"""Returns the cluster; raises `UsageError` while it does not run."""
MOST_SHOWN = 10


class Condition(Protocol[Got]):
    """A condition. Both methods run on the thread that owns the broker."""

    def ask(self) -> Got | None:
        """The result; None while the condition is not met."""

    def instead(self) -> str:
        """What there is instead, as text."""


class RecordsThere:
    """At least `count` records in a topic, or in one partition of it."""

    def __init__(
        self, cluster: GetCluster, topic: TopicName, count: int, partition: PartitionIndex | None = None
    ) -> None:
        self._cluster = cluster
        self._topic = topic
        self._count = count
        self._partition = partition
        self._ends: list[Offset] | None = None  # when the records were last counted
        self._number = 0

    def ask(self) -> list[StoredRecord] | None:
        cluster = self._cluster()
        topic = cluster.topics.get(self._topic)
        if topic is None:
            return None
        if self._partition is not None:
            found_topic(cluster, self._topic, self._partition)  # raises if there is no such partition
        spans = self._spans(cluster, topic)
        ends = [end for _, end in spans]
        if sum(end - start for start, end in spans) < self._count or ends == self._ends:
            return None
        self._ends = ends
        records = stored_records(cluster, topic, self._partition)
        self._number = len(records)
        return records if len(records) >= self._count else None

    def instead(self) -> str:
        cluster = self._cluster()
        topic = cluster.topics.get(self._topic)
        if topic is None:
            return f"there is no topic {self._topic!r}; there are: {', '.join(sorted(cluster.topics)) or 'none'}"
        records = stored_records(cluster, topic, self._partition)
        last = [f"{r.topic}-{r.partition} at {r.offset}: {r.value!r}" for r in records[-MOST_SHOWN:]]
        place = self._topic if self._partition is None else f"{self._topic}-{self._partition}"
        return f"{place} has {len(records)} of {self._count} records{': ' if last else ''}{'; '.join(last)}"

    def _spans(self, cluster: Cluster, topic: Topic) -> list[tuple[Offset, Offset]]:
        """Where each partition begins and ends; those without a leader are left out."""
        spans = []
        for state in topic.partitions:
            leader = cluster.brokers.get(state.leader)
            if leader is None or self._partition not in (None, state.index):
                continue
            partition = leader.partition(topic.name, state.index)
            if partition is not None:
                spans.append((partition.log_start_offset, partition.log.log_end_offset))
        return spans


class CommitThere:
    """A group has committed for a topic, at least `offset` if one is given."""

    def __init__(
        self,
        cluster: GetCluster,
        group: str,
        topic: TopicName,
        partition: PartitionIndex | None = None,
        offset: Offset | None = None,
    ) -> None:
        self._cluster = cluster
        self._group = group
        self._topic = topic
        self._partition = partition
        self._offset = offset

    def ask(self) -> CommittedOffset | None:
        for (topic, partition), committed in committed_offsets(self._cluster(), self._group).items():
            if topic != self._topic or self._partition not in (None, partition):
                continue
            if self._offset is None or committed.offset >= self._offset:
                return committed
        return None

    def instead(self) -> str:
        offsets = committed_offsets(self._cluster(), self._group)
        texts = [f"{topic}-{partition} at {each.offset}" for (topic, partition), each in sorted(offsets.items())]
        return f"group {self._group!r} has committed {', '.join(texts) or 'nothing'}"
