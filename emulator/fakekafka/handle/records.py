"""The section about records and committed offsets."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fakekafka.handle.section import Section
from fakekafka.ids import BrokerId, Offset, PartitionIndex, TimestampMs, TopicName, TopicPartition

if TYPE_CHECKING:
    from fakekafka.faults.at_rest import AtRest
    from fakekafka.watching.decided import Decided
    from fakekafka.watching.stored import CommittedOffset, StoredRecord


class Records(Section):
    """Send and read records, and committed offsets, without a client."""

    def send(
        self,
        topic: TopicName,
        value: bytes | None,
        key: bytes | None = None,
        headers: Sequence[tuple[str, bytes | None]] = (),
        timestamp: TimestampMs | None = None,
        partition: PartitionIndex | None = None,
    ) -> Offset:
        """Append a record without a client, in the topic's own format; returns its offset.

        Without `partition`, the key decides, as in the Java client, and records without a key go to partition 0.
        Raises `UsageError` with the broker's reason when it refuses the record.
        """
        from fakekafka.watching.stored import append_record

        return self._on_loop(
            lambda: append_record(self._running.cluster, self._topic(topic), key, value, headers, timestamp, partition)
        )

    def records(
        self, topic: TopicName, partition: PartitionIndex | None = None, *, broker: BrokerId | None = None
    ) -> "list[StoredRecord]":
        """Every record of a topic, or of one partition, as stored: by partition, then by offset.

        `broker`: as stored by that broker, whether it leads or follows; None: as stored by the leaders. Raises
        `UsageError` if there is no such topic or broker.
        """
        from fakekafka.watching.stored import stored_records

        return self._on_loop(lambda: stored_records(self._running.cluster, self._topic(topic), partition, broker))

    def last_records(self, topic: TopicName, most: int = 10) -> "list[StoredRecord]":
        """The last records of each partition, up to `most` of each; none of partitions with large segments. Raises
        `UsageError` if there is no such topic.
        """
        from fakekafka.watching.stored import last_records

        return self._on_loop(lambda: last_records(self._running.cluster, self._topic(topic), most))

    def decided(self, topic: TopicName, partition: PartitionIndex = 0) -> "Decided":
        """What transactions have decided in a partition, as its leader has it: the control batches, the aborted
        transactions, and which records a read_committed reader leaves out. Reads every batch. Raises `UsageError` if
        there is no such partition, or no broker leads it.
        """
        from fakekafka.watching.decided import decided
        from fakekafka.watching.stored import hosted_partition

        return self._on_loop(lambda: decided(hosted_partition(self._running.cluster, topic, partition)))

    def damage(
        self,
        topic: TopicName,
        partition: PartitionIndex = 0,
        *,
        how: "AtRest" = "flip a byte",
        offset: Offset | None = None,
        broker: BrokerId | None = None,
    ) -> Offset:
        """Damage stored records: the batch that holds `offset`, or the last one; returns its first record's offset.

        `how`: "flip a byte" (the last one of the batch), "bad crc" (the checksum itself) or "zeros" (its content).
        `broker`: the one whose copy is damaged; None: the leader. Raises `UsageError` if nothing is stored there.
        """
        from fakekafka.faults.at_rest import damage
        from fakekafka.watching.stored import hosted_partition

        return self._on_loop(
            lambda: damage(hosted_partition(self._running.cluster, topic, partition, broker), how, offset)
        )

    def committed(self, group: str) -> "dict[TopicPartition, CommittedOffset]":
        """The offsets that a group has committed, by topic and partition."""
        from fakekafka.watching.stored import committed_offsets

        return self._on_loop(lambda: committed_offsets(self._running.cluster, group))

    def commit_if(
        self, group: str, topic: TopicName, partition: PartitionIndex, offset: Offset, expected: Offset | None
    ) -> bool:
        """Commit `offset` for a group, if `expected` is committed now (None: nothing). Returns whether it committed.
        No request of Kafka can do this. Raises `UsageError` while no broker coordinates the group.
        """
        from fakekafka.coordinators.groups.offsets.atomic.conditional import (
            commit_if,  # groups are loaded when first asked for
        )

        return self._on_loop(lambda: commit_if(self._running.cluster, group, (topic, partition), offset, expected))
