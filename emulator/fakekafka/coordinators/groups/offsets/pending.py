"""Offsets of transactions that are not decided yet: in the log, but not committed (KIP-98).

They become commits when the transaction's commit marker comes, unless something newer was committed meanwhile. Newer
means later in the log. Offsets that were refused, but left here (`OffsetsBehaviour.long_metadata`), are at no offset;
those from outside of transactions have the producer -1.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from fakekafka.coordinators.groups.offsets.map_order import pending_order
from fakekafka.coordinators.groups.offsets.store import Committed
from fakekafka.ids import (
    NO_OFFSET,
    NO_PRODUCER_ID,
    Offset,
    PartitionIndex,
    ProducerId,
    TopicName,
    TopicPartition,
)
from fakekafka.releases.behaviours.offsets import ExpiredOrder

Key: TypeAlias = tuple[str, TopicName, PartitionIndex]
Decided: TypeAlias = tuple[Key, Offset, Committed]
"""An offset of a transaction that is decided, and where in the log it is."""


def until_unwritten(decided: Sequence[Decided], order: ExpiredOrder) -> Sequence[Decided]:
    """The offsets that a commit marker applies: those before the first that was refused and never written, at which
    the real coordinator fails (GroupMetadata.completePendingTxnOffsetCommit). `order`: tells the kind of its maps.
    """
    if all(at != NO_OFFSET for _, at, _ in decided):
        return decided
    by_key = {row[0]: row for row in decided}
    ordered = [by_key[key] for key in pending_order(by_key, order)]
    return list(takewhile(lambda row: row[1] != NO_OFFSET, ordered))


class PendingOffsets:
    """The offsets that open transactions would commit, by producer."""

    def __init__(self, *, keeps_decided: bool = False) -> None:
        """`keeps_decided`: keep `decided`, for offsets that have another log as well."""
        self._by_producer: dict[ProducerId, dict[Key, tuple[Offset, Committed]]] = {}
        self._keeps_decided = keeps_decided
        self.decided: dict[Key, Offset] = {}
        """For each key in commits of transactions: the offset in the topic of the last one that counted, or -1."""
        self._superseded: set[tuple[ProducerId, Key]] = set()
        self._emptied: set[tuple[ProducerId, str]] = set()
        """Producers whose open transaction had an offset of a group that was forgotten."""

    def __bool__(self) -> bool:
        return bool(self._by_producer)

    def add(self, producer: ProducerId, key: Key, at: Offset, committed: Committed) -> None:
        """Add a transactional commit at offset `at` of the log."""
        self._by_producer.setdefault(producer, {})[key] = at, committed
        if self._keeps_decided:
            self.decided.setdefault(key, NO_OFFSET)
        self._superseded.discard((producer, key))

    def supersede(self, key: Key, by: Offset) -> None:
        """Drop pending commits for `key` before offset `by`, at which something newer was committed."""
        for producer, pending in self._by_producer.items():
            if key in pending and NO_OFFSET < pending[key][0] < by:
                self._superseded.add((producer, key))

    def settle(self, key: Key, at: Offset) -> None:
        """A commit outside of transactions was written at offset `at`: what was before it is void."""
        self.supersede(key, at)
        self._forget(NO_PRODUCER_ID, [key])

    def decide(self, key: Key, at: Offset) -> None:
        """The pending commit of `key` at offset `at` counts from now on: earlier ones never will."""
        self.supersede(key, at)
        if self._keeps_decided:
            self.decided[key] = at

    def complete(self, producer: ProducerId, groups: Container[str]) -> list[Decided]:
        """The transaction is decided as far as `groups` go: each partition of the log gets its own marker.

        Removes its offsets, and returns those that a commit applies, with their offsets in the log.
        """
        pending = self._by_producer.get(producer, {})
        self._emptied = {one for one in self._emptied if one[0] != producer or one[1] not in groups}
        taken = [key for key in pending if key[0] in groups]
        applied = [(key, *pending[key]) for key in taken if (producer, key) not in self._superseded]
        self._forget(producer, taken)
        return applied

    def has(self, group: str, topic: TopicName, partition: PartitionIndex) -> bool:
        """Whether a commit of this partition is pending."""
        return any((group, topic, partition) in pending for pending in self._by_producer.values())

    def groups(self) -> set[str]:
        """The groups with offsets in open transactions, even if these were forgotten."""
        named = {key[0] for pending in self._by_producer.values() for key in pending}
        return named | {group for _, group in self._emptied}

    def is_open(self, group: str) -> bool:
        """Whether an open transaction has, or had, offsets of a group."""
        return group in self.groups()

    def of_group(self, group: str) -> Iterator[TopicPartition]:
        """The partitions with pending commits of a group."""
        for pending in self._by_producer.values():
            yield from ((topic, partition) for name, topic, partition in pending if name == group)

    def refused(self, group: str) -> Iterator[TopicPartition]:
        """The partitions of a group whose last commit outside of transactions was refused, but left here."""
        pending = self._by_producer.get(NO_PRODUCER_ID, ())
        yield from ((topic, partition) for name, topic, partition in pending if name == group)

    def remove(self, group: str, topic: TopicName, partition: PartitionIndex) -> None:
        """Forget what is pending for a partition, whichever producer committed it."""
        key = group, topic, partition
        for producer in [producer for producer, pending in self._by_producer.items() if key in pending]:
            if producer != NO_PRODUCER_ID:
                self._emptied.add((producer, group))
            self._forget(producer, [key])

    def remove_groups(self, groups: set[str]) -> None:
        """Forget what is pending for some groups."""
        for producer in list(self._by_producer):
            self._forget(producer, [key for key in self._by_producer[producer] if key[0] in groups])
        self.close(groups)
        self.decided = {key: at for key, at in self.decided.items() if key[0] not in groups}

    def close(self, groups: Container[str]) -> None:
        """Some groups were deleted: no transaction is open in them any more."""
        self._emptied = {one for one in self._emptied if one[1] not in groups}

    def absorb(self, other: "PendingOffsets") -> None:
        """Take over the content of `other`."""
        for producer, pending in other._by_producer.items():
            self._by_producer.setdefault(producer, {}).update(pending)
        self._superseded |= other._superseded
        self._emptied |= other._emptied
        self.decided |= other.decided

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
        self._emptied.clear()
        self.decided.clear()
