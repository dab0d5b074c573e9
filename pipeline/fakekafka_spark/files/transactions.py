"""What the small files of a log say about transactions: which were aborted, and which are open.

Open transactions are found from the newest producer snapshot on, by reading the headers of the batches after it
(ProducerStateManager). The first record of an open transaction and everything after it are withheld from readers of
committed data: their log ends at the last stable offset. Aborted transactions are listed in the `.txnindex` files; how
a reader finds them without having to trust those is in `outcomes`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, Offset, ProducerId
from fakekafka.log import names
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.log.txn_index import AbortedTxn, TxnIndex

from fakekafka_spark.files.layout import Partition, Segment
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.spans import Flags
from fakekafka_spark.parse.units import Units


class Aborted(NamedTuple):
    """Aborted transactions by producer: first and last offsets, ascending."""

    by_producer: dict[ProducerId, tuple[Longs, Longs]]

    def covers(self, units: Units) -> Flags:
        """Which batches belong to an aborted transaction."""
        covered = np.zeros(units.number, bool)
        if self.by_producer:
            for producer in np.unique(units.producer_ids[units.is_transactional]).tolist():
                if producer in self.by_producer:
                    first, last = self.by_producer[producer]
                    at = np.searchsorted(first, units.base_offsets, "right") - 1
                    inside = (at >= 0) & (units.base_offsets <= last[np.maximum(at, 0)])
                    covered |= inside & units.is_transactional & (units.producer_ids == producer)
        return covered


def aborted_of(entries: Iterable[AbortedTxn]) -> Aborted:
    """The entries of transaction indexes, in any order."""
    by_producer: dict[ProducerId, list[tuple[Offset, Offset]]] = {}
    for entry in entries:
        by_producer.setdefault(entry.producer_id, []).append((entry.first_offset, entry.last_offset))
    return Aborted({producer: tuple(np.array(sorted(spans), np.int64).T) for producer, spans in by_producer.items()})


def read_aborted(storage: Storage, partition: Partition) -> Aborted:
    """The aborted transactions that the transaction indexes of a partition list; unreadable ones list none."""
    return aborted_of(entry for segment in partition.segments for entry in _entries(storage, segment))


def _entries(storage: Storage, segment: Segment) -> Sequence[AbortedTxn]:
    if segment.txn_index is None:
        return ()
    index = TxnIndex()
    try:
        index.load(storage.read(segment.txn_index))
    except MalformedBytes:
        return ()
    return index.entries


class OpenTransactions:
    """The producers that have a transaction open, and where it began."""

    def __init__(self) -> None:
        self.first_offsets: dict[ProducerId, Offset] = {}

    def add(self, units: Units) -> None:
        """Take note of batches that come after those known so far."""
        transactional = np.flatnonzero(units.is_transactional)
        for number in transactional.tolist():
            producer = int(units.producer_ids[number])
            if units.is_control[number]:
                self.first_offsets.pop(producer, None)
            else:
                self.first_offsets.setdefault(producer, int(units.base_offsets[number]))

    def stable_end(self, end: Offset) -> Offset:
        """The last stable offset of a log that ends at `end`."""
        return min(self.first_offsets.values(), default=end)


def newest_snapshot(storage: Storage, partition: Partition, end: Offset) -> tuple[Offset, OpenTransactions]:
    """What the newest readable snapshot at `end` or before says, and up to which offset that is true."""
    transactions = OpenTransactions()
    offsets = (names.offset_of(name) for name in partition.files if names.is_segment_file(name, names.SNAPSHOT))
    for offset in sorted((o for o in offsets if o is not None and o <= end), reverse=True):
        try:
            entries = read_snapshot(storage.read(f"{partition.path}/{names.of_offset(offset, names.SNAPSHOT)}"))
        except MalformedBytes:
            continue
        for entry in entries:
            if entry.transaction_first_offset != NO_OFFSET:
                transactions.first_offsets[entry.producer_id] = entry.transaction_first_offset
        return offset, transactions
    return 0, transactions
