"""Walk a range of units without parsing their content. Mixed logs are readable because in all formats the offset, the
size and the magic are at the same places.

    at    size
    0     8     offset: the message's own; of a wrapper, its last message's; of a format 2 batch, its first slot's
    8     4     size: bytes that follow this field
    12    4     CRC (formats 0 and 1) or leader epoch (format 2)
    16    1     magic: the format, 0, 1 or 2

A unit is a message (formats 0 and 1, maybe a compressed wrapper around others) or a batch (format 2). A range may mix
them. Its last unit may be cut: every fetch ends where its bytes end, and a walk ends silently there.

Brokers walk requests and files by slightly different rules; each has a function here.
"""

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from fakekafka.ids import Buffer, Magic, Offset, Position
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.message import Message
from fakekafka.records.v2 import RecordBatch

LOG_OVERHEAD = 12
"""Bytes of offset and size, which `size` does not count."""
PREFIX = Struct(">qi4xb")
MIN_SIZE = 14
"""The smallest valid size: that of an empty format 0 message."""
NEWEST_MAGIC = 2


class Unit(NamedTuple):
    """The position of a unit, and its shared prefix."""

    position: Position
    offset: Offset
    """The field at byte 0."""
    size: int
    """The whole unit, the 12 bytes of offset and size included."""
    magic: Magic


def units(buffer: Buffer, start: Position = 0, end: Position | None = None) -> Iterator[Unit]:
    """The whole units of a produce request or a fetched slice (ByteBufferLogInputStream, 0.11 and later).

    Raises `CorruptUnit` for a size below 14 or an unknown magic, even when that unit is cut.
    """
    end = len(buffer) if end is None else end
    while start + PREFIX.size <= end:
        offset, size, magic = PREFIX.unpack_from(buffer, start)
        if size < MIN_SIZE:
            raise _too_small(size, start)
        if not 0 <= magic <= NEWEST_MAGIC:
            raise CorruptUnit(f"magic {magic} at {start}")
        behind = start + LOG_OVERHEAD + size
        if behind > end:
            return
        yield Unit(start, offset, LOG_OVERHEAD + size, magic)
        start = behind
    if start + LOG_OVERHEAD <= end:
        _size(buffer, start)


def units_of_any_magic(buffer: Buffer, start: Position = 0, end: Position | None = None) -> Iterator[Unit]:
    """The whole units, found without checking the magic, as up to 0.10.2 (MessageSet, ByteBufferMessageSet)."""
    end = len(buffer) if end is None else end
    while start + LOG_OVERHEAD <= end:
        size = _size(buffer, start)
        if start + LOG_OVERHEAD + size > end:
            return
        yield _unit(buffer, start)
        start += LOG_OVERHEAD + size


def units_in_file(
    buffer: Buffer, start: Position = 0, end: Position | None = None, *, small_size_ends: bool = False
) -> Iterator[Unit]:
    """The whole units of a segment file; magics are not checked.

    Up to 0.10 a size below 14 ends the walk (FileMessageSet: `small_size_ends`), later it raises `CorruptUnit`
    (FileLogInputStream).
    """
    end = len(buffer) if end is None else end
    while start + PREFIX.size < end:
        unit = _unit(buffer, start)
        if unit.size < LOG_OVERHEAD + MIN_SIZE:
            if small_size_ends:
                return
            raise _too_small(unit.size - LOG_OVERHEAD, start)
        if start + unit.size > end:
            return
        yield unit
        start += unit.size


def view(buffer: Buffer, unit: Unit, dialect: Dialect | None = None) -> Batch:
    """The batch at `unit`. Raises `CorruptUnit` when the unit is too small for its format, or has an
    unknown one.

    `dialect`: how a draft reads units of format 2; None: as they were shipped.
    """
    data = memoryview(buffer)[unit.position : unit.position + unit.size]
    if unit.magic == 2:
        return RecordBatch(data) if dialect is None else dialect.batch(data)
    if unit.magic in (0, 1):
        return Message(data)
    raise CorruptUnit(f"magic {unit.magic} at {unit.position}")


def batches(
    buffer: Buffer, start: Position = 0, end: Position | None = None, dialect: Dialect | None = None
) -> Iterator[Batch]:
    """The whole batches of a range, walked as by `units`."""
    for unit in units(buffer, start, end):
        yield view(buffer, unit, dialect)


def _unit(buffer: Buffer, at: Position) -> Unit:
    offset, size, magic = PREFIX.unpack_from(buffer, at)
    return Unit(at, offset, LOG_OVERHEAD + size, magic)


def _size(buffer: Buffer, at: Position) -> int:
    """The size field at `at`. Raises `CorruptUnit` when it is below 14."""
    size = int.from_bytes(buffer[at + 8 : at + LOG_OVERHEAD], "big", signed=True)
    if size < MIN_SIZE:
        raise _too_small(size, at)
    return size


def _too_small(size: int, at: Position) -> CorruptUnit:
    return CorruptUnit(f"size {size} at {at}: the least is {MIN_SIZE}")
