"""From a newer format to an older one, for clients that cannot read the newer (FileMessageSet, RecordsUtil, KIP-283).

A slice of a log goes in, as the buffers it is stored in; buffers go out. Whether a slice is converted at all is not
decided here. Three generations of brokers did it in three ways, one function each:

    as_one_set   0.10.0 to 0.10.2   everything becomes one set, in the codec of the slice's first unit
    unit_by_unit 0.11.0 to 1.1      each unit becomes a unit, as many bytes as come out
    lazily       2.0 to 3.9         the same, but the size is fixed after the first unit, and the rest is made to fit

What the older format cannot hold is dropped. Headers go, transaction markers go, records before the
fetch offset go where the source has no unit boundary there, and zstd cannot be converted at all (KIP-110).

One unit is open at a time, and a long answer is made while it is sent, so that no more of it is in memory than a chunk.
If the length of the answer depends on the result, units of more than `AT_ONCE` are converted twice: to know the length,
with a pause after each chunk, and to send them. Only the one wrapper that `as_one_set` may make must be whole in
memory: it is one message.

This module is long, since the three ways share how a unit is converted and when an answer pauses.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from operator import attrgetter, lt
from typing import Final, Literal, NamedTuple, TypeVar

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, CodecId, Magic, Offset
from fakekafka.pieces import BreaksOff, Chunks, Piece, Stepwise, buffers, joined, size_of
from fakekafka.records import v0, v1, wrapper, xerial
from fakekafka.records.append.message_conversion import cut_and_paste
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE
from fakekafka.records.batch import Batch, Dialect
from fakekafka.records.compression import GZIP, LZ4, NONE, ZSTD
from fakekafka.records.hot import MIN_INT64
from fakekafka.records.malformed import InvalidRecord, UndecodablePayload, UnknownCodec
from fakekafka.records.message import Message, up_to_cut
from fakekafka.records.plugged import PLUGGED
from fakekafka.records.record import Record
from fakekafka.records.scan import LOG_OVERHEAD, MIN_SIZE, PREFIX, units, view
from fakekafka.records.v2 import RecordBatch

CHUNK_BYTES: Final = 128 * 1024
"""Source bytes that a lazy conversion takes at a time, the most that one filler allocates, and the longest answer that
is made at once.
"""
AT_ONCE: Final = 4 << 20
"""The longest answer that is kept until it is sent, if all of it must be made beforehand. The usual one fits."""
LEAST_ESTIMATE: Final = 1024
MOST_ESTIMATE: Final = 1 << 16
"""Bounds of the estimated size of a compressed unit."""
GZIP_BUFFER: Final = 8 * 1024
FILLER_BYTES: Final = 12
"""The shortest filler: an offset and a size."""
FILLER_MIN_SIZE: Final = 61
"""The smallest size field of a filler: that of a batch header."""

NOT_ASCENDING: Final = "offsets that do not ascend"
HEADERS: Final = "a record with headers"
NEGATIVE_TIMESTAMP: Final = "a negative timestamp"
_HEADERS: Final = attrgetter("headers")
_OFFSET: Final = attrgetter("offset")
_TIMESTAMP: Final = attrgetter("timestamp")


class CannotConvertCodec(UndecodablePayload):
    """A batch of zstd, or of a plug-in that is not available, is asked for in an older format
    (UnsupportedCompressionTypeException: error 76).
    """


class CannotConvertHeaders(InvalidRecord):
    """A record has headers, and the release does not drop them (KAFKA-6739)."""


class ConversionBreaksOff(UndecodablePayload, BreaksOff):
    """A lazy conversion fails after its first unit was promised: the connection breaks within the answer."""


class Tally:
    """What was converted: units of the slice, and the records in them."""

    __slots__ = ("newest", "records", "units")

    def __init__(self) -> None:
        self.units = 0
        self.records = 0
        self.newest: Magic | None = None
        """The newest format that was met, whether or not it was converted."""

    def meet(self, magic: Magic) -> None:
        """Note a unit of that format."""
        if self.newest is None or magic > self.newest:
            self.newest = magic

    def add(self, records: int) -> None:
        """Count one more unit."""
        self.units += 1
        self.records += records


class Rules(NamedTuple):
    """How units are converted."""

    target: Magic
    first_offset: Offset
    """The fetch offset."""
    drop_headers: bool = True
    """Whether headers are dropped; otherwise `CannotConvertHeaders` is raised (0.11.0, 1.0.0, 1.0.1, 1.1.0)."""
    tally: Tally | None = None
    """Counts the converted units, if not None."""
    buffer: Literal["estimated", "grows"] = "grows"
    """Whether what is copied must fit into a buffer of estimated size (0.11 to 1.1)."""
    dialect: Dialect | None = None
    """How a draft reads units of format 2. The older formats cannot name a plug-in: what comes out of one is plain."""


# ---- looking at a slice


def whole_units(pieces: Sequence[Piece], dialect: Dialect | None = None) -> Iterator[Batch]:
    """The whole units of a slice. An incomplete last one is left out; units may reach over several pieces.

    `dialect`: see `scan.view`. Raises `CorruptUnit`.
    """
    held: list[Buffer] = []
    size = wanted = 0
    for piece in buffers(pieces):
        held.append(piece)
        size += len(piece)
        if size < wanted:
            continue  # the unit is longer still
        whole = joined(held)
        end = 0
        for unit in units(whole):
            end = unit.position + unit.size
            yield view(whole, unit, dialect)
        size = len(whole) - end
        held = [memoryview(whole)[end:]] if size else []
        wanted = LOG_OVERHEAD + PREFIX.unpack_from(whole, end)[1] if size >= PREFIX.size else 0


def is_newer(pieces: Sequence[Piece], target: Magic) -> bool:
    """Whether any whole unit has a newer format than `target`. Only prefixes are read. Raises `CorruptUnit`."""
    return any(batch.magic > target for batch in whole_units(pieces))


def starts_newer(pieces: Sequence[Piece], size: int, target: Magic) -> bool:
    """Whether a unit that starts in the first `size` bytes, whole or cut, is newer than `target` (0.10.0, 0.10.1)."""
    rest: Buffer = b""
    begins = at = 0  # where `rest` begins in the slice, and the next unit
    for piece in buffers(pieces):
        rest = joined([rest, piece]) if rest else piece
        while at < size and at + PREFIX.size <= begins + len(rest):
            _, body, magic = PREFIX.unpack_from(rest, at - begins)
            if magic > target:
                return True
            at += LOG_OVERHEAD + max(body, MIN_SIZE)
        kept = min(at - begins, len(rest))
        begins, rest = begins + kept, memoryview(rest)[kept:]
    return False


# ---- 0.10


def as_one_set(
    pieces: Sequence[Piece],
    snappy_block: int = xerial.BLOCK,
    tally: Tally | None = None,
    *,
    pasted: bool = False,
    ascending: bool = False,
    cut_ends: bool = False,
) -> Stepwise[Sequence[Piece]]:
    """All messages as one format 0 set, in the codec of the first unit; a slice without a whole unit is returned as it
    is.

    It may be much larger than the slice. Raises any `MalformedBytes`, also for format 2, and for offsets that do not
    ascend if they must be `ascending`. `pasted`: messages keep what is in their attributes besides codec and type.
    `cut_ends`: a wrapper that is cut has the messages before the cut.
    """
    plain = partial(_plain, pieces, pasted, ascending, cut_ends)
    first = next(whole_units(pieces), None)
    if first is None:
        return pieces
    if first.codec:
        return (yield from _wrapped(plain(tally), first.codec, snappy_block)) or pieces
    made = yield from _now_or_later(plain(tally), plain)
    return made if size_of(made) else pieces


def _plain(
    pieces: Sequence[Piece], pasted: bool, ascending: bool, cut_ends: bool, tally: Tally | None = None
) -> Iterator[bytes]:
    """The messages of each unit, in format 0 and out of their wrapper."""
    last = NO_OFFSET
    for batch in whole_units(pieces):
        if batch.magic > 1:
            raise InvalidRecord("a batch of format 2 before 0.11")
        if cut_ends and isinstance(batch, Message):
            batch = up_to_cut(batch)
        records = list(batch.records())
        for record in records if ascending else ():
            if record.offset <= last:
                raise InvalidRecord(f"offset {record.offset} does not come after {last}")
            last = record.offset
        if tally is not None:
            tally.meet(batch.magic)
            tally.add(len(records))
        yield _pasted(batch, records) if pasted else v0.build(records)


def _pasted(batch: Batch, records: list[Record]) -> bytes:
    """The messages of a unit in format 0, by moving bytes (Message.toFormatVersion)."""
    assert isinstance(batch, Message)
    messages = batch.inside() if batch.codec else [batch]
    units = [m.data if m.magic == 0 else cut_and_paste(m, 0, False, NO_TIMESTAMP) for m in messages]
    offsets = [record.offset.to_bytes(8, "big", signed=True) for record in records]
    return b"".join(part for offset, unit in zip(offsets, units, strict=True) for part in (offset, unit[8:]))


def _wrapped(messages: Iterable[bytes], codec: CodecId, snappy_block: int) -> Stepwise[list[Piece]]:
    """One wrapper around all messages; nothing if there are none."""
    parts: list[bytes] = []
    yield from _in_turns(filter(None, messages), parts.append)
    if not parts:
        return []
    *_, last = units(parts[-1])
    inside = b"".join(parts)
    return [wrapper.wrap(0, codec, inside, offset=last.offset, timestamp=NO_TIMESTAMP, snappy_block=snappy_block)]


def _now_or_later(made: Iterable[Buffer], again: Callable[[], Iterator[Buffer]]) -> Stepwise[list[Piece]]:
    """The answer, if it is not long; otherwise it is thrown away, and made `again` while it is sent."""
    out: list[Piece] = []
    size = 0

    def keep(piece: Buffer) -> None:
        nonlocal size
        size += len(piece)
        if size <= AT_ONCE:
            out.append(piece)
        else:
            out.clear()

    yield from _in_turns(made, keep)
    return out if size <= AT_ONCE else [Chunks(size, again)]


B = TypeVar("B", bound=Buffer)


def _in_turns(made: Iterable[B], take: Callable[[B], None]) -> Stepwise[None]:
    """Have each buffer taken as it is made, with pauses."""
    size = 0
    for piece in made:
        take(piece)
        size += len(piece)
        if size >= CHUNK_BYTES:
            size = 0
            yield


# ---- 0.11 to 1.1


def unit_by_unit(pieces: Sequence[Piece], rules: Rules, *, raw_if_none_converted: bool) -> Stepwise[Sequence[Piece]]:
    """The units one after the other. A slice without a whole unit is returned as it is.

    `raw_if_none_converted`: the same goes for a slice from which no unit was rebuilt, although some were dropped (1.1).
    Raises any `MalformedBytes`.
    """
    if rules.buffer == "estimated" and _is_mixed(pieces, rules):
        _check_buffer(pieces, rules._replace(tally=None))
    seen = rebuilt = False

    def converted() -> Iterator[Buffer]:
        nonlocal seen, rebuilt
        for batch in whole_units(pieces, rules.dialect):
            seen = True
            if unit := convert(batch, rules):
                rebuilt = rebuilt or batch.magic > rules.target
                yield unit

    uncounted = rules._replace(tally=None)
    out = yield from _now_or_later(
        converted(), lambda: (convert(batch, uncounted) for batch in whole_units(pieces, rules.dialect))
    )
    return out if rebuilt or (seen and not raw_if_none_converted) else pieces


def _is_mixed(pieces: Sequence[Piece], rules: Rules) -> bool:
    """Whether a compressed unit is to be converted, and a later one stays as it is."""
    units, target = whole_units(pieces, rules.dialect), rules.target
    return any(u.magic > target and u.codec for u in units) and any(u.magic <= target for u in units)


def _check_buffer(pieces: Sequence[Piece], rules: Rules) -> None:
    """Raises `InvalidRecord` where the answer's buffer is too small (AbstractRecords.downConvert).

    Its size is estimated: compressed units are expected to halve. It grows for what is converted, with each
    write of the codec that does not fit, but not for what is copied.
    """
    capacity = sum(_estimate(batch, rules) for batch in whole_units(pieces, rules.dialect))
    filled = 0
    for batch in whole_units(pieces, rules.dialect):
        size = len(convert(batch, rules))
        if batch.magic <= rules.target and filled + size > capacity:
            raise InvalidRecord(f"{filled + size} bytes do not fit into a buffer of {capacity}")
        for written in _writes(batch.codec, size):
            filled += written
            if filled > capacity:
                capacity = max(capacity * 11 // 10, filled)  # ByteBufferOutputStream


def _writes(codec: CodecId, size: int) -> list[int]:
    """The portions in which a stream of that codec is written; what matters is the last one."""
    if codec == LZ4:
        return [size - 4, 4] if size else []  # the frame's end mark
    if codec == GZIP:
        return [min(GZIP_BUFFER, size - at) for at in range(0, size, GZIP_BUFFER)]
    return [size]


def _estimate(batch: Batch, rules: Rules) -> int:
    """The estimated room for a unit."""
    if batch.is_control:
        return 0
    if batch.magic <= rules.target:
        return batch.size
    size = len((v1 if rules.target else v0).build(_kept(batch, rules)))
    return min(max(size // 2, LEAST_ESTIMATE), MOST_ESTIMATE) if batch.codec and size else size


# ---- 2.0 and later


def lazily(pieces: Sequence[Piece], rules: Rules, *, nothing_if_no_unit: bool) -> list[Buffer] | Chunks:
    """The slice as KIP-283 sends it: as long as the slice, or as its first converted unit if that is longer.

    What comes out beyond that length is cut; a filler stands for what is missing. `nothing_if_no_unit`: a slice without
    a whole unit gives no filler either (3.0 and later). Raises any `MalformedBytes`: `CannotConvertCodec` if no unit
    came before, and `ConversionBreaksOff` for what goes wrong after the first one, now or when the chunks are asked
    for.
    """
    first = next((unit for batch in whole_units(pieces, rules.dialect) if (unit := convert(batch, rules))), None)
    if first is None:
        has_unit = next(whole_units(pieces, rules.dialect), None) is not None
        return [_filler(FILLER_BYTES)] if has_unit or not nothing_if_no_unit else []
    size = max(size_of(pieces), len(first))
    made = Chunks(size, lambda: _from_first(first, size - len(first), pieces, rules))
    return list(made) if size <= CHUNK_BYTES else made


def _from_first(first: Buffer, left: int, pieces: Sequence[Piece], rules: Rules) -> Iterator[Buffer]:
    """The converted unit that was already made, and `left` more bytes."""
    yield first
    # One source unit is skipped even if `first` came from a later one, which is then converted again.
    source = whole_units(pieces, rules.dialect)
    next(source)
    chunks = _chunks(source, rules)
    try:
        while left and (converted := next(chunks, None)) is not None:
            chunk = memoryview(converted)[:left]
            left -= len(chunk)
            yield chunk
    except CannotConvertCodec as unsupported:
        if left > CHUNK_BYTES:  # a second filler is needed, and the failed iterator refuses to be asked again
            raise ConversionBreaksOff(str(unsupported)) from None
    except MalformedBytes as wrong:
        raise ConversionBreaksOff(str(wrong)) from wrong
    while left:
        chunk = memoryview(_filler(left))
        left -= len(chunk)
        yield chunk


def _chunks(source: Iterator[Batch], rules: Rules) -> Iterator[bytes]:
    """The result of each chunk of the source. A chunk that fails gives nothing. Raises any `MalformedBytes`."""
    batch = next(source, None)
    while batch is not None:
        chunk, taken = [batch], batch.size
        while (batch := next(source, None)) is not None and taken + batch.size <= CHUNK_BYTES:
            chunk.append(batch)
            taken += batch.size
        if converted := b"".join([convert(b, rules) for b in chunk]):
            yield converted


def _filler(left: int) -> bytes:
    """A unit that says it is longer than the `left` bytes, so that clients take it for one that is cut."""
    unit = b"\xff" * 8 + max(left + 1, FILLER_MIN_SIZE).to_bytes(4, "big")
    return unit.ljust(max(FILLER_BYTES, min(left + 1, CHUNK_BYTES)), b"\0")[:left]


# ---- one unit


def convert(batch: Batch, rules: Rules) -> Buffer:
    """One unit in format `rules.target` or older; empty if it has nothing that the format can hold.

    Raises any `MalformedBytes`.
    """
    if rules.tally is not None:
        rules.tally.meet(batch.magic)
    if batch.is_control:
        return b""
    if batch.magic == 2 and batch.codec == ZSTD:
        raise CannotConvertCodec("zstd came after the older formats")
    if batch.magic <= rules.target:
        return batch.data
    codec = _unplugged(batch) if batch.codec == PLUGGED else batch.codec
    if isinstance(batch, RecordBatch):
        return _as_messages(batch, codec, rules)
    records = _kept(batch, rules)
    if rules.tally is not None:
        rules.tally.add(len(records))
    if rules.target == 0:
        return v0.build(records, codec=codec)
    append_time = batch.max_timestamp if batch.timestamp_type == LOG_APPEND_TIME_TYPE else None
    return v1.build(records, codec=codec, append_time=append_time)


def _as_messages(batch: RecordBatch, codec: CodecId, rules: Rules) -> bytes:
    """A batch of format 2 as messages, in a wrapper if there is a codec, without looking at single records."""
    first = MIN_INT64 if batch.codec else rules.first_offset
    made = batch.messages(rules.target, relative=codec != NONE and rules.target == 1, from_offset=first)
    if not made.ascending:
        raise InvalidRecord(NOT_ASCENDING)
    if made.with_headers and not rules.drop_headers:
        raise CannotConvertHeaders(HEADERS)
    if made.min_timestamp < NO_TIMESTAMP:
        raise InvalidRecord(NEGATIVE_TIMESTAMP)
    if rules.tally is not None:
        rules.tally.add(made.number)
    if not codec or not made.number:
        return made.data
    append_time = batch.append_time
    timestamp = made.max_timestamp if append_time is None else append_time
    return wrapper.wrap(rules.target, codec, made.data, offset=made.last_offset, timestamp=timestamp,
                        append_time=rules.target == 1 and append_time is not None)  # fmt: skip


def _unplugged(batch: Batch) -> CodecId:
    """The codec of what comes out of a plug-in's batch. Raises `CannotConvertCodec` if the plug-in is not available."""
    if not isinstance(batch, RecordBatch) or batch.plugged is None:
        return batch.codec
    try:
        batch.plugged.of_batch(batch.attributes)
    except UnknownCodec as unknown:
        raise CannotConvertCodec(str(unknown)) from None
    return NONE


def _kept(batch: Batch, rules: Rules) -> list[Record]:
    """The records that are converted: of an uncompressed batch those from the fetch offset on (KAFKA-5360).

    The offsets in such a batch are not checked when it is stored; here they must ascend (MemoryRecordsBuilder).
    """
    records = list(batch.records())
    if not batch.codec and records and records[0].offset < rules.first_offset:
        records = [r for r in records if r.offset >= rules.first_offset]
    offsets = list(map(_OFFSET, records))
    if not all(map(lt, offsets, offsets[1:])):
        raise InvalidRecord(NOT_ASCENDING)
    if any(map(_HEADERS, records)):
        if not rules.drop_headers:
            raise CannotConvertHeaders(HEADERS)
        records = [r._replace(headers=()) for r in records]
    if min(map(_TIMESTAMP, records), default=0) < -1:
        raise InvalidRecord(NEGATIVE_TIMESTAMP)
    return records
