"""The section about records and committed offsets."""

from collections.abc import Sequence

from fakekafka.handle.section import Section
from fakekafka.ids import BrokerId, Offset, PartitionIndex, TimestampMs, TopicName
from fakekafka.watching.stored import CommittedOffset, StoredRecord, append_record, committed_offsets, stored_records


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
        return self._on_loop(
            lambda: append_record(self._running.cluster, self._topic(topic), key, value, headers, timestamp, partition)
        )

    def records(
        self, topic: TopicName, partition: PartitionIndex | None = None, *, broker: BrokerId | None = None
    ) -> list[StoredRecord]:
        """Every record of a topic, or of one partition, as stored: by partition, then by offset.

        `broker`: as stored by that broker, whether it leads or follows; None: as stored by the leaders.
        """
        return self._on_loop(lambda: stored_records(self._running.cluster, self._topic(topic), partition, broker))

    def committed(self, group: str) -> dict[tuple[TopicName, PartitionIndex], CommittedOffset]:
        """The offsets that a group has committed, by topic and partition."""
        return self._on_loop(lambda: committed_offsets(self._running.cluster, group))

    def commit_if(
        self, group: str, topic: TopicName, partition: PartitionIndex, offset: Offset, expected: Offset | None
    ) -> bool:
        """Commit `offset` for a group, if `expected` is what is committed now (None: nothing). Returns whether it was.
        No request of Kafka can do this. Raises `UsageError` while no broker coordinates the group.
        """
        from fakekafka.coordinators.groups.offsets.atomic.conditional import (
            commit_if,  # groups are loaded when first asked for
        )

        return self._on_loop(lambda: commit_if(self._running.cluster, group, (topic, partition), offset, expected))
