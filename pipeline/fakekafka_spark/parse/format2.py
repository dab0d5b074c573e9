"""The records of a run of format 2 batches: decompressed where needed, then read in lockstep.

Batches come out in groups, so that what is in memory stays bounded: a group ends at GROUP_BYTES of payload or
GROUP_RECORDS. A batch that inflates to more than that comes out in several groups, of which only one is in memory at a
time: it is inflated part by part, and twice: first to make sure that nothing in it is odd. One that inflates to
more bytes than `records.compression` allows is left to the slow reader, which says so.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.records import attributes as bits
from fakekafka.records.compression import pieces
from fakekafka.records.inflating import Inflating
from fakekafka.records.v2 import HEADER_BYTES

from fakekafka_spark.parse import lockstep
from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.inflating import at_most
from fakekafka_spark.parse.lockstep import Fields, Payloads, Walked
from fakekafka_spark.parse.spans import Flags, Records
from fakekafka_spark.parse.units import Units

GROUP_BYTES = 32 << 20
GROUP_RECORDS = 1 << 18
SLICE_RECORDS = 1 << 16
"""How many records of a batch that is larger than a group come out at once."""
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
        yield _nothing(units, 0, units.number)
        return
    skip = skip | _far(units.base_offsets) | _far(units.base_timestamps)
    compressed = units.codecs != 0
    first = 0
    for end in _ends(units, skip):
        some = slice(first, end)
        if (compressed & ~skip)[some].any():
            yield from _inflated(units, skip, first, end)
        else:
            yield _group(units, first, _plain(units, skip, some), skip[some])
        first = end


def _far(numbers: Longs) -> Flags:
    return (numbers > FAR) | (numbers < -FAR)


def _ends(units: Units, skip: Flags) -> list[int]:
    """After which units a group ends, by bytes in the log and by what headers claim to count."""
    weights = np.where(skip, 0, np.minimum(units.counts, units.chunk.sizes)) * (GROUP_BYTES // GROUP_RECORDS)
    whole = np.cumsum(np.maximum(weights, units.chunk.sizes)) // GROUP_BYTES
    return [*(np.flatnonzero(np.diff(whole)) + 1).tolist(), units.number]


def _plain(units: Units, skip: Flags, some: slice) -> Payloads:
    ends = (units.chunk.starts + units.chunk.sizes)[some]
    starts = np.where(skip[some], ends, units.chunk.starts[some] + HEADER_BYTES)
    return Payloads(units.chunk.data, starts, ends, np.where(skip[some], 0, units.counts[some]))


class _Waiting:
    """Neighbouring batches that were inflated and wait to come out together."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.size = 0
        self._pieces: list[bytes] = []
        self._failed: list[bool] = []

    def add(self, piece: bytes | None) -> None:
        """The payload of the next one; None if it could not be read."""
        self._pieces.append(piece or b"")
        self._failed.append(piece is None)
        self.size += len(self._pieces[-1])

    def groups(self, units: Units) -> Iterator[Group]:
        """Their records, if there are any batches."""
        if self._pieces:
            ends = np.cumsum([len(piece) for piece in self._pieces], dtype=np.int64)
            starts = np.concatenate([[0], ends[:-1]]).astype(np.int64)
            failed = np.array(self._failed)
            counts = units.counts[self.first : self.first + len(failed)]
            data = b"".join(self._pieces)
            self._pieces.clear()
            yield _group(units, self.first, Payloads(data, starts, ends, np.where(failed, 0, counts)), failed)


def _inflated(units: Units, skip: Flags, first: int, end: int) -> Iterator[Group]:
    """The records of compressed batches, cut whenever a buffer is full; a batch that fills one comes out alone."""
    waiting = _Waiting(first)
    for number in range(first, end):
        try:
            piece = None if skip[number] else _payload(units, number)
        except _TooLarge:
            yield from waiting.groups(units)
            yield from _large(units, number)
            waiting = _Waiting(number + 1)
            continue
        waiting.add(piece)
        del piece
        if waiting.size > GROUP_BYTES:
            yield from waiting.groups(units)
            waiting = _Waiting(number + 1)
    yield from waiting.groups(units)


class _TooLarge(Exception):
    """A batch must not be in memory as a whole."""


def _payload(units: Units, number: int) -> bytes | None:
    """A batch's records, inflated; None if that cannot be done. Raises `_TooLarge`."""
    try:
        payload = None if units.counts[number] > GROUP_RECORDS else at_most(GROUP_BYTES, _pieces(units, number))
    except MalformedBytes:
        return None  # also of a codec that is a plug-in's, or nobody's: the slow reader knows
    if payload is None:
        raise _TooLarge
    return payload


def _pieces(units: Units, number: int) -> Iterator[bytes]:
    return pieces(int(units.codecs[number]), units.chunk.unit(number)[HEADER_BYTES:])


def _large(units: Units, number: int) -> Iterator[Group]:
    """The records of one batch that is large, in several groups; a first pass makes sure that nothing is odd."""
    try:
        odd = any(lockstep.read_walked(data, places)[1] for data, places in _parts(units, number))
    except MalformedBytes:
        odd = True
    if odd:
        yield _nothing(units, number, 1)
        return
    for data, places in _parts(units, number):
        fields, _ = lockstep.read_walked(data, places)
        yield Group(number, _records(units, number, data, fields), np.zeros(1, bool))


def _parts(units: Units, number: int) -> Iterator[tuple[bytes, Walked]]:
    """The records of a batch, some at a time: a part of its payload, and where whole records are in it.

    Raises `MalformedBytes` where lengths are impossible, or do not end with the payload.
    """
    payload, at, left = Inflating(_pieces(units, number)), 0, int(units.counts[number])
    while left > 0:
        places = lockstep.walked(payload.data, at, min(left, SLICE_RECORDS)).within(len(payload.data))
        if len(places.ends):
            yield payload.data, places
            at = int(places.ends[-1])
            left -= len(places.ends)
        elif payload.move(at, lockstep.size_at(payload.data, at)):
            at = 0
        else:
            raise MalformedBytes("a record that is cut, or whose length cannot be")
    if at < len(payload.data) or payload.move(at):
        raise MalformedBytes("bytes after the last record")


def _nothing(units: Units, first: int, number: int) -> Group:
    """A group of that number of batches, all of which are left."""
    return Group(first, _records(units, first, b"", lockstep.read(NOTHING)[0]), np.ones(number, bool))


NOTHING = Payloads(b"", *np.zeros((3, 1), np.int64))


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
