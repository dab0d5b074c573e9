"""Offsets of transactions that are not decided yet: in the log, but not committed (KIP-98).

They become commits when the transaction's commit marker comes, unless something newer was committed meanwhile. Newer
means later in the log.
"""

from collections.abc import Container, Iterable, Iterator
from typing import TypeAlias

from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.ids import Offset, PartitionIndex, ProducerId, TopicName, TopicPartition

Key: TypeAlias = tuple[str, TopicName, PartitionIndex]


class PendingOffsets:
    """The offsets that open transactions would commit, by producer."""

    def __init__(self) -> None:
        self._by_producer: dict[ProducerId, dict[Key, tuple[Offset, Committed]]] = {}
        self._superseded: set[tuple[ProducerId, Key]] = set()

    def __bool__(self) -> bool:
        return bool(self._by_producer)

    def add(self, producer: ProducerId, key: Key, at: Offset, committed: Committed) -> None:
        """Add a transactional commit at offset `at` of the log."""
        self._by_producer.setdefault(producer, {})[key] = at, committed
        self._superseded.discard((producer, key))

    def supersede(self, key: Key, by: Offset) -> None:
        """Drop pending commits for `key` before offset `by`, at which something newer was committed."""
        for producer, pending in self._by_producer.items():
            if key in pending and pending[key][0] < by:
                self._superseded.add((producer, key))

    def complete(self, producer: ProducerId, groups: Container[str]) -> list[tuple[Key, Offset, Committed]]:
        """The transaction is decided as far as `groups` go: each partition of the log gets a marker of its own.

        Removes its offsets, and returns those that a commit applies, with their offsets in the log.
        """
        pending = self._by_producer.get(producer, {})
        taken = [key for key in pending if key[0] in groups]
        applied = [(key, *pending[key]) for key in taken if (producer, key) not in self._superseded]
        self._forget(producer, taken)
        return applied

    def has(self, group: str, topic: TopicName, partition: PartitionIndex) -> bool:
        """Whether a commit of this partition is pending."""
        return any((group, topic, partition) in pending for pending in self._by_producer.values())

    def groups(self) -> set[str]:
        """The groups with pending offsets."""
        return {key[0] for pending in self._by_producer.values() for key in pending}

    def of_group(self, group: str) -> Iterator[TopicPartition]:
        """The partitions with pending commits of a group."""
        for pending in self._by_producer.values():
            yield from ((topic, partition) for name, topic, partition in pending if name == group)

    def remove(self, group: str, topic: TopicName, partition: PartitionIndex) -> None:
        """Forget what is pending for a partition, whichever producer committed it."""
        for producer in list(self._by_producer):
            self._forget(producer, [(group, topic, partition)])

    def remove_groups(self, groups: set[str]) -> None:
        """Forget what is pending for some groups."""
        for producer in list(self._by_producer):
            self._forget(producer, [key for key in self._by_producer[producer] if key[0] in groups])

    def absorb(self, other: "PendingOffsets") -> None:
        """Take over the content of another one."""
        for producer, pending in other._by_producer.items():
            self._by_producer.setdefault(producer, {}).update(pending)
        self._superseded |= other._superseded

    def _forget(self, producer: ProducerId, keys: Iterable[Key]) -> None:
        pending = self._by_producer.get(producer, {})
        for key in keys:
            pending.pop(key, None)
            self._superseded.discard((producer, key))
        if not pending:
            self._by_producer.pop(producer, None)

    def clear(self) -> None:
        """Forget everything."""
        self._by_producer.clear()
        self._superseded.clear()
