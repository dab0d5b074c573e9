"""The view `records`: from a run of units to Arrow record batches with the columns that were asked for.

Only those columns are made; a query for offsets cuts no values. Units of which no record is wanted are not opened:
those outside of the offsets, those that are too old, control batches. (Batches of aborted transactions
never come here: `outcomes.decided`.)

Damage. Every row of a damaged unit says so in `_corrupt_record`: also records that could be read, since a wrong
checksum leaves no byte above suspicion. Where a unit cannot be read to its end, one more row says that, with nulls in
place of a record.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from fakekafka_spark.parse import format2, messages, slow
from fakekafka_spark.parse.chunks import Fault, Longs
from fakekafka_spark.parse.format2 import Group
from fakekafka_spark.parse.spans import Flags, Records
from fakekafka_spark.parse.units import Units, crcs_ok
from fakekafka_spark.rows import cut
from fakekafka_spark.views import CORRUPT, RECORDS, arrow_schema
from fakekafka_spark.wanted import SegmentFile, Wanted

WRONG_CHECKSUM = "the checksum is wrong"


class Rows(NamedTuple):
    """Records with what is said about them by others."""

    place: SegmentFile
    units: Units
    records: Records
    fault: str | None

    @property
    def number(self) -> int:
        return len(self.records.offsets)

    def of_unit(self, column: Longs | Flags) -> Any:
        """A column of the units, for each record."""
        return column[self.records.units]


def batches(place: SegmentFile, units: Units, wanted: Wanted) -> Iterator[Any]:
    """The records of a run of units. Raises `DamagedLog` in mode FAILFAST."""
    units = units.pick(_is_wanted(units, wanted))
    if not units.number:
        return
    if wanted.check_crcs:
        for number in np.flatnonzero(~crcs_ok(units)).tolist():
            units.faults.setdefault(number, WRONG_CHECKSUM)
    skip = np.zeros(units.number, bool)
    skip[list(units.faults)] = True
    schema = arrow_schema(RECORDS, wanted.columns)
    for group in (format2 if units.magic == 2 else messages).read(units, skip):
        for records, number in _in_order(group):
            yield from _batches(place, units, records, number, wanted, schema)
            del records
        del group  # before the next one is made


def of_fault(place: SegmentFile, fault: Fault, wanted: Wanted) -> Iterator[Any]:
    """The row for bytes that are not units."""
    if wanted.notes(place, fault.what):
        yield _row_of_nulls(place, {"position": fault.position, CORRUPT: fault.what}, wanted)


def _is_wanted(units: Units, wanted: Wanted) -> Flags:
    """Which units may hold wanted records. Of a wrapper only the last offset is known: it begins after that of the unit
    before.
    """
    bounds = wanted.bounds
    keep = units.last_offsets >= bounds.offset_from
    if units.magic != 2:
        keep[1:] &= units.last_offsets[:-1] + 1 < bounds.offset_end
    else:
        keep &= units.base_offsets < bounds.offset_end
        if not wanted.control:
            keep &= ~units.is_control
    if units.magic in (1, 2):
        keep &= (units.max_timestamps >= bounds.timestamp_from) | ((units.codecs != 0) & (units.magic == 1))
    return keep


def _in_order(group: Group) -> Iterator[tuple[Records | None, int]]:
    """The group's records, and between them the numbers of the units that are left to the slow reader."""
    if not group.left.any():
        yield group.records, -1
        return
    at = 0
    for number in (np.flatnonzero(group.left) + group.first).tolist():
        upto = int(np.searchsorted(group.records.units, number))
        yield _part(group.records, at, upto), -1
        yield None, number
        at = upto
    yield _part(group.records, at, len(group.records.units)), -1


def _part(records: Records, start: int, end: int) -> Records:
    which = np.zeros(len(records.units), bool)
    which[start:end] = True
    return records.pick(which)


def _batches(
    place: SegmentFile, units: Units, records: Records | None, number: int, wanted: Wanted, schema: Any
) -> Iterator[Any]:
    fault = stopped = None
    if records is None:
        records, stopped = slow.read(units, number)
        fault = "; ".join(filter(None, (units.faults.get(number), stopped))) or None
        if fault and not wanted.notes(place, f"the unit at {int(units.positions[number])}: {fault}"):
            return
    bounds = wanted.bounds
    read = len(records.offsets)
    records = records.pick((records.offsets >= bounds.offset_from) & (records.offsets < bounds.offset_end))
    if len(records.offsets):
        rows = Rows(place, units, records, fault)
        yield pa.RecordBatch.from_arrays([COLUMNS[name](rows) for name in wanted.columns], schema=schema)
    if fault and (stopped or not read):
        yield _row_of_nulls(place, _known(units, number) | {CORRUPT: fault}, wanted)


def _known(units: Units, number: int) -> dict[str, object]:
    """What the row for an unreadable unit can say."""
    known: dict[str, object] = {"position": int(units.positions[number]), "magic": units.magic}
    if units.magic == 2:
        return known | dict.fromkeys(("offset", "base_offset"), int(units.base_offsets[number]))
    return known | {"offset": int(units.last_offsets[number])}


def _row_of_nulls(place: SegmentFile, known: dict[str, object], wanted: Wanted) -> Any:
    schema = arrow_schema(RECORDS, wanted.columns)
    known = {"topic": place.topic, "partition": place.partition, "segment": place.segment, **known}
    return pa.RecordBatch.from_arrays([pa.array([known.get(f.name)], f.type) for f in schema], schema=schema)


# ---- columns


def _ints(column: Longs) -> Any:
    return pa.array(column.astype(np.int32))


def _sequence(rows: Rows) -> Any:
    base = rows.of_unit(rows.units.base_sequences)
    delta = rows.records.offsets - rows.of_unit(rows.units.base_offsets)
    return _ints(np.where(base >= 0, (base + delta) & 0x7FFFFFFF, base))


def _headers(rows: Rows) -> Any:
    kind = arrow_schema(RECORDS, ("headers",)).field(0).type
    return cut.headers(rows.records.data, rows.records.headers, rows.number, kind)


COLUMNS: dict[str, Callable[[Rows], Any]] = {
    "key": lambda rows: cut.binary(rows.records.data, rows.records.keys),
    "value": lambda rows: cut.binary(rows.records.data, rows.records.values),
    "topic": lambda rows: pa.repeat(pa.scalar(rows.place.topic), rows.number),
    "partition": lambda rows: pa.repeat(pa.scalar(rows.place.partition, pa.int32()), rows.number),
    "offset": lambda rows: pa.array(rows.records.offsets),
    "timestamp": lambda rows: cut.timestamps(rows.records.timestamps),
    "timestampType": lambda rows: _ints(rows.records.timestamp_types),
    "headers": _headers,
    "timestamp_ms": lambda rows: pa.array(rows.records.timestamps),
    "sequence": _sequence,
    "magic": lambda rows: pa.repeat(pa.scalar(rows.units.magic, pa.int32()), rows.number),
    "codec": lambda rows: cut.codec_names(rows.of_unit(rows.units.codecs)),
    "leader_epoch": lambda rows: _ints(rows.of_unit(rows.units.leader_epochs)),
    "producer_id": lambda rows: pa.array(rows.of_unit(rows.units.producer_ids)),
    "producer_epoch": lambda rows: _ints(rows.of_unit(rows.units.producer_epochs)),
    "base_sequence": lambda rows: _ints(rows.of_unit(rows.units.base_sequences)),
    "is_transactional": lambda rows: cut.booleans(rows.of_unit(rows.units.is_transactional)),
    "is_control": lambda rows: cut.booleans(rows.of_unit(rows.units.is_control)),
    "segment": lambda rows: pa.repeat(pa.scalar(rows.place.segment), rows.number),
    "position": lambda rows: pa.array(rows.of_unit(rows.units.positions)),
    "base_offset": lambda rows: pa.array(rows.of_unit(rows.units.base_offsets)),
    CORRUPT: lambda rows: pa.repeat(pa.scalar(rows.fault, pa.string()), rows.number),
}
