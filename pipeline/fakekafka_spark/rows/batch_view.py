"""The view `batches`: one row a unit of the log, from headers alone where they say enough.

A wrapper of format 0 or 1 says neither how many messages it holds nor where it begins: asking for `records` or
`base_offset` opens it, and so does asking for the type of a control batch. Damage is a row with `crc_ok` false and a
word in `_corrupt_record`; bytes that are not a unit are a row with a position only.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET
from fakekafka.records.control import control_type
from fakekafka.records.scan import Unit, view

from fakekafka_spark.parse.chunks import Fault, Longs
from fakekafka_spark.parse.spans import Flags
from fakekafka_spark.parse.units import UNKNOWN, Units, crcs_ok
from fakekafka_spark.rows import cut
from fakekafka_spark.views import BATCHES, CORRUPT, arrow_schema
from fakekafka_spark.wanted import SegmentFile, Wanted

WRONG_CHECKSUM = "the checksum is wrong"
NEED_OPENING = frozenset({"records", "base_offset"})


class Rows(NamedTuple):
    """Units, and what was found out about them."""

    place: SegmentFile
    units: Units
    crcs_ok: Flags
    control_types: list[str | None]


def batches(place: SegmentFile, units: Units, wanted: Wanted) -> Iterator[Any]:
    """A run of units. Raises `DamagedLog` in mode FAILFAST."""
    units = units.pick(_is_wanted(units, wanted))
    good = _checked(units, wanted)
    if NEED_OPENING & set(wanted.columns):
        units = _opened(units, good)
    types = _control_types(units, good) if "control_type" in wanted.columns else []
    keep = np.ones(units.number, bool)
    for number, what in sorted(units.faults.items()):
        keep[number] = wanted.notes(place, f"the unit at {int(units.positions[number])}: {what}")
    if keep.any():
        types = [kind for kind, kept in zip(types, keep.tolist()) if kept]
        rows = Rows(place, units.pick(keep), good[keep], types)
        schema = arrow_schema(BATCHES, wanted.columns)
        yield pa.RecordBatch.from_arrays([COLUMNS[name](rows) for name in wanted.columns], schema=schema)


def of_fault(place: SegmentFile, fault: Fault, wanted: Wanted) -> Iterator[Any]:
    """The row for bytes that are not units."""
    if wanted.notes(place, fault.what):
        known = {**place._asdict(), "position": fault.position, CORRUPT: fault.what}
        schema = arrow_schema(BATCHES, wanted.columns)
        yield pa.RecordBatch.from_arrays([pa.array([known.get(f.name)], f.type) for f in schema], schema=schema)


def _is_wanted(units: Units, wanted: Wanted) -> Flags:
    bounds = wanted.bounds
    keep = units.last_offsets >= bounds.offset_from
    if wanted.streamed:
        return keep & (units.last_offsets < bounds.offset_end)
    return keep & (units.base_offsets < bounds.offset_end) if units.magic == 2 else keep


def _checked(units: Units, wanted: Wanted) -> Flags:
    """Which units are sound; the others are noted."""
    good = np.ones(units.number, bool)
    good[list(units.faults)] = False
    if wanted.check_crcs:
        right = crcs_ok(units)
        for number in np.flatnonzero(~right & good).tolist():
            units.faults[number] = WRONG_CHECKSUM
        good &= right
    return good


def _opened(units: Units, good: Flags) -> Units:
    """The units with base offsets and counts of wrappers filled in, as far as the wrappers can be opened."""
    wrappers = (units.codecs != 0) & good
    if units.magic == 2 or not wrappers.any():
        return units
    firsts, counts = units.base_offsets.copy(), units.counts.copy()
    for number in np.flatnonzero(wrappers).tolist():
        try:
            unit = _view(units, number)
            firsts[number], counts[number] = unit.base_offset, unit.count
        except (MalformedBytes, StopIteration) as wrong:
            units.faults[number] = str(wrong) or "a wrapper of nothing"
    return units._replace(base_offsets=firsts, counts=counts)


def _control_types(units: Units, good: Flags) -> list[str | None]:
    """What each control batch marks, in lower case: "commit", "abort", ...; None for others."""
    types: list[str | None] = [None] * units.number
    for number in np.flatnonzero(units.is_control & good).tolist():
        try:
            first = next(_view(units, number).records(), None)
            types[number] = None if first is None else control_type(first.key).name.lower()
        except MalformedBytes as wrong:
            units.faults[number] = str(wrong)
    return types


def _view(units: Units, number: int) -> Any:
    data = units.chunk.unit(number)
    return view(data, Unit(0, NO_OFFSET, len(data), units.magic), units.chunk.dialect)


# ---- columns


def _ints(column: Longs) -> Any:
    return pa.array(column.astype(np.int32))


def _unless_unknown(column: Longs, kind: Any) -> Any:
    """A column of wrappers: null where it was not found out. No offset and no count is negative."""
    return pa.array(column, kind, mask=column == UNKNOWN)


def _delete_horizons(rows: Rows) -> Any:
    horizons = cut.timestamps(rows.units.base_timestamps)
    return pa.compute.if_else(pa.array(rows.units.has_delete_horizon), horizons, pa.scalar(None, horizons.type))


COLUMNS: dict[str, Callable[[Rows], Any]] = {
    "topic": lambda rows: pa.repeat(pa.scalar(rows.place.topic), rows.units.number),
    "partition": lambda rows: pa.repeat(pa.scalar(rows.place.partition, pa.int32()), rows.units.number),
    "segment": lambda rows: pa.repeat(pa.scalar(rows.place.segment), rows.units.number),
    "position": lambda rows: pa.array(rows.units.positions),
    "size": lambda rows: _ints(rows.units.chunk.sizes),
    "base_offset": lambda rows: _unless_unknown(rows.units.base_offsets, pa.int64()),
    "last_offset": lambda rows: pa.array(rows.units.last_offsets),
    "records": lambda rows: _unless_unknown(rows.units.counts, pa.int32()),
    "timestampType": lambda rows: _ints(rows.units.timestamp_types),
    "base_timestamp": lambda rows: cut.timestamps(rows.units.base_timestamps),
    "max_timestamp": lambda rows: cut.timestamps(rows.units.max_timestamps),
    "magic": lambda rows: pa.repeat(pa.scalar(rows.units.magic, pa.int32()), rows.units.number),
    "codec": lambda rows: cut.codec_names(rows.units.codecs),
    "leader_epoch": lambda rows: _ints(rows.units.leader_epochs),
    "producer_id": lambda rows: pa.array(rows.units.producer_ids),
    "producer_epoch": lambda rows: _ints(rows.units.producer_epochs),
    "base_sequence": lambda rows: _ints(rows.units.base_sequences),
    "is_transactional": lambda rows: cut.booleans(rows.units.is_transactional),
    "is_control": lambda rows: cut.booleans(rows.units.is_control),
    "control_type": lambda rows: pa.array(rows.control_types, pa.string()),
    "delete_horizon": _delete_horizons,
    "crc_ok": lambda rows: cut.booleans(rows.crcs_ok),
    CORRUPT: lambda rows: pa.array([rows.units.faults.get(n) for n in range(rows.units.number)], pa.string()),
    "base_timestamp_ms": lambda rows: pa.array(rows.units.base_timestamps),
    "max_timestamp_ms": lambda rows: pa.array(rows.units.max_timestamps),
    "attributes": lambda rows: _ints(rows.units.attributes),
}
