"""One segment: a log file with its indexes (LogSegment).

It decides which unit gets an index entry, what its largest timestamp is, and when it is time for another segment. It
does not know its neighbours, producers or leader epochs. An index entry describes a set of units by where it *starts*
in the file, and is made only when more than `index.interval.bytes` have come since the last entry, a count that starts
over each time the segment is opened.

A segment that is opened over existing files reads each of them when it is first needed. What may open, or even make, a
file is a method: `open_log`, `load_…`, `find_…`. Properties only look at what exists. (Longer than most files of this
package: the class is one idea, and what depends only on the bytes of its files is in `units` and the index modules.)
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, assert_never

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import NO_TIMESTAMP, Buffer, DurationMs, LeaderEpoch, Offset, Position, TimestampMs
from fakekafka.log import names
from fakekafka.log.append_info import AppendInfo
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory, File
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET, OffsetIndex
from fakekafka.log.stored_index import StoredIndex
from fakekafka.log.time_index import TimeIndex
from fakekafka.log.txn_index import AbortedTxn, TxnIndex
from fakekafka.log.units import Units, last_offset, walk
from fakekafka.pieces import Piece
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.message import misread
from fakekafka.records.scan import view
from fakekafka.releases.behaviours.log import LogBehaviour


class Slice(NamedTuple):
    """Bytes for a fetch. They begin with the unit that holds the fetch offset and may end within a unit."""

    segment: "Segment"
    position: Position
    buffers: Sequence[Piece]
    size: int
    first_unit_size: int
    first_entry_incomplete: bool
    """Whether the slice is shorter than its first unit. Fetch v3+ answers nothing then."""


class FoundOffset(NamedTuple):
    """The answer to a search by time."""

    timestamp: TimestampMs
    offset: Offset
    leader_epoch: LeaderEpoch
    """-1 if the unit has none."""


class Segment:
    """The units from `base_offset` on, up to the next segment's base."""

    __slots__ = (
        "_bytes_since_entry",
        "_config",
        "_directory",
        "_first_append_ms",
        "_first_timestamp",
        "_log",
        "_max_timestamp",
        "_offsets",
        "_rules",
        "_times",
        "_txn_index",
        "_units",
        "base_offset",
        "created_ms",
        "roll_jitter_ms",
        "suffix",
    )

    def __init__(
        self,
        directory: Directory,
        base_offset: Offset,
        rules: LogBehaviour,
        config: LogConfig,
        now: TimestampMs,
        roll_jitter_ms: DurationMs = 0,
        suffix: str = "",
    ) -> None:
        self._directory = directory
        self._rules = rules
        self._config = config  # as when the segment was opened: its index size and interval stay, and some limits
        self.base_offset = base_offset
        self.roll_jitter_ms = roll_jitter_ms
        self.suffix = suffix
        """".cleaned" or ".swap" before the segment is part of its log, ".deleted" afterwards."""
        self.created_ms = now
        """When this object was created: changes with each start, and with truncation to nothing."""
        self._bytes_since_entry = 0
        self._first_append_ms: TimestampMs | None = None
        self._first_timestamp: TimestampMs | None = None  # unknown until the first unit is read
        self._max_timestamp: tuple[TimestampMs, Offset] | None = None  # unknown until the time index is read
        self._log: File | None = None
        self._units: Units | None = None
        self._offsets: StoredIndex[OffsetIndex] | None = None
        self._times: StoredIndex[TimeIndex] | None = None
        self._txn_index: TxnIndex | None = None

    def make_files(self, indexes: bool) -> None:
        """Create the files of a new segment, now or when they are first looked at: the log, and `indexes` if they are
        already due.
        """
        self._directory.later(self._make_log_and_indexes if indexes else self._make_log)

    def _make_log_and_indexes(self) -> None:
        self._make_log()
        self.resize_indexes()

    def _make_log(self) -> None:
        if self._config.preallocate:
            self.open_log().reserve(self._config.segment_bytes)
        else:
            self.open_log()

    # ---------------------------------------------------------------- parts

    def name(self, kind: str) -> str:
        """The present name of the file of that kind, one of `names.SEGMENT_SUFFIXES`."""
        return names.of_offset(self.base_offset, kind) + self.suffix

    def open_log(self) -> File:
        """The log file, created if it is missing."""
        return self._opened_log() if self._log is None else self._log

    def _opened_log(self) -> File:
        """The log file, opened. This creates what `make_files` has postponed, maybe the indexes, too."""
        log = self._directory.open(self.name(names.LOG), self.created_ms)
        if self._log is None:
            self._log = log
        return self._log

    def load_units(self) -> Units:
        """Where the units are, read from the log.

        Raises `CorruptUnit` for a unit of impossible size, in releases that check.
        """
        if self._units is None:
            self._units = Units.of_file(
                self.open_log(), self._rules.small_size_ends_log, self._rules.reads_batches, self.dialect
            )
        return self._units

    def load_offset_index(self) -> OffsetIndex:
        """The offset index, read from its file. A missing file is created."""
        return self._stored_offsets().index if self._offsets is None else self._offsets.index

    def load_time_index(self) -> TimeIndex:
        """The time index, read from its file. A missing file is created. Not for releases without time indexes."""
        return self._stored_times().index if self._times is None else self._times.index

    def _stored_offsets(self) -> StoredIndex[OffsetIndex]:
        if self._offsets is None:
            self.open_log()  # it may create the indexes, too
        if self._offsets is None:
            self._offsets = StoredIndex(self._directory, self.name(names.OFFSET_INDEX), self._new_offset_index())
        return self._offsets

    def _new_offset_index(self) -> OffsetIndex:
        if self._rules.index_overflow == "wraps":
            from fakekafka.log.wrapping_index import WrappingIndex  # only old releases need it

            return WrappingIndex(self.base_offset, self._config.segment_index_bytes)
        return OffsetIndex(self.base_offset, self._config.segment_index_bytes)

    def _stored_times(self) -> StoredIndex[TimeIndex]:
        if self._times is None:
            self.open_log()
        if self._times is None:
            wraps = self._rules.index_overflow == "wraps"
            index = TimeIndex(self.base_offset, self._config.segment_index_bytes, wraps)
            self._times = StoredIndex(self._directory, self.name(names.TIME_INDEX), index)
        return self._times

    def load_txn_index(self) -> TxnIndex:
        """The transaction index, empty without a file. Raises `MalformedBytes` for a file that is not an index."""
        if self._txn_index is None:
            self._txn_index = TxnIndex()
            if self._directory.exists(self.name(names.TXN_INDEX)):
                self._txn_index.load(self._directory.read_all(self.name(names.TXN_INDEX)))
        return self._txn_index

    @property
    def size(self) -> int:
        """Bytes of the log file that are in use; 0 without a file."""
        return self._size_of_file() if self._log is None else self._log.size

    def _size_of_file(self) -> int:
        """The size of a log file that has not been opened. The look at it may create what was postponed."""
        name = self.name(names.LOG)
        if not self._directory.exists(name):
            return 0
        return self._directory.size_of(name) if self._log is None else self._log.size

    @property
    def last_modified_ms(self) -> TimestampMs:
        """The time of the log file, or this object's own without a file."""
        if self._log is not None:
            return self._log.last_modified_ms
        name = self.name(names.LOG)
        return self._directory.last_modified_ms(name) if self._directory.exists(name) else self.created_ms

    def find_max_timestamp(self) -> tuple[TimestampMs, Offset]:
        """The largest timestamp seen and the offset noted for it; after a start, the last index entry. -1 if there is
        none.
        """
        if self._max_timestamp is None:
            nothing = NO_TIMESTAMP, self.base_offset
            self._max_timestamp = self.load_time_index().last_entry if self._rules.time_index else nothing
        return self._max_timestamp

    def find_largest_timestamp_ms(self) -> TimestampMs:
        """The largest timestamp, or the time of the file if there is none."""
        largest, _ = self.find_max_timestamp()
        return largest if largest >= 0 else self.last_modified_ms

    def find_last_timestamp_ms(self) -> TimestampMs:
        """The timestamp of the last unit, or the time of the file if it has none."""
        units = self.load_units()
        last = next(self.batches(units.positions[-1]), None) if len(units) else None
        return self.last_modified_ms if last is None or last.max_timestamp < 0 else last.max_timestamp

    def find_next_offset(self) -> Offset:
        """The offset after the last unit, found as real brokers find it (LogSegment.readNextOffset).

        They begin at the unit of the last index entry. If that unit is cut, they see no unit at all and answer the base
        offset. Raises `CorruptUnit` if it has an impossible size, in releases that check only that one.
        """
        index, units = self.load_offset_index(), self.load_units()
        if not units.begins_at(index.last_position):
            return self._next_offset_within(index.last_position, index.last_offset)
        at = units.find(index.last_offset, index.last_position)
        if at < len(units):
            return units.last_offsets[-1] + 1
        if self._rules.checks_first_size:
            next(walk(self.open_log(), small_size_ends=False, start=index.last_position), None)
        return self.base_offset

    def _next_offset_within(self, position: Position, wanted: Offset) -> Offset:
        """The offset after the last unit if the last index entry points into a unit: its bytes are taken for units.
        Recorded from 4.0.0: random_damage.
        """
        walked = walk(self.open_log(), small_size_ends=not self._rules.checks_first_size, start=position)
        offsets = [last_offset(chunk, unit, self.dialect) for chunk, unit, _ in walked]
        return offsets[-1] + 1 if any(offset >= wanted for offset in offsets) else self.base_offset

    @property
    def dialect(self) -> Dialect | None:
        """How a draft reads its units of format 2; None: as they were shipped."""
        return self._config.dialect

    @property
    def index_interval_bytes(self) -> int:
        """The interval that was configured when the segment was opened."""
        return self._config.index_interval_bytes

    # ---------------------------------------------------------------- appending

    def append(self, data: Buffer, info: AppendInfo, log_end: Offset, now: TimestampMs) -> Position:
        """Write a set of units, and return the position at which it begins. The caller has rolled if that was due."""
        units = self.load_units()
        if self._offsets is None:
            self.load_offset_index()  # it exists from the first append on: brokers ask it whether an offset fits
        position = self.open_log().append(data, now)
        if position == 0:
            self._first_timestamp = info.max_timestamp
        if self._first_append_ms is None:
            self._first_append_ms = now
        for batch in info.batches:
            units.add(batch.size, batch.last_offset)
        if self._rules.index_entry_per == "append":
            self._note_time(info.max_timestamp, info.offset_of_max_timestamp)
            self._count(position, len(data), self._index_key(info, log_end))
        elif len(info.batches) == 1:  # like `_note_batches`, which would be one more function for each request
            self._note_time(info.max_timestamp, info.offset_of_max_timestamp)
            self._count(position, len(data), info.batches[0].last_offset)
        else:
            self._note_batches(info, position)
        return position

    def _note_batches(self, info: AppendInfo, position: Position) -> None:
        for batch in info.batches:
            self._note_time(batch.max_timestamp, batch.last_offset)
            self._count(position, batch.size, batch.last_offset)
            position += batch.size

    def _index_key(self, info: AppendInfo, log_end: Offset) -> Offset:
        match self._rules.index_key:
            case "last offset":
                return info.last_offset
            case "first offset":
                return info.first_offset
            case "log end":
                return log_end
            case key:
                assert_never(key)

    def _note_time(self, timestamp: TimestampMs, offset: Offset) -> None:
        if timestamp > self.find_max_timestamp()[0]:
            self._max_timestamp = timestamp, offset

    def _count(self, position: Position, size: int, key: Offset) -> None:
        """Add an index entry for what starts at `position`, if one is due."""
        if self._bytes_since_entry > self._config.index_interval_bytes:
            self._add_entry(key, position)
            self._bytes_since_entry = 0
        self._bytes_since_entry += size

    def _add_entry(self, key: Offset, position: Position) -> None:
        self.load_offset_index().append(key, position)
        if self._rules.time_index:
            self.load_time_index().maybe_append(*self.find_max_timestamp())

    def add_aborted(self, entry: AbortedTxn) -> None:
        """Note an aborted transaction whose marker is here. The file exists from the first one on."""
        index = self.load_txn_index()
        index.append(entry)
        self._directory.map(self.name(names.TXN_INDEX), index.content)

    def should_roll(self, new_bytes: int, info: AppendInfo, config: LogConfig, now: TimestampMs) -> bool:
        """Whether a set of that size must go into another segment. `config`: the log's, as it is now."""
        rules = self._rules
        size = self.size if self._log is None else self._log.size
        if rules.roll_limits_stay:
            config = self._config
        return (
            size > config.segment_bytes - (new_bytes if rules.roll_counts_new_bytes else 0)
            or (size > 0 and self._waited_ms(info, now) > config.segment_ms - self.roll_jitter_ms)
            or (self.load_offset_index() if self._offsets is None else self._offsets.index).is_full
            or (rules.time_index and (self.load_time_index() if self._times is None else self._times.index).is_full)
            or (rules.roll_at_offset_overflow and not 0 <= info.last_offset - self.base_offset <= MAX_RELATIVE_OFFSET)
        )

    def reaches(self, offset: Offset) -> bool:
        """Whether the indexes can express an offset, in four bytes relative to the base."""
        return 0 <= offset - self.base_offset <= MAX_RELATIVE_OFFSET

    def _waited_ms(self, info: AppendInfo, now: TimestampMs) -> DurationMs:
        match self._rules.roll_time:
            case "first timestamp":
                first = self.find_first_timestamp()
                return info.max_timestamp - first if first >= 0 else now - self.created_ms
            case "first append":
                return now - (self.created_ms if self._first_append_ms is None else self._first_append_ms)
            case "creation":
                return now - self.created_ms
            case rule:
                assert_never(rule)

    def find_first_timestamp(self) -> TimestampMs:
        """The largest timestamp of the first unit, or of the first set if that came in this process; -1 if there is
        none.
        """
        if self._first_timestamp is None:
            first = next(self.batches(), None)
            if first is None:
                return NO_TIMESTAMP
            self._first_timestamp = first.max_timestamp
        return self._first_timestamp

    # ---------------------------------------------------------------- reading

    def find(self, offset: Offset) -> int:
        """The number of the first unit that ends at `offset` or later; the number of units if there is none."""
        return self.load_units().find(offset, self.load_offset_index().lookup(offset)[1])

    def position_of(self, offset: Offset) -> Position:
        """Where the first unit that ends at `offset` or later begins; the end of the file if there is no such unit."""
        at, units = self.find(offset), self.load_units()
        return units.positions[at] if at < len(units) else self.size

    def read(self, offset: Offset, max_bytes: int, end: Position, min_one: bool) -> Slice | None:
        """The slice from the unit with `offset` up to `end`; None if all units here end before `offset`."""
        units = self.load_units()
        at = self.find(offset)
        if at == len(units):
            return None
        position = units.positions[at]
        first_unit_size = units.end_of(at) - position
        limit = max(max_bytes, first_unit_size) if min_one else max_bytes
        size = max(0, min(end - position, limit))
        buffers = self.open_log().pieces(position, size) if size else []
        return Slice(self, position, buffers, size, first_unit_size, 0 < limit < first_unit_size)

    def batches(self, position: Position = 0) -> Iterator[Batch]:
        """The whole batches from `position` on."""
        for chunk, unit, _ in walk(self.open_log(), self._rules.small_size_ends_log, position):
            yield view(chunk, unit, self._config.dialect)

    def first_at_or_after(self, timestamp: TimestampMs, start: Offset) -> FoundOffset | None:
        """The first record from `start` on that is not older than `timestamp`, searched from where the indexes say.

        Raises `MalformedBytes` for a unit whose content contradicts its header.
        """
        _, entry_offset = self.load_time_index().lookup(timestamp)
        _, position = self.load_offset_index().lookup(max(entry_offset, start))
        for batch in self.batches(position):
            if batch.magic > self._rules.newest_format:
                batch = misread(batch)
            if batch.max_timestamp >= timestamp:
                for record in batch.records():
                    if record.timestamp >= timestamp and record.offset >= start:
                        return FoundOffset(record.timestamp, record.offset, batch.leader_epoch)
                if self._rules.search_in_young_unit == "must find":
                    raise InvalidRecord(f"a unit of time {batch.max_timestamp} has no record from {timestamp} on")
        return None

    def record_of_max_timestamp(self) -> FoundOffset | None:
        """The first record that has the largest timestamp."""
        largest, noted = self.find_max_timestamp()
        _, position = self.load_offset_index().lookup(noted)
        batch = next((b for b in self.batches(position) if b.max_timestamp == largest), None)
        if batch is None or batch.magic == 0:
            return None
        offsets = (r.offset for r in batch.records() if r.timestamp == largest)
        offset = next(offsets, None)
        return None if offset is None else FoundOffset(largest, offset, batch.leader_epoch)

    # ---------------------------------------------------------------- truncating

    def truncate_to(self, offset: Offset, now: TimestampMs) -> int:
        """Drop all units that hold `offset` or later ones, and return the number of bytes removed."""
        at, units, before = self.find(offset), self.load_units(), self.size
        if at == len(units) and self._rules.truncation_without_unit == "nothing":
            return 0
        self._cut_indexes(offset)
        if at < len(units):
            self.open_log().truncate(units.positions[at], now)
            units.truncate(at)
        if self.size == 0:
            self.created_ms = now
            self._first_append_ms = self._first_timestamp = None
        self._bytes_since_entry = 0
        if self.find_max_timestamp()[0] >= 0:
            self._reload_max_timestamp()
        return before - self.size

    def _cut_indexes(self, offset: Offset) -> None:
        for stored_index in self._stored_indexes():
            stored_index.truncate_to(offset)
        aborted = self.load_txn_index()
        if aborted.entries:
            aborted.truncate_to(offset)
            self._directory.map(self.name(names.TXN_INDEX), aborted.content)
        self.resize_indexes()

    def _reload_max_timestamp(self) -> None:
        """Take the last entry's timestamp, or a larger one of a unit after it."""
        largest = self.load_time_index().last_entry
        for batch in self.batches(self.load_offset_index().lookup(largest[1])[1]):
            if batch.max_timestamp > largest[0]:
                largest = batch.max_timestamp, batch.last_offset
        self._max_timestamp = largest

    def clear_indexes(self) -> None:
        """Before a recovery: indexes without entries, of full size, and no largest timestamp."""
        for stored_index in self._stored_indexes():
            stored_index.clear()
        if self._directory.exists(self.name(names.TXN_INDEX)):
            aborted = self.load_txn_index()
            aborted.clear()
            self._directory.map(self.name(names.TXN_INDEX), aborted.content)
        self._max_timestamp = NO_TIMESTAMP, self.base_offset

    def note_recovered(self, batch: Batch, position: Position, key: Offset, entry_is_due: bool) -> None:
        """Count a unit that a recovery found good."""
        self._note_time(batch.max_timestamp, batch.last_offset)
        if entry_is_due:
            self._add_entry(key, position)

    def cut_log(self, position: Position, now: TimestampMs) -> int:
        """After a recovery: drop what follows the last good unit, trim the indexes, and return the number of bytes
        removed.
        """
        cut = self.size - position
        self.open_log().truncate(position, now)
        self._units = None
        self._add_last_time_entry()
        for stored_index in self._loaded_indexes():
            stored_index.trim()
        return cut

    # ---------------------------------------------------------------- files

    def load_indexes(self) -> None:
        """Read the indexes now. A file that is missing is created, with its full size."""
        self._stored_indexes()

    def _stored_indexes(self) -> list[StoredIndex[OffsetIndex] | StoredIndex[TimeIndex]]:
        return [self._stored_offsets(), self._stored_times()] if self._rules.time_index else [self._stored_offsets()]

    def _loaded_indexes(self) -> list[StoredIndex[OffsetIndex] | StoredIndex[TimeIndex]]:
        return [stored_index for stored_index in (self._offsets, self._times) if stored_index is not None]

    def resize_indexes(self) -> None:
        """Give the index files their full size: the segment is the active one."""
        for stored_index in self._stored_indexes():
            stored_index.resize()

    def trim_time_index(self) -> None:
        self._stored_times().trim()

    def write_indexes(self) -> None:
        """Bring the files up to date with what is in memory."""
        for stored_index in self._loaded_indexes():
            stored_index.flush()

    def flush(self) -> None:
        """Make what is in the files so far safe (LogSegment.flush). Untouched files already are."""
        if self._log is not None:
            self._log.sync()
        self.write_indexes()

    def become_inactive(self, now: TimestampMs) -> None:
        """Another segment takes over: add the last time index entry and trim the files."""
        self._add_last_time_entry()
        self._trim(now)

    def finish(self, now: TimestampMs, last_modified_ms: TimestampMs, keeps_tail: bool) -> None:
        """Finish what the cleaner has written: trimmed files, with the time of those that they replace.

        `keeps_tail`: the zeros of a preallocated log stay.
        """
        self._add_last_time_entry()
        for stored_index in self._stored_indexes():
            stored_index.trim()
        if not keeps_tail:
            self.open_log().truncate(self.size, now)
        self.flush()
        for kind in names.SEGMENT_SUFFIXES[:-1]:
            if self._directory.exists(self.name(kind)):
                self._directory.set_last_modified(self.name(kind), last_modified_ms)

    def close(self, now: TimestampMs) -> None:
        """A clean stop: trim the files and let go of them.

        Files that were never needed are read, or created, only in releases that do so.
        """
        match self._rules.index_files:
            case "first use or close":
                self.load_indexes()
            case "with segment" | "first use" | "first use or stop of active":
                pass
            case rule:
                assert_never(rule)
        if self._max_timestamp is not None:
            self._add_last_time_entry()
        self._trim(now)
        self.abandon()

    def abandon(self) -> None:
        """Let go of the files as they are: what a killed process leaves."""
        for stored_index in self._loaded_indexes():
            stored_index.close()
        self.open_log().close()

    def _trim(self, now: TimestampMs) -> None:
        self.open_log().truncate(self.size, now)  # first: in memory, this creates files that were never accessed
        for stored_index in self._loaded_indexes():
            stored_index.trim()

    def _add_last_time_entry(self) -> None:
        if self._rules.time_index:
            self.load_time_index().maybe_append(*self.find_max_timestamp(), last_slot=True)

    def delete_and_trim(self) -> None:
        """Delete the files and then trim the indexes: zeros are left in place of their entries."""
        for name in self.file_names():
            self._directory.delete(name)
        self._add_last_time_entry()
        for stored_index in self._stored_indexes():
            self._directory.replace(stored_index.name, bytes(stored_index.index.entry_size * len(stored_index.index)))

    def rename(self, suffix: str) -> None:
        """Give all files that exist another last suffix, the log first."""
        for kind in names.SEGMENT_SUFFIXES:
            if self._directory.exists(self.name(kind)):
                self._directory.rename(self.name(kind), names.of_offset(self.base_offset, kind) + suffix)
        self.suffix = suffix
        if self._offsets is not None:
            self._offsets.name = self.name(names.OFFSET_INDEX)
        if self._times is not None:
            self._times.name = self.name(names.TIME_INDEX)

    def file_names(self) -> list[str]:
        """The names its files have, or would have."""
        return [self.name(kind) for kind in names.SEGMENT_SUFFIXES]


class SegmentOverflows(FakeKafkaError):
    """An offset in a segment is too far from the base (LogSegmentOffsetOverflowException)."""

    def __init__(self, segment: Segment) -> None:
        super().__init__(f"segment {segment.base_offset} reaches further than its index")
        self.segment = segment
