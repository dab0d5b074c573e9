"""From a newer format to an older one, for clients that cannot read the newer (FileMessageSet, RecordsUtil, KIP-283).

A slice of a log goes in, as the buffers it is stored in; buffers go out. Whether a slice is converted at all is not
decided here. Three generations of brokers did it in three ways, each a function:

    as_one_set   0.10.0 to 0.10.2   everything becomes one set, in the codec of the slice's first unit
    unit_by_unit 0.11.0 to 1.1      each unit becomes a unit, as many bytes as come out
    lazily       2.0 to 3.9         the same, but the size is fixed after the first unit, and the rest is made to fit

The fact to know: what the older format cannot hold is dropped. Headers go, transaction markers go, records before the
fetch offset go where the source has no unit boundary there, and zstd cannot be converted at all (KIP-110).

One unit is open at a time, so the memory that a conversion needs beyond its answer is that of one batch.
"""

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from fakekafka.ids import Buffer, Magic, Offset
from fakekafka.records import v0, v1, xerial
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE
from fakekafka.records.batch import Batch
from fakekafka.records.compression import ZSTD
from fakekafka.records.malformed import InvalidRecord, UndecodablePayload
from fakekafka.records.record import Record
from fakekafka.records.scan import LOG_OVERHEAD, MIN_SIZE, PREFIX, units, view

CHUNK_BYTES: Final = 128 * 1024
"""Source bytes that a lazy conversion takes at a time, and the most that one filler allocates."""
FILLER_BYTES: Final = 12
"""The shortest filler: an offset and a size."""
FILLER_MIN_SIZE: Final = 61
"""The least that a filler's size field says: that of a batch header."""

_HEADERS: Final = attrgetter("headers")
_TIMESTAMP: Final = attrgetter("timestamp")


class CannotConvertZstd(UndecodablePayload):
    """A zstd batch is asked for in an older format (UnsupportedCompressionTypeException: error 76)."""


class CannotConvertHeaders(InvalidRecord):
    """A record has headers, and the release does not drop them (KAFKA-6739)."""


class ConversionBreaksOff(UndecodablePayload):
    """A lazy conversion fails after its first unit was promised: the connection breaks within the answer."""


class Tally:
    """What was converted: units of the slice, and the records in them."""

    __slots__ = ("records", "units")

    def __init__(self) -> None:
        self.units = 0
        self.records = 0

    def add(self, records: int) -> None:
        """One unit more."""
        self.units += 1
        self.records += records


class Rules(NamedTuple):
    """How units are converted."""

    target: Magic
    first_offset: Offset
    """The fetch offset."""
    drop_headers: bool = True
    """False: `CannotConvertHeaders` is raised (0.11.0, 1.0.0, 1.0.1, 1.1.0)."""
    tally: Tally | None = None
    """Who counts."""


# ---- looking at a slice


def whole_units(pieces: Sequence[Buffer]) -> Iterator[Batch]:
    """The whole units of a slice. A cut last one is left out; units may reach over several pieces.

    Raises `CorruptUnit`.
    """
    rest: Buffer = b""
    for piece in pieces:
        whole = b"".join((rest, piece)) if rest else piece
        end = 0
        for unit in units(whole):
            end = unit.position + unit.size
            yield view(whole, unit)
        rest = memoryview(whole)[end:]


def is_newer(pieces: Sequence[Buffer], target: Magic) -> bool:
    """Is some whole unit of a newer format than `target`? Only prefixes are read. Raises `CorruptUnit`."""
    return any(batch.magic > target for batch in whole_units(pieces))


def starts_newer(pieces: Sequence[Buffer], size: int, target: Magic) -> bool:
    """Is a unit that starts in the first `size` bytes newer than `target`, be it whole or not (0.10.0 and 0.10.1)?"""
    data = b"".join(pieces)
    at = 0
    while at < size and at + PREFIX.size <= len(data):
        _, body, magic = PREFIX.unpack_from(data, at)
        if magic > target:
            return True
        at += LOG_OVERHEAD + max(body, MIN_SIZE)
    return False


# ---- 0.10


def as_one_set(
    pieces: Sequence[Buffer], snappy_block: int = xerial.BLOCK, tally: Tally | None = None
) -> Sequence[Buffer]:
    """All messages as one format 0 set, in the codec of the first unit; a slice without a whole unit as it is.

    It may be much larger than the slice. Raises any `MalformedBytes`, also for format 2.
    """
    codec = 0
    records: list[Record] = []
    for n, batch in enumerate(whole_units(pieces)):
        if batch.magic > 1:
            raise InvalidRecord("a batch of format 2 before 0.11")
        codec = codec if n else batch.codec
        found = list(batch.records())
        if tally is not None:
            tally.add(len(found))
        records += found
    return [v0.build(records, codec=codec, snappy_block=snappy_block)] if records else pieces


# ---- 0.11 to 1.1


def unit_by_unit(pieces: Sequence[Buffer], rules: Rules, *, raw_if_none_converted: bool) -> Sequence[Buffer]:
    """The units one after the other. A slice without a whole unit is returned as it is.

    `raw_if_none_converted`: so is one from which no unit was rebuilt, although others were dropped (1.1). Raises any
    `MalformedBytes`.
    """
    out: list[Buffer] = []
    seen = rebuilt = False
    for batch in whole_units(pieces):
        seen = True
        if converted := convert(batch, rules):
            out.append(converted)
            rebuilt = rebuilt or batch.magic > rules.target
    return out if rebuilt or (seen and not raw_if_none_converted) else pieces


# ---- 2.0 and later


def lazily(pieces: Sequence[Buffer], rules: Rules, *, nothing_if_no_unit: bool) -> list[Buffer]:
    """The slice as KIP-283 sends it: as long as the slice, or as its first converted unit if that is longer.

    What comes out beyond that length is cut, what lacks is a filler. `nothing_if_no_unit`: a slice without a whole unit
    gives no filler either (3.0 and later). Raises any `MalformedBytes`: `CannotConvertZstd` if no unit came before, and
    `ConversionBreaksOff` for what goes wrong behind the first one.
    """
    first = next((unit for batch in whole_units(pieces) if (unit := convert(batch, rules))), None)
    if first is None:
        has_unit = next(whole_units(pieces), None) is not None
        return [_filler(FILLER_BYTES)] if has_unit or not nothing_if_no_unit else []
    size = max(sum(map(len, pieces)), len(first))
    # One source unit is skipped even if `first` came from a later one, which is then converted again.
    source = whole_units(pieces)
    next(source)
    out: list[Buffer] = [first]
    left = size - len(first)
    try:
        for converted in _chunks(source, rules):
            if left == 0:
                break
            out.append(memoryview(converted)[:left])
            left -= len(out[-1])
    except CannotConvertZstd as unsupported:
        if left > CHUNK_BYTES:  # a second filler is needed, and the failed iterator refuses to be asked again
            raise ConversionBreaksOff(str(unsupported)) from None
    while left:
        out.append(_filler(left))
        left -= len(out[-1])
    return out


def _chunks(source: Iterator[Batch], rules: Rules) -> Iterator[bytes]:
    """What comes out of each chunk of the source. One that fails gives nothing."""
    batch = next(source, None)
    while batch is not None:
        chunk, taken = [batch], batch.size
        while (batch := next(source, None)) is not None and taken + batch.size <= CHUNK_BYTES:
            chunk.append(batch)
            taken += batch.size
        try:
            converted = b"".join([convert(b, rules) for b in chunk])
        except CannotConvertZstd:
            raise
        except (InvalidRecord, UndecodablePayload) as wrong:
            raise ConversionBreaksOff(str(wrong)) from wrong
        if converted:
            yield converted


def _filler(left: int) -> bytes:
    """A unit that says it is longer than the `left` bytes, so that clients take it for one that is cut."""
    unit = b"\xff" * 8 + max(left + 1, FILLER_MIN_SIZE).to_bytes(4, "big")
    return unit.ljust(max(FILLER_BYTES, min(left + 1, CHUNK_BYTES)), b"\0")[:left]


# ---- one unit


def convert(batch: Batch, rules: Rules) -> Buffer:
    """One unit in format `rules.target` or older; nothing if it has nothing that format can hold.

    Raises any `MalformedBytes`.
    """
    if batch.is_control:
        return b""
    if batch.magic == 2 and batch.codec == ZSTD:
        raise CannotConvertZstd("zstd came after the older formats")
    if batch.magic <= rules.target:
        return batch.data
    records = _kept(batch, rules)
    if rules.tally is not None:
        rules.tally.add(len(records))
    if rules.target == 0:
        return v0.build(records, codec=batch.codec)
    append_time = batch.max_timestamp if batch.timestamp_type == LOG_APPEND_TIME_TYPE else None
    return v1.build(records, codec=batch.codec, append_time=append_time)


def _kept(batch: Batch, rules: Rules) -> list[Record]:
    """The records that are converted: of an uncompressed batch those from the fetch offset on (KAFKA-5360)."""
    records = list(batch.records())
    if not batch.codec and records and records[0].offset < rules.first_offset:
        records = [r for r in records if r.offset >= rules.first_offset]
    if any(map(_HEADERS, records)):
        if not rules.drop_headers:
            raise CannotConvertHeaders("a record with headers")
        records = [r._replace(headers=()) for r in records]
    if min(map(_TIMESTAMP, records), default=0) < -1:
        raise InvalidRecord("a negative timestamp")
    return records
