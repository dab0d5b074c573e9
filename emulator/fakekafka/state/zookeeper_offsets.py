"""Offsets that groups keep in ZooKeeper: version 0 of OffsetCommit and OffsetFetch.

    /consumers/<group>/offsets/<topic>/<partition>     the offset, as decimal text

Only the offset is kept, for each partition separately, and nothing expires. The offsets topic does not contain it.
"""

from collections.abc import Mapping

from fakekafka.ids import Offset, PartitionIndex, TopicName, TopicPartition


class ZooKeeperOffsets:
    """What lies under /consumers. It belongs to the cluster and outlives its brokers."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[str, TopicName, PartitionIndex], Offset] = {}

    def get(self, group: str, topic: TopicName, partition: PartitionIndex) -> Offset | None:
        """The offset, or None if there is no node."""
        return self._nodes.get((group, topic, partition))

    def put(self, group: str, topic: TopicName, partition: PartitionIndex, offset: Offset) -> None:
        """Set a node, creating it if necessary."""
        self._nodes[group, topic, partition] = offset

    def of_group(self, group: str) -> dict[TopicPartition, Offset]:
        """All that a group has there."""
        return {(topic, partition): offset for (name, topic, partition), offset in self._nodes.items() if name == group}

    def all(self) -> Mapping[tuple[str, TopicName, PartitionIndex], Offset]:
        """Everything, by group, topic and partition."""
        return self._nodes

    def clear(self) -> None:
        """Forget everything."""
        self._nodes.clear()
