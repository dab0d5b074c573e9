"""One unit read by fakekafka's own reader: for what the vectorised parsers leave, and to say what is wrong.

It gives the same shape, `Records`, so that the views are cut in one way.
"""

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np
from fakekafka.binary import read_uvarint, read_uvarlong
from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, CodecId
from fakekafka.records.compression import decompress_part, pieces
from fakekafka.records.malformed import UndecodablePayload
from fakekafka.records.record import Record, header_key_bytes
from fakekafka.records.scan import Unit, view
from fakekafka.records.v2 import HEADER_BYTES

from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.lockstep import MOST_HEADERS, SMALLEST_HEADER, SMALLEST_RECORD
from fakekafka_spark.parse.spans import Headers, Records, Spans
from fakekafka_spark.parse.units import Units

MOST_RECORDS = 1 << 21
"""How many records of a unit in which something is odd may be read: each takes about a hundred bytes here."""


def read(units: Units, number: int) -> tuple[Records, str | None]:
    """The records of a unit as far as they can be read, and what stopped that."""
    records: list[Record] = []
    unit = units.chunk.unit(number)
    stopped = _too_many(units, number, unit)
    if stopped is None:
        try:
            for record in view(unit, Unit(0, NO_OFFSET, len(unit), units.magic), units.chunk.dialect).records():
                records.append(record)  # one by one: those before a fault are kept
        except MalformedBytes as wrong:
            stopped = str(wrong)
    return records_of(records, number), stopped


def _too_many(units: Units, number: int, unit: bytes) -> str | None:
    """Why a unit cannot be read one record after the other: what it inflates to would not fit into memory."""
    try:
        if units.of_first_draft:
            records, headers = int(units.counts[number]), 0
        elif units.magic == 2:
            count, codec = int(units.counts[number]), int(units.codecs[number])
            size = _inflated_size(codec, unit[HEADER_BYTES:])
            records, headers = min(count, size // SMALLEST_RECORD), 0
            if records <= MOST_RECORDS and size > MOST_HEADERS * SMALLEST_HEADER:
                headers = _headers_claimed(decompress_part(codec, unit[HEADER_BYTES:]).data, count)
        else:
            records, headers = view(unit, Unit(0, NO_OFFSET, len(unit), units.magic)).count, 0
    except MalformedBytes:
        return None  # which the reader says as well
    if records > MOST_RECORDS:
        return f"{records} records, in which something is odd, are more than can be read one by one"
    return f"{headers} headers are more than can be read" if headers > MOST_HEADERS else None


def _inflated_size(codec: CodecId, data: bytes) -> int:
    """How many bytes come out, up to what cannot be read."""
    size = 0
    try:
        for piece in pieces(codec, data):
            size += len(piece)
    except UndecodablePayload:
        pass
    return size


def _headers_claimed(payload: bytes, count: int) -> int:
    """How many headers the records of a batch say they have, up to the first record that is impossible."""
    total = at = 0
    try:
        for _ in range(count):
            size, at = read_uvarint(payload, at)
            end = at + (size >> 1)
            _, at = read_uvarlong(payload, at + 1)
            _, at = read_uvarint(payload, at)
            for _ in ("key", "value"):
                size, at = read_uvarint(payload, at)
                at += 0 if size & 1 else size >> 1
            headers, _ = read_uvarint(payload, at)
            total += headers >> 1
            at = end
    except (IndexError, MalformedBytes):
        pass
    return total


def records_of(rows: Sequence[Record], number: int) -> Records:
    """Records as positions in a buffer that is made for them; `number`: the unit's."""
    headers = [header for row in rows for header in row.headers]
    keys, values = [row.key for row in rows], [row.value for row in rows]
    names, contents = [header_key_bytes(key) for key, _ in headers], [value for _, value in headers]
    spans, data = _spans(keys, values, names, contents)
    counts = _longs(len(row.headers) for row in rows)
    return Records(
        data,
        np.full(len(rows), number, np.int64),
        _longs(row.offset for row in rows),
        _longs(row.timestamp for row in rows),
        _longs(row.timestamp_type for row in rows),
        spans[0],
        spans[1],
        Headers(counts, spans[2], spans[3]) if headers else None,
    )


def _spans(*columns: Sequence[bytes | None]) -> tuple[list[Spans], bytes]:
    """The columns one after the other in one buffer."""
    every = list(chain(*columns))
    sizes = _longs(-1 if item is None else len(item) for item in every)
    ends = np.cumsum(np.maximum(sizes, 0))
    starts = ends - np.maximum(sizes, 0)
    edges = np.cumsum([len(column) for column in columns])[:-1]
    spans = [Spans(some, size) for some, size in zip(np.split(starts, edges), np.split(sizes, edges))]
    return spans, b"".join(item for item in every if item)


def _longs(numbers: Iterable[int]) -> Longs:
    return np.fromiter(numbers, np.int64)
