"""The messages of a run of units of format 0 or 1, plain or inside wrappers, all at once.

The byte maps are those of `fakekafka.records.v0` and `v1`, the rules of wrappers those of `fakekafka.records.wrapper`.
A plain message is a set of one: so a run becomes one list of messages in one buffer, and their fields are read by
vector operations. As in `lockstep`, whatever is odd is left to the slow reader.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer, Offset, Position
from fakekafka.records import attributes as bits
from fakekafka.records import hot, wrapper
from fakekafka.records.inflating import Inflating
from fakekafka.records.message import ATTRIBUTES_AT, MAGIC_AT, TIMESTAMP_AT, Message
from fakekafka.records.scan import LOG_OVERHEAD

from fakekafka_spark.parse.chunks import Longs
from fakekafka_spark.parse.format2 import FAR, GROUP_BYTES, GROUP_RECORDS, SLICE_RECORDS, Group
from fakekafka_spark.parse.inflating import at_most
from fakekafka_spark.parse.spans import Flags, Records, Spans
from fakekafka_spark.parse.units import MIN_MESSAGE, Units


class _Messages(NamedTuple):
    """Messages in `data`; one element a message."""

    data: bytes
    units: Longs
    starts: Longs
    ends: Longs


class _Many(NamedTuple):
    """The messages of one wrapper that is large. It is inflated each time, part by part."""

    wrapper: Message

    def slices(self, unit: int) -> Iterator[_Messages]:
        """The messages, some at a time, as those of unit number `unit`. Raises `MalformedBytes`."""
        payload = Inflating(_pieces(self.wrapper))
        end = 0
        while payload.move(end, _end(payload.data, end) - end):
            end = 0
            for starts in _starts(payload.data):
                end = _end(payload.data, int(starts[-1]))
                yield _Messages(payload.data, np.full(len(starts), unit), starts, np.append(starts[1:], end))


class _Wrappers(NamedTuple):
    """What holds for all messages of a unit; one element a unit of the run."""

    shifts: Longs
    """To be added to the offsets inside."""
    opened: Flags
    """Whether it is a wrapper."""


def read(units: Units, skip: Flags) -> Iterator[Group]:
    """The messages of all units but those to `skip`, which come out as left."""
    skip = skip | (units.last_offsets > FAR) | (units.last_offsets < -FAR)
    wrappers = (units.codecs != 0) & ~skip
    if not wrappers.any():
        ends = units.chunk.starts + units.chunk.sizes
        every = np.arange(units.number)
        plain = _Messages(units.chunk.data, every[~skip], units.chunk.starts[~skip], ends[~skip])
        none = _Wrappers(np.zeros(units.number, np.int64), wrappers)
        yield _group(units, 0, units.number, plain, none, skip)
        return
    for first, end, messages, opened, failed in _opened(units, skip):
        if isinstance(messages, _Many):
            yield from _large(units, first, messages, opened, skip | failed)
        else:
            yield _group(units, first, end, messages, opened, skip | failed)
        del messages  # before the next wrapper is opened


class _Opened:
    """Units that were opened and wait to come out together."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.size = 0
        self._pieces: list[bytes] = []
        self._numbers: list[Longs] = []
        self._starts: list[Longs] = []
        self._ends: list[Longs] = []

    def add(self, number: int, data: bytes, inside: Longs) -> None:
        """The messages of unit `number`, which begin in `data` where `inside` says."""
        self._starts.append(inside + self.size)
        self._ends.append(np.append(inside[1:], len(data))[: len(inside)] + self.size)
        self._numbers.append(np.full(len(inside), number))
        self._pieces.append(data)
        self.size += len(data)

    def messages(self) -> _Messages:
        columns = (np.concatenate(some) if some else NONE for some in (self._numbers, self._starts, self._ends))
        return _Messages(b"".join(self._pieces), *columns)


def _opened(units: Units, skip: Flags) -> Iterator[tuple[int, int, "_Messages | _Many", _Wrappers, Flags]]:
    """The units with wrappers opened, cut whenever a buffer is full; a wrapper that fills one comes out alone."""
    shifts, failed = np.zeros(units.number, np.int64), np.zeros(units.number, bool)
    wrappers = _Wrappers(shifts, units.codecs != 0)
    waiting = _Opened(0)
    for number in range(units.number):
        if not skip[number]:
            data: bytes = units.chunk.unit(number)
            inside: Longs | None = FIRST
            if wrappers.opened[number]:
                try:
                    data, inside, shifts[number] = _open(data)
                except MalformedBytes:
                    failed[number] = True
                    data, inside = b"", NONE
            if inside is None:
                if waiting.first < number:
                    yield waiting.first, number, waiting.messages(), wrappers, failed
                yield number, number + 1, _Many(Message(units.chunk.unit(number))), wrappers, failed
                waiting = _Opened(number + 1)
            else:
                waiting.add(number, data, inside)
            del data, inside
        if waiting.first <= number and (waiting.size > GROUP_BYTES or number == units.number - 1):
            yield waiting.first, number + 1, waiting.messages(), wrappers, failed
            waiting = _Opened(number + 1)


NONE: Longs = np.empty(0, np.int64)
FIRST: Longs = np.zeros(1, np.int64)
SMALLEST_MESSAGE = MIN_MESSAGE[0]


def _open(unit: Buffer) -> tuple[bytes, Longs | None, int]:
    """The messages in a wrapper, where they begin, and what to add to their offsets. Raises `MalformedBytes`.

    None for where they begin: they are too many, or too large, to be in memory at once.
    """
    message = Message(unit)
    data = at_most(GROUP_RECORDS * SMALLEST_MESSAGE, _pieces(message))
    if data is None:
        last = _last_offset(message)
        return b"", None, wrapper.base_offset(message.magic, message.last_offset, last)
    inside = hot.message_positions(data)
    if not inside:
        raise MalformedBytes("a wrapper of nothing")
    end = _end(data, inside[-1])
    shift = wrapper.base_offset(message.magic, message.last_offset, _offset(data, inside[-1]))
    return (data if end == len(data) else data[:end]), np.frombuffer(inside, np.int64), shift


def _pieces(message: Message) -> Iterator[bytes]:
    return wrapper.unwrap_pieces(message.magic, message.codec, message.value)


def _last_offset(message: Message) -> Offset:
    """The offset inside of the last message of a large wrapper. Raises `MalformedBytes`."""
    last = None
    for some in _Many(message).slices(0):
        last = _offset(some.data, int(some.starts[-1]))
    if last is None:
        raise MalformedBytes("a wrapper of nothing")
    return last


def _offset(data: bytes, start: Position) -> Offset:
    return int.from_bytes(data[start : start + 8], "big", signed=True)


def _starts(data: bytes) -> Iterator[Longs]:
    """Where the messages of a set begin, in arrays of SLICE_RECORDS at most. Raises `CorruptUnit`."""
    at = 0
    while at < len(data):
        part = data[at : at + SLICE_RECORDS * SMALLEST_MESSAGE]
        positions = hot.message_positions(part)
        # the first message may be larger than the part
        starts = (np.frombuffer(positions, np.int64) if positions else FIRST) + at
        at = _end(data, int(starts[-1]))
        if at > len(data):
            return
        yield starts


def _end(data: bytes, start: Position) -> Position:
    """Where the message ends that begins at `start`; beyond the data if that is cut."""
    if start + LOG_OVERHEAD > len(data):
        return len(data) + 1
    return start + LOG_OVERHEAD + int.from_bytes(data[start + 8 : start + LOG_OVERHEAD], "big")


def _large(units: Units, number: int, messages: _Many, wrappers: _Wrappers, failed: Flags) -> Iterator[Group]:
    """The messages of one wrapper that has very many, in several groups; a first pass makes sure that nothing is
    odd.
    """
    if any(_records(units, some, wrappers)[1].any() for some in messages.slices(number)):
        nothing = _Messages(units.chunk.data, NONE, NONE, NONE)
        yield Group(number, _records(units, nothing, wrappers)[0], np.ones(1, bool))
        return
    for some in messages.slices(number):
        yield _group(units, number, number + 1, some, wrappers, failed)


def _group(units: Units, first: int, end: int, messages: _Messages, wrappers: _Wrappers, failed: Flags) -> Group:
    records, odd = _records(units, messages, wrappers)
    left = failed.copy()
    left[messages.units[odd]] = True
    return Group(first, records.pick(~left[records.units]), left[first:end])


def _records(units: Units, messages: _Messages, wrappers: _Wrappers) -> tuple[Records, Flags]:
    """All messages as records, and in which of them something is odd."""
    data, magic, starts, ends = messages.data, units.magic, messages.starts, messages.ends
    bytes_ = np.frombuffer(data, np.uint8)
    opened = wrappers.opened[messages.units]
    attributes = bytes_.take(starts + ATTRIBUTES_AT, mode="clip").astype(np.int64)
    odd = ends - starts < MIN_MESSAGE.get(magic, 0)  # nothing was taken from an unknown format
    odd |= (bytes_.take(starts + MAGIC_AT, mode="clip") != magic) | (opened & (attributes & bits.CODEC != 0))
    key_at = starts + (TIMESTAMP_AT + 8 if magic else TIMESTAMP_AT)
    keys = _field(data, key_at, ends, odd)
    values = _field(data, keys.starts + np.maximum(keys.sizes, 0), ends, odd)
    offsets = _numbers(data, starts, 8, odd) + wrappers.shifts[messages.units]
    kinds, timestamps = _times(units, messages, opened, odd)
    odd |= (offsets > FAR) | (offsets < -FAR)
    return Records(data, messages.units, offsets, timestamps, kinds, keys, values, None), odd


def _times(units: Units, messages: _Messages, opened: Flags, odd: Flags) -> tuple[Longs, Longs]:
    """Timestamp types and timestamps: a wrapper's type holds for its messages, and so does its append time."""
    outer = units.timestamp_types[messages.units]
    if units.magic == 0:
        return outer, units.max_timestamps[messages.units]
    own = _numbers(messages.data, messages.starts + TIMESTAMP_AT, 8, odd)
    appended = opened & (outer == bits.LOG_APPEND_TIME_TYPE)
    return outer, np.where(appended, units.max_timestamps[messages.units], own)


def _field(data: bytes, at: Longs, ends: Longs, odd: Flags) -> Spans:
    """The keys or values whose lengths are at `at`; any negative length is null."""
    sizes = np.maximum(_numbers(data, at, 4, odd), -1)
    starts = at + 4
    odd |= starts + np.maximum(sizes, 0) > ends
    return Spans(starts, np.where(odd, -1, sizes))


def _numbers(data: bytes, at: Longs, size: int, odd: Flags) -> Longs:
    """Big-endian numbers of 4 or 8 bytes, which may be anywhere."""
    room = len(data) - size + 1
    if room <= 0:
        odd[:] = True
        return np.zeros(len(at), np.int64)
    every = np.ndarray(room, f">i{size}", data, strides=(1,))
    outside = at >= room
    odd |= outside
    return every[np.where(outside, 0, at)].astype(np.int64)
