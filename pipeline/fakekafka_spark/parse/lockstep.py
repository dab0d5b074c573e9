"""The records of format 2, many batches at a time. The byte map is that of `fakekafka.records.hot`.

The only things in a batch that have to be read one after the other are the records' lengths: each says where the next
record begins. Batches do not depend on each other, so step k reads the length of record k in *all* batches with a
handful of vector operations. Once every record's place is known, its fields are read for all records at once.

This parser takes only what is as it should be: a batch in which anything is odd is named in `left`, and the caller has
it read by `fakekafka.records`, which says what is wrong with it, or finds that it was only unusual. So the two cannot
disagree about damage; that they agree about the rest is tested on random and on recorded batches.
"""

from typing import NamedTuple

import numpy as np
from fakekafka.binary import MAX_VARINT_BYTES, read_uvarint
from fakekafka.errors import MalformedBytes

from fakekafka_spark.parse import varints
from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.spans import Flags, Headers, Spans
from fakekafka_spark.parse.varints import Bytes

SMALLEST_RECORD = 7
"""Length, attributes, timestamp, offset, key, value and count of headers, a byte each."""
SMALLEST_HEADER = 2
"""The lengths of its key and its value."""
MOST_HEADERS = 1 << 22
"""The most headers in what is read at once, and in a batch that the slow reader may take: each takes a hundred bytes,
while the smallest ones have two in the log.
"""
FEW_BATCHES = 24
"""With fewer batches, going through one after the other is faster."""
WALKED_AT_ONCE = 1 << 10
"""This many records of a batch may turn out to be all of one length, which a vector operation finds out."""
NONE: Longs = np.empty(0, np.int64)


class Payloads(NamedTuple):
    """Where the records of each batch are in a buffer, decompressed."""

    data: bytes
    starts: Longs
    ends: Longs
    counts: Longs


class Fields(NamedTuple):
    """What the bytes say; deltas are still deltas."""

    batches: Longs
    timestamp_deltas: Longs
    offset_deltas: Longs
    keys: Spans
    values: Spans
    headers: Headers | None

    def pick(self, which: Flags) -> "Fields":
        headers = self.headers
        if headers is not None:
            kept = np.repeat(which, headers.counts)
            headers = Headers(headers.counts[which], headers.keys.pick(kept), headers.values.pick(kept))
        return Fields(self.batches[which], self.timestamp_deltas[which], self.offset_deltas[which],
                      self.keys.pick(which), self.values.pick(which), headers)  # fmt: skip


def read(payloads: Payloads) -> tuple[Fields, Flags]:
    """The records of all batches, in order, and which batches are left to the slow reader (none of their records is
    among those).
    """
    data = np.frombuffer(payloads.data, np.uint8)
    room = payloads.ends - payloads.starts
    left = (payloads.counts < 0) | (payloads.counts > room // SMALLEST_RECORD)
    left |= (payloads.counts == 0) & (room > 0)
    counts = np.where(left, 0, payloads.counts)
    places = _places(payloads, data, counts)
    whole = counts > 0
    ends = places.last_ends[whole]
    left[whole] |= ends != payloads.ends[whole]
    fields, odd = _fields(data, places)
    left[fields.batches[odd]] = True
    return (fields.pick(~left[fields.batches]) if left.any() else fields), left


class Walked(NamedTuple):
    """Where some neighbouring records are."""

    starts: Longs
    """After the record's length."""
    ends: Longs
    """The last one may be beyond the data."""

    def within(self, size: int) -> "Walked":
        """The records that end within this many bytes."""
        number = int(np.searchsorted(self.ends, size, "right"))
        return Walked(self.starts[:number], self.ends[:number])


def walked(data: bytes, at: int, most: int) -> Walked:
    """The places of the records from `at` on: `most`, or fewer where the data ends or a length is impossible."""
    places: list[Walked] = []
    while most > 0:
        count = min(most, WALKED_AT_ONCE)
        some = _alike(data, at, count) or _one_by_one(data, at, count)
        places.append(some)
        if len(some.ends) < count:
            break
        at = int(some.ends[-1])
        most -= count
    return Walked(*(np.concatenate(some) for some in zip(*places))) if places else Walked(NONE, NONE)


def _alike(data: bytes, at: int, count: int) -> Walked | None:
    """The places of records that are all as long as the first one; None if they are not."""
    size = size_at(data, at)
    if not size or at + count * size > len(data):
        return None
    raw, start = read_uvarint(data, at)
    lengths = np.frombuffer(data, np.uint8, count * size, at).reshape(count, size)[:, : start - at]
    if raw & 1 or (lengths != lengths[0]).any():
        return None
    starts = start + size * np.arange(count)
    return Walked(starts, starts + (raw >> 1))


def _one_by_one(data: bytes, at: int, count: int) -> Walked:
    begins: list[int] = []
    stops: list[int] = []
    try:
        for _ in range(count):
            raw = data[at]
            at += 1
            if raw > 127:
                raw += data[at] - 1 << 7
                at += 1
                if raw > 16383:
                    raw, at = read_uvarint(data, at - 2)
            if raw & 1:
                break
            begins.append(at)
            at += raw >> 1
            stops.append(at)
    except (IndexError, MalformedBytes):
        pass
    return Walked(np.array(begins, np.int64), np.array(stops, np.int64))


def size_at(data: bytes, at: int) -> int:
    """How many bytes the record has that begins at `at`; 0 if its length is not there or is impossible."""
    try:
        raw, start = read_uvarint(data, at)
    except (IndexError, MalformedBytes):
        return 0
    return start + (raw >> 1) - at


def read_walked(data: bytes, places: Walked) -> tuple[Fields, bool]:
    """The records at these places, which are those of one batch, and whether anything is odd in them."""
    number = len(places.starts)
    batches, odd = np.zeros(number, np.int64), np.zeros(number, bool)
    fields, strange = _fields(np.frombuffer(data, np.uint8), _Places(batches, *places, places.ends[-1:], odd))
    return fields, bool(len(strange))


class _Places(NamedTuple):
    batches: Longs
    starts: Longs
    """After the record's length."""
    ends: Longs
    last_ends: Longs
    """For each batch, where its last record ends, by what the lengths say."""
    odd: Flags
    """Which records' lengths are impossible; what is said about those and all after them in the batch means nothing."""


def _places(payloads: Payloads, data: Bytes, counts: Longs) -> _Places:
    """Where each record is, by the chain of their lengths."""
    total = int(counts.sum())
    starts, raws = np.empty(total, np.int64), np.zeros(total, np.int64)
    odd = np.zeros(total, bool)
    first = np.cumsum(counts) - counts
    order = np.argsort(-counts, kind="stable")  # the longest first: those that still run are a prefix
    at, place = payloads.starts[order], first[order]
    steps = np.sort(counts)
    step, running = 0, int(np.count_nonzero(counts))
    while running > FEW_BATCHES:
        places = place[:running]
        raw, behind, too_big = varints.read(data, at[:running])
        starts[places], raws[places] = behind, raw
        odd[places[too_big]] = True
        raw >>= 1
        np.add(behind, raw, out=at[:running])
        places += 1
        step += 1
        running = len(steps) - int(np.searchsorted(steps, step, "right"))
    ends = starts + (raws >> 1)
    odd |= (raws & 1).astype(bool)
    last_ends = np.empty_like(at)
    last_ends[order] = at
    for batch in order[:running].tolist():
        _chain(payloads.data, batch, step, int(counts[batch]), int(first[batch]), last_ends, starts, ends)
    return _Places(np.repeat(np.arange(len(counts)), counts), starts, ends, last_ends, odd)


def _chain(data: bytes, batch: int, step: int, count: int, first: int, at: Longs, starts: Longs, ends: Longs) -> None:
    """The places of one batch's records from number `step` on."""
    places = walked(data, int(at[batch]), count - step)
    behind = first + step + len(places.ends)
    starts[first + step : behind], ends[first + step : behind] = places
    starts[behind : first + count] = ends[behind : first + count] = len(data) + 1
    at[batch] = ends[first + count - 1]


def _fields(data: Bytes, places: _Places) -> tuple[Fields, Longs]:
    """The fields of all records, and the numbers of those in which something is odd."""
    odd = places.odd

    def number(at: Longs, most: int = MAX_VARINT_BYTES) -> tuple[Longs, Longs]:
        raw, behind, too_big = varints.read(data, at, most)
        odd[too_big] = True
        return raw, behind

    late, at = number(places.starts + 1, varints.FAST_VARLONG_BYTES)  # after the attributes
    delta, at = number(at)
    raw, at = number(at)
    keys = Spans(at, varints.sizes(raw))
    raw, at = number(at + np.maximum(keys.sizes, 0))
    values = Spans(at, varints.sizes(raw))
    raw, at = number(at + np.maximum(values.sizes, 0))
    headers = None
    if raw.any():
        headers, at = _headers(data, raw, at, places.ends, odd)
    odd |= at != places.ends
    fields = Fields(places.batches, varints.signed(late), varints.signed(delta), keys, values, headers)
    return fields, np.flatnonzero(odd)


def _headers(data: Bytes, raw: Longs, at: Longs, ends: Longs, odd: Flags) -> tuple[Headers, Longs]:
    """The headers of all records, whose raw counts and first positions are given, and where they end.

    Step k reads header k of all records that have one. What is odd is noted in `odd`.
    """
    counts = raw >> 1
    odd |= (raw & 1).astype(bool) | (counts > (ends - at) // SMALLEST_HEADER)
    counts[odd] = 0
    odd |= np.cumsum(counts) > MOST_HEADERS
    counts[odd] = 0
    first = np.cumsum(counts) - counts
    headers = Headers(counts, *(Spans(*np.empty((2, int(counts.sum())), np.int64)) for _ in "kv"))
    at = at.copy()
    running = np.flatnonzero(counts)
    step = 0
    while len(running):
        place, here = first[running] + step, at[running]
        for spans, nullable in ((headers.keys, False), (headers.values, True)):
            raw, here, too_big = varints.read(data, here)
            odd[running[too_big]] = True
            if not nullable:
                odd[running[(raw & 1) != 0]] = True
            size = varints.sizes(raw)
            spans.starts[place], spans.sizes[place] = here, size
            here = here + np.maximum(size, 0)
        at[running] = here
        step += 1
        running = running[counts[running] > step]
    return headers, at
