"""The views `index` and `timeindex`: one row an entry, as the file says it, true or not."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from fakekafka_spark.files.indexes import TIME_ENTRY, offset_entries, offset_entry, time_entries
from fakekafka_spark.files.layout import Segment
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.rows import cut
from fakekafka_spark.views import CORRUPT, INDEX, arrow_schema
from fakekafka_spark.wanted import SegmentFile, Wanted


def batches(storage: Storage, segment: Segment, place: SegmentFile, wanted: Wanted) -> Iterator[Any]:
    """The entries of a segment's index. Raises `DamagedLog` in mode FAILFAST."""
    is_offsets = wanted.view is INDEX
    path = segment.offset_index if is_offsets else segment.time_index
    if path is None:
        return
    data = storage.read(path)
    over = len(data) % (offset_entry(segment) if is_offsets else TIME_ENTRY).itemsize
    columns = (_offsets if is_offsets else _times)(data, segment)
    number = len(columns["offset"])
    schema = arrow_schema(wanted.view, wanted.columns)
    if number:
        columns |= {
            "topic": pa.repeat(pa.scalar(place.topic), number),
            "partition": pa.repeat(pa.scalar(place.partition, pa.int32()), number),
            "segment": pa.repeat(pa.scalar(place.segment), number),
            "entry": pa.array(np.arange(number, dtype=np.int32)),
            CORRUPT: pa.nulls(number, pa.string()),
        }
        yield pa.RecordBatch.from_arrays([columns[name] for name in wanted.columns], schema=schema)
    what = f"{len(data)} bytes of index are not a whole number of entries"
    if over and wanted.notes(place, what):
        known = {**place._asdict(), CORRUPT: what}
        yield pa.RecordBatch.from_arrays([pa.array([known.get(f.name)], f.type) for f in schema], schema=schema)


def _offsets(data: bytes, segment: Segment) -> dict[str, Any]:
    entries = offset_entries(data, segment)
    columns = {"offset": pa.array(entries.offsets), "position": pa.array(entries.positions)}
    if entries.timestamps is not None:
        return columns | _timestamps(entries.timestamps)
    schema = arrow_schema(INDEX, ("timestamp", "timestamp_ms"))
    return columns | {field.name: pa.nulls(len(entries.offsets), field.type) for field in schema}


def _times(data: bytes, segment: Segment) -> dict[str, Any]:
    entries = time_entries(data, segment.base_offset)
    return {"offset": pa.array(entries.offsets), **_timestamps(entries.timestamps)}


def _timestamps(timestamps: Longs) -> dict[str, Any]:
    return {"timestamp": cut.timestamps(timestamps), "timestamp_ms": pa.array(timestamps)}
