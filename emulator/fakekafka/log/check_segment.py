"""Check whether one segment is what it promises to be. Its log is read once, in pieces; 24 bytes a unit are kept."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, Position
from fakekafka.log import names
from fakekafka.log.check_indexes import INDEX_CHECKS, WIDE_CHECKS
from fakekafka.log.check_records import inside
from fakekafka.log.check_transactions import Transactions
from fakekafka.log.findings import Finding, Places, ReadableDirectory, ReadableFile
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.log.units import walk
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.scan import view
from fakekafka.records.v2 import RecordBatch

ZEROS_LOOKED_AT = 64
"""How many bytes after the last unit are read: if all are zeros, they are taken for a preallocated tail."""


class CheckedSegment(NamedTuple):
    """What the check of a partition needs to know about one of its segments."""

    base: Offset
    end: Offset
    """The offset after the last unit; the base offset if there is none."""
    has_holes: bool
    """Whether offsets are missing within it, as in logs that were compacted."""
    transactions: Transactions
    findings: list[Finding]


def check_segment(
    directory: ReadableDirectory,
    name: str,
    seen: Callable[[int], None],
    records: bool = True,
    dialect: Dialect | None = None,
    wide_entries: bool = False,
    *,
    is_newest: bool = True,
) -> CheckedSegment:
    """Look through the log file `name` and the indexes beside it.

    `seen` is called with the number of bytes that were read. `records`: whether to read batches whose checksum is
    right. `dialect`: see `scan.view`. `wide_entries`: whether the entries of the offset index have timestamps, as in a
    draft. `is_newest`: see `Places`.
    """
    base = names.offset_of(name)
    assert base is not None
    log = _Log(name, Places(base, is_newest=is_newest), records, dialect)
    findings = list(log.check(directory.open(name, directory.last_modified_ms(name)), seen))
    for kind, faults in (WIDE_CHECKS if wide_entries else INDEX_CHECKS).items():
        index = names.of_offset(base, kind)
        if directory.exists(index):
            findings += [
                Finding(index, at, Kind(kind[1:]), what) for at, what in faults(directory.read_all(index), log.places)
            ]
    return CheckedSegment(base, log.places.last_offset + 1, log.has_holes, log.transactions, findings)


class _Log:
    """The walk through one log file."""

    def __init__(self, name: str, places: Places, records: bool, dialect: Dialect | None) -> None:
        self._dialect = dialect
        self.name = name
        self._looks_inside = records
        self.places = places
        self.has_holes = False
        self.transactions = Transactions()

    def check(self, file: ReadableFile, seen: Callable[[int], None]) -> Iterator[Finding]:
        end: Position = 0
        try:
            for chunk, unit, position in walk(file, small_size_ends=False):
                yield from self._unit(view(chunk, unit, self._dialect), position)
                end = position + unit.size
                seen(unit.size)
        except MalformedBytes as wrong:
            zeros = not any(map(any, file.read(end, ZEROS_LOOKED_AT)))
            yield Finding(self.name, end, Kind.PREALLOCATED if zeros else Kind.BROKEN_UNIT, str(wrong))
        else:
            if end < file.size:
                yield Finding(self.name, end, Kind.TORN, f"{file.size - end} bytes that are not a whole unit")

    def _unit(self, batch: Batch, position: Position) -> Iterator[Finding]:
        before = self.places.last_offset
        if not batch.crc_ok():
            yield Finding(self.name, position, Kind.CHECKSUM, "the checksum is wrong")
            first = batch.last_offset
        elif not self._looks_inside:
            first = batch.base_offset if isinstance(batch, RecordBatch) else batch.last_offset
        else:
            first, wrong = inside(batch)
            if wrong is not None:
                yield Finding(self.name, position, Kind.RECORDS, wrong)
        if first <= before:
            what = f"offset {first} does not come after {before}"
            yield Finding(self.name, position, Kind.OFFSET_ORDER, what)
        self.has_holes |= first > before + 1 or _is_compacted(batch)
        self.transactions.add(batch)
        self.places.add(position, batch.last_offset, batch.max_timestamp)


def _is_compacted(batch: Batch) -> bool:
    """Whether records are missing in a batch that counts them."""
    return isinstance(batch, RecordBatch) and batch.count <= batch.last_offset_delta
