"""The records of a run of format 2 batches: decompressed where needed, then read in lockstep.

Batches come out in groups, so that what is in memory stays bounded: a group ends at GROUP_BYTES of payload or
GROUP_RECORDS. A batch that inflates to more than that comes out in several groups (`slices`), so that no more of it is
in memory than its payload. One that inflates to more bytes than `records.compression` allows is left to the slow
reader, which says so.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from fakekafka.records import attributes as bits
from fakekafka.records.compression import decompress_part
from fakekafka.records.malformed import UnknownCodec
from fakekafka.records.v2 import HEADER_BYTES

from fakekafka_spark.parse import lockstep
from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.lockstep import Fields, Payloads, slices
from fakekafka_spark.parse.spans import Flags, Records
from fakekafka_spark.parse.units import Units

GROUP_BYTES = 32 << 20
GROUP_RECORDS = 1 << 18
SLICE_RECORDS = 1 << 16
"""Of a batch that is larger than a group: how many records come out at once."""
FAR = 1 << 62
"""Base offsets and timestamps beyond it may leave 64 bits when a delta is added."""


class Group(NamedTuple):
    """The records of some neighbouring units, and which of these units are left to the slow reader."""

    first: int
    """Number of its first unit in the run; `left` begins with that one."""
    records: Records
    left: Flags


def read(units: Units, skip: Flags) -> Iterator[Group]:
    """The records of all batches but those to `skip`, which come out as left, as do all of KIP-98's first draft."""
    if units.of_first_draft:
        yield Group(0, _records(units, 0, b"", lockstep.read(NOTHING)[0]), np.ones(units.number, bool))
        return
    skip = skip | _far(units.base_offsets) | _far(units.base_timestamps)
    compressed = units.codecs != 0
    first = 0
    for end in _ends(units, skip):
        some = slice(first, end)
        if (compressed & ~skip)[some].any():
            for at, payloads, failed in _decompressed(units, skip, first, end):
                if len(failed) == 1 and (payloads.counts[0] > GROUP_RECORDS or len(payloads.data) > GROUP_BYTES):
                    yield from _large(units, at, payloads)
                else:
                    yield _group(units, at, payloads, failed)
                del payloads  # before the next one is decompressed
        else:
            yield _group(units, first, _plain(units, skip, some), skip[some])
        first = end


def _far(numbers: Longs) -> Flags:
    return (numbers > FAR) | (numbers < -FAR)


def _ends(units: Units, skip: Flags) -> list[int]:
    """Behind which units a group ends, by bytes in the log and by what headers claim to count."""
    weights = np.where(skip, 0, np.minimum(units.counts, units.chunk.sizes)) * (GROUP_BYTES // GROUP_RECORDS)
    whole = np.cumsum(np.maximum(weights, units.chunk.sizes)) // GROUP_BYTES
    return [*(np.flatnonzero(np.diff(whole)) + 1).tolist(), units.number]


def _plain(units: Units, skip: Flags, some: slice) -> Payloads:
    ends = (units.chunk.starts + units.chunk.sizes)[some]
    starts = np.where(skip[some], ends, units.chunk.starts[some] + HEADER_BYTES)
    return Payloads(units.chunk.data, starts, ends, np.where(skip[some], 0, units.counts[some]))


def _decompressed(units: Units, skip: Flags, first: int, end: int) -> Iterator[tuple[int, Payloads, Flags]]:
    """Payloads in one buffer, cut whenever that is full: number of the first unit, payloads, which ones failed."""
    pieces: list[bytes] = []
    failed: list[bool] = []
    full = 0

    def cut(behind: int) -> tuple[int, Payloads, Flags]:
        begin = behind - len(pieces)
        made = begin, _joined(pieces, units.counts[begin:behind], np.array(failed)), np.array(failed)
        pieces.clear()
        failed.clear()
        return made

    for number in range(first, end):
        large = units.counts[number] > GROUP_RECORDS and not skip[number]
        if large and pieces:
            yield cut(number)
            full = 0
        piece = None if skip[number] else _payload(units, number)
        pieces.append(piece or b"")
        failed.append(piece is None)
        full += len(pieces[-1])
        del piece
        if large or full > GROUP_BYTES or number == end - 1:
            yield cut(number + 1)
            full = 0


def _large(units: Units, number: int, payloads: Payloads) -> Iterator[Group]:
    """The records of one batch that has very many, in several groups; first it is made sure that nothing is odd."""
    most = _records_at_once(payloads)
    for part in slices(payloads, most):
        if part is None or lockstep.read(part)[1].any():
            yield Group(number, _records(units, number, b"", lockstep.read(NOTHING)[0]), np.ones(1, bool))
            return
    for part in slices(payloads, most):
        assert part is not None
        yield Group(number, _records(units, number, part.data, lockstep.read(part)[0]), np.zeros(1, bool))


def _records_at_once(payloads: Payloads) -> int:
    """How many records of a large batch have about the size of a group."""
    size = max(1, len(payloads.data) // max(1, int(payloads.counts[0])))
    return max(1, min(SLICE_RECORDS, GROUP_BYTES // size))


NOTHING = Payloads(b"", *np.zeros((3, 1), np.int64))


def _payload(units: Units, number: int) -> bytes | None:
    """A batch's records, decompressed; None if that cannot be done."""
    try:
        data, failure = decompress_part(int(units.codecs[number]), units.chunk.unit(number)[HEADER_BYTES:])
    except UnknownCodec:
        return None  # a plug-in's, or nobody's: the slow reader knows
    return None if failure else data


def _joined(pieces: list[bytes], counts: Longs, failed: Flags) -> Payloads:
    ends = np.cumsum([len(piece) for piece in pieces], dtype=np.int64)
    starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
    return Payloads(b"".join(pieces), starts, ends, np.where(failed, 0, counts))


def _group(units: Units, first: int, payloads: Payloads, failed: Flags) -> Group:
    fields, left = lockstep.read(payloads)
    return Group(first, _records(units, first, payloads.data, fields), left | failed)


def _records(units: Units, first: int, data: bytes, fields: Fields) -> Records:
    batches = fields.batches + first
    kinds = units.timestamp_types[batches]
    timestamps = units.base_timestamps[batches] + fields.timestamp_deltas
    appended = kinds == bits.LOG_APPEND_TIME_TYPE
    if appended.any():
        timestamps = np.where(appended, units.max_timestamps[batches], timestamps)
    offsets = units.base_offsets[batches] + fields.offset_deltas
    return Records(data, batches, offsets, timestamps, kinds, fields.keys, fields.values, fields.headers)
