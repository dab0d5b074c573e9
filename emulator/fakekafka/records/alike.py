"""Runs of records that are laid out alike: checked column by column instead of record by record.

A program that sends many records often sends them in one size. Then the same field of all of them occurs at steps of
that size, and `data[at::size]` is a column of it; comparing columns costs a tenth of walking the records. Nothing is
guessed: a run ends before the first record with another layout, and the caller (`hot.check_records`) walks on there.

Only records of format 2 without headers are considered, whose offset deltas count one by one up to 16383 and whose
timestamp deltas are not negative:

    field     length   attributes   timestamp     offset     key size   key   value size   value   header count
    columns   equal    not looked   as many       counting   equal      not   equal        not     0
                       at           bytes each
"""

from functools import cache
from struct import unpack
from typing import Final, NamedTuple

from fakekafka.binary import read_uvarint
from fakekafka.ids import Position

FEWEST: Final = 16
"""A shorter run is not worth the slices."""
MOST_TIME_BYTES: Final = 4
"""Enough for a day after the base timestamp."""
MOST_OFFSET_BYTES: Final = 3

# The values that a byte of a varint may have. Zigzag makes non-negative numbers even, and the first byte shows it.
MIDDLE: Final = bytes(range(0x80, 0x100))
LAST: Final = bytes(range(0x80))
EVEN_AND_MORE: Final = bytes(range(0x80, 0x100, 2))
EVEN_AND_LAST: Final = bytes(range(0, 0x80, 2))


class Run(NamedTuple):
    """What a check says about records that are alike."""

    length: int
    min_timestamp_delta: int
    max_timestamp_delta: int
    max_timestamp_index: int
    """The index within the run of the first record with the largest timestamp."""


class _Layout(NamedTuple):
    """Where the columns begin, in the record that the others resemble."""

    equal: list[Position]
    """The columns that have the same byte in all records."""
    time: range
    offset: range


def following(data: bytes, start: Position, end: Position, number: int, count: int) -> Run | None:
    """The records from `number` of `count` on that are like the one before, which lies from `start` to `end`.

    That one has been checked. None if there are too few.
    """
    size = end - start
    if data[end : end + FEWEST * size : size] != data[start : start + 1] * FEWEST:  # nearly always rules it out
        return None
    layout = _layout(data, start, end)
    if layout is None:
        return None
    counting = _counting(len(layout.offset))
    most = min(count, len(counting[0])) - number
    most = min(most, (len(data) - end) // size)
    for at in layout.equal:
        byte, column = data[at : at + 1], data[at + size : at + size * (most + 1) : size]
        if column != byte * most:
            most -= len(column.lstrip(byte))
    for at, allowed in zip(layout.time, _time_bytes(len(layout.time))):
        column = data[at + size : at + size * (most + 1) : size]
        if column.translate(None, allowed):
            most -= len(column.lstrip(allowed))
    if most < FEWEST:
        return None
    for at, expected in zip(layout.offset, counting):
        if data[at + size : at + size * (most + 1) : size] != expected[number : number + most]:
            return None
    return _run([data[at + size : at + size * (most + 1) : size] for at in layout.time], most)


def _layout(data: bytes, start: Position, end: Position) -> _Layout | None:
    """The layout of a good record; None for one with headers, or with a timestamp or offset of uncommon size."""
    at = start
    while data[at] > 127:
        at += 1
    attributes_at = at = at + 1
    at += 1
    while data[at] > 127:
        at += 1
    offset_at = at = at + 1
    while data[at] > 127:
        at += 1
    key_size_at = at + 1
    size, key_at = read_uvarint(data, key_size_at)
    value_size_at = key_at if size & 1 else key_at + (size >> 1)  # an odd size stands for null: no bytes follow
    size, value_at = read_uvarint(data, value_size_at)
    headers_at = value_at if size & 1 else value_at + (size >> 1)
    time, offset = range(attributes_at + 1, offset_at), range(offset_at, key_size_at)
    if headers_at != end - 1 or data[headers_at] or len(time) > MOST_TIME_BYTES or len(offset) > MOST_OFFSET_BYTES:
        return None
    equal = [*range(start, attributes_at), *range(key_size_at, key_at), *range(value_size_at, value_at), headers_at]
    return _Layout(equal, time, offset)


@cache
def _time_bytes(width: int) -> list[bytes]:
    """What the bytes of a timestamp delta of that width may be."""
    return [EVEN_AND_LAST] if width == 1 else [EVEN_AND_MORE, *[MIDDLE] * (width - 2), LAST]


@cache
def _counting(width: int) -> tuple[bytes, ...]:
    """The columns of offset deltas 0, 1, 2 and so on, in varints of that width: what is in byte n changes slowly."""
    if width == 1:
        return (EVEN_AND_LAST,)
    seconds = b"".join(bytes([n]) * 64 for n in range(128))
    if width == 2:
        return EVEN_AND_MORE * 128, seconds
    return EVEN_AND_MORE * 256, bytes(n | 0x80 for n in seconds) * 2, bytes(8192) + b"\1" * 8192


def _run(times: list[bytes], length: int) -> Run:
    """The run with these columns of timestamp deltas."""
    if len(times) == 1:
        values_seen = set(times[0])
        highest = max(values_seen)
        return Run(length, min(values_seen) >> 1, highest >> 1, times[0].index(highest))
    stacked = bytearray(4 * length)
    for n, column in enumerate(times):
        stacked[n::4] = column
    values = unpack(f"<{length}I", stacked)  # they compare as the numbers do: bit 7 is equal throughout a column
    highest = max(values)
    return Run(length, _delta(min(values)), _delta(highest), values.index(highest))


def _delta(stacked: int) -> int:
    """The value of an even zigzag varint of up to four bytes, lowest byte first."""
    groups = (stacked & 127, stacked >> 8 & 127, stacked >> 16 & 127, stacked >> 24 & 127)
    return (groups[0] | groups[1] << 7 | groups[2] << 14 | groups[3] << 21) >> 1
