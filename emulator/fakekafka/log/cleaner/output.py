"""What is kept of one portion, written in one go (MemoryRecords.FilterResult)."""

from typing import assert_never

from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, Offset, TimestampMs
from fakekafka.log.append_info import AppendInfo, Origin
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.rebuilding import check_inside
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.record import Record
from fakekafka.records.scan import units_of_any_magic, view
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour


class Output:
    """Units, and what an append needs to know about them."""

    def __init__(self, rules: CleanerBehaviour, dialect: Dialect | None = None) -> None:
        self._rules = rules
        self._dialect = dialect
        self._pieces: list[Buffer] = []
        self._batches: list[Batch] = []
        self._first_offset: Offset = NO_OFFSET
        self._last_offset: Offset = NO_OFFSET
        self._max_timestamp: TimestampMs = NO_TIMESTAMP
        self._at: Offset = NO_OFFSET
        self.size = 0

    def add_whole(self, batch: Batch, records: list[Record]) -> None:
        """Add a batch that stays as it is."""
        self._add(batch)
        self._note(batch, records, batch.last_offset)

    def add_rebuilt(self, data: bytes, records: list[Record]) -> None:
        """Add the rest of a batch, rebuilt as one or several units."""
        for unit in units_of_any_magic(data):
            batch = view(data, unit, self._dialect)
            self._add(batch)
        self._note(batch, records, records[-1].offset)

    def add_empty(self, data: bytes, batch: Batch) -> None:
        """Add what stays of `batch` without its records."""
        empty = view(data, next(units_of_any_magic(data)), self._dialect)
        self._add(empty)
        self._begin_at(batch.base_offset)
        if self._rules.written_up_to == "last batch":
            self._last_offset = max(self._last_offset, batch.last_offset)
        if self._rules.empty_batches_timed:
            self._note_time(batch.max_timestamp, batch.last_offset)

    def append_info(self) -> AppendInfo:
        """What an append needs to know about the units. Raises `CleaningFailed` if the release finds no last offset, or
        reads the first unit and cannot.
        """
        if self._rules.converts_only_outside:
            check_inside(self._batches[0])
        if self._last_offset == NO_OFFSET:
            raise CleaningFailed("largest offset in message set can not be safely converted to relative offset.")
        return AppendInfo(
            self._first_offset, self._last_offset, self._max_timestamp, self._at, self._batches, Origin.REPLICATION
        )

    def data(self) -> bytes:
        """The units, one after the other."""
        return b"".join(self._pieces)

    def _add(self, batch: Batch) -> None:
        self._pieces.append(batch.data)
        self._batches.append(batch)
        self.size += batch.size

    def _begin_at(self, offset: Offset) -> None:
        if self._first_offset == NO_OFFSET:
            self._first_offset = offset

    def _note(self, batch: Batch, records: list[Record], last_offset: Offset) -> None:
        """`batch`: the unit as it was written."""
        self._begin_at(batch.base_offset if batch.magic == 2 else records[0].offset)
        if self._rules.written_up_to == "last record":
            last_offset = records[-1].offset
        self._last_offset = max(self._last_offset, last_offset)
        match self._rules.offset_of_max_timestamp:
            case "unit":
                self._note_time(batch.max_timestamp, batch.last_offset)
            case "message":
                self._note_times(records)
            case "end of last wrapper":
                self._note_times(records)
                if batch.codec:
                    self._at = records[-1].offset
            case rule:
                assert_never(rule)

    def _note_times(self, records: list[Record]) -> None:
        for record in records:
            self._note_time(record.timestamp, record.offset)

    def _note_time(self, timestamp: TimestampMs, offset: Offset) -> None:
        if timestamp > self._max_timestamp:
            self._max_timestamp, self._at = timestamp, offset
