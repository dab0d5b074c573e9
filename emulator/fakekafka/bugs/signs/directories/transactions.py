"""Signs of the cleaner's mistakes with transactions: a marker, or an entry of the index, is gone before its data."""

from collections.abc import Iterator
from typing import Final

from fakekafka.bugs.signs.directories.partition import PartitionFiles, SegmentFile
from fakekafka.bugs.signs.units import records_of
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, ProducerId
from fakekafka.records.batch import Batch
from fakekafka.records.control import ControlType, control_type

MARKERS_KEYS: Final = (b"\0\0\0\0", b"\0\0\0\1")
"""Keys of records that consist of the same bytes as keys of markers."""
NONE_OPEN: Final = -1


class Transactions:
    """The transactions of one partition, as its segments show them."""

    def __init__(self) -> None:
        self._open: dict[ProducerId, Offset] = {}
        """The last offset of the data of each transaction that has no marker yet."""
        self._aborted: list[tuple[ProducerId, Offset]] = []
        """Aborted transactions with data: producer, offset of the marker."""
        self._has_markers_keys = False

    def add(self, segment: SegmentFile) -> None:
        """Take the next segment."""
        for unit in segment.units:
            if unit.is_control:
                self._end(unit)
            elif unit.is_transactional and unit.count:
                self._open[unit.producer_id] = unit.last_offset
            if not unit.is_control and not self._has_markers_keys:
                self._has_markers_keys = any(record.key in MARKERS_KEYS for record in records_of(unit))

    def _end(self, marker: Batch) -> None:
        had_data = self._open.pop(marker.producer_id, None) is not None
        if had_data and _aborts(marker):
            self._aborted.append((marker.producer_id, marker.last_offset))

    def findings(self, partition: PartitionFiles) -> Iterator[tuple[str, str]]:
        """Bugs with what was seen, after the last segment; no bugs if the cleaner has not cleaned the partition."""
        if not partition.is_compacted:
            return
        listed = partition.aborted() if self._aborted and partition.has_indexes else set(self._aborted)
        for producer, offset in self._aborted:
            if (producer, offset) not in listed:
                yield "KAFKA-13727", f"the abort of producer {producer} at offset {offset} is in no index"
        producers = partition.producers() if self._open else {}
        for producer, offset in self._open.items():
            entry = producers.get(producer)
            if entry is not None and entry.transaction_first_offset == NONE_OPEN and entry.last_offset >= offset:
                bug = "KAFKA-14055" if self._has_markers_keys else "KAFKA-8351"
                yield bug, f"the transaction of producer {producer} up to offset {offset} has ended, without a marker"


def _aborts(marker: Batch) -> bool:
    try:
        return any(control_type(record.key) == ControlType.ABORT for record in marker.records())
    except MalformedBytes:
        return False
