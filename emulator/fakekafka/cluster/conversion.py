"""Whether a fetched slice is converted for a client that cannot read its format, and how that generation of brokers
does it.

What counts is the format that the topic is configured with, not the one that is stored. So a client
gets bytes that it cannot read where the format was lowered after newer ones had been written (FORMAT-LOWERED).
KafkaApis.handleFetchRequest; the conversions themselves are in `records.down_convert`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias, TypeVar, assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.reading import ReadData, Result
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import Buffer, Magic, Offset
from fakekafka.pieces import Chunks, Piece, Stepwise, size_of
from fakekafka.records.append.prepared import CpuClock
from fakekafka.records.batch import Batch
from fakekafka.records.down_convert import (
    CannotConvertCodec,
    Rules,
    Tally,
    as_one_set,
    is_newer,
    lazily,
    starts_newer,
    unit_by_unit,
    whole_units,
)
from fakekafka.records.scan import PREFIX
from fakekafka.storage.conversion_bill import NOBODY, Requester, Work
from fakekafka.storage.partition import Partition

T = TypeVar("T")
Made: TypeAlias = Sequence[Piece] | Chunks
"""A converted slice; `Chunks` is one that is converted while it is sent."""


class NoClientId(MalformedBytes):
    """A client has no id, and the release converts for no such client."""


def refuses_zstd(broker: Broker, partition: Partition | None) -> bool:
    """Whether clients that cannot read zstd are refused, because of the compression.type of the partition (KIP-110)."""
    match broker.profile.fetch.zstd_topics:
        case "served":
            return False
        case "refused":
            return partition is not None and partition.log.config.compression_type == "zstd"
        case "refused, unknown too":
            return partition is None or partition.log.config.compression_type == "zstd"
        case rule:
            assert_never(rule)


def readable(
    broker: Broker,
    partition: Partition,
    result: Result,
    offset: Offset,
    newest: Magic,
    follower: bool,
    who: Requester = NOBODY,
) -> Stepwise[Sequence[Piece] | ErrorCode]:
    """The records of a read at `offset`, for a client that reads formats up to `newest`, or its error. `who` is charged
    once the last byte is made. Raises `ConversionBreaksOff`, and any `MalformedBytes` where the whole request fails.
    """
    convert = _is_needed(broker, partition, result, offset, newest)
    if convert and not (follower or partition.log.config.message_downconversion_enable):
        return ErrorCode.UNSUPPORTED_VERSION
    if isinstance(result, ErrorCode):
        return result
    if not convert:
        if result.size:
            broker.bill.sent(who, partition.topic.name, result.size)
        return result.buffers
    _check_client_id(broker, who)
    tally = Tally()

    def add_to_bill(size: int, cpu_ns: int) -> None:
        source = newest if tally.newest is None else tally.newest
        work = Work(source, min(source, newest), tally.units, tally.records, result.size, size, cpu_ns)
        broker.bill.sent_converted(who, partition.topic.name, work)

    stopwatch = Stopwatch(broker.bill.cpu_ns)
    try:
        converted = yield from stopwatch.timed(_converted(broker, partition, result.buffers, offset, newest, tally))
        if broker.profile.fetch.reads_on and not _size(converted):
            converted = yield from stopwatch.timed(_read_on(broker, partition, result, newest, tally))
    except CannotConvertCodec:
        return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    if isinstance(converted, Chunks):
        return [_measured(converted, stopwatch.spent_ns, broker.bill.cpu_ns, add_to_bill)]
    add_to_bill(_size(converted), stopwatch.spent_ns)
    return converted


def _check_client_id(broker: Broker, who: Requester) -> None:
    """Raises `NoClientId`."""
    if who is not NOBODY and who[1] is None and broker.profile.fetch.converts_with_client_id_alone:
        raise NoClientId("a slice is to be converted for a client without an id")


class Stopwatch:
    """Measures the CPU time of work that pauses."""

    def __init__(self, cpu_ns: CpuClock) -> None:
        self._cpu_ns = cpu_ns
        self.spent_ns = 0

    def timed(self, work: Stepwise[T]) -> Stepwise[T]:
        """Do the work and measure it."""
        while True:
            began_ns = self._cpu_ns()
            try:
                next(work)
            except StopIteration as end:
                result: T = end.value
                return result
            finally:
                self.spent_ns += self._cpu_ns() - began_ns
            yield


def _size(made: Made) -> int:
    return len(made) if isinstance(made, Chunks) else size_of(made)


def _measured(made: Chunks, spent_ns: int, cpu_ns: CpuClock, done: Callable[[int, int], None]) -> Chunks:
    """Chunks whose cost is measured: `done` gets size and CPU time when the last one is made for the first time."""
    heard = False

    def give() -> Iterator[Buffer]:
        nonlocal heard
        chunks, left, spent = iter(made), len(made), spent_ns
        while left:
            began_ns = cpu_ns()
            chunk = next(chunks)
            spent += cpu_ns() - began_ns
            left -= len(chunk)
            if not left and not heard:
                heard = True
                done(len(made), spent)
            yield chunk

    return Chunks(len(made), give)


def in_one_format(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """A slice up to where its format changes; bytes after its last whole unit are left out."""
    magic = next((unit.magic for unit in whole_units(pieces)), 0)
    size = sum(unit.size for unit in _of_format(magic, pieces))
    if all(unit.magic == magic for unit in whole_units(pieces)):
        return pieces
    return [Chunks(size, lambda: (unit.data for unit in _of_format(magic, pieces)))]


def _of_format(magic: Magic, pieces: Sequence[Piece]) -> Iterator[Batch]:
    """The units before the first one of another format."""
    return takewhile(lambda unit: unit.magic == magic, whole_units(pieces))


def _is_needed(broker: Broker, partition: Partition, result: Result, offset: Offset, newest: Magic) -> bool:
    """Whether a conversion is tried: as a rule, if the configured format is newer than what the client reads."""
    rule = broker.profile.fetch.converted
    if broker.profile.fetch.conversion_asks == "stored units":
        return broker.profile.fetch.ever_converts and isinstance(result, ReadData) and is_newer(result.buffers, newest)
    if partition.log.config.message_format <= newest:
        return False
    match rule:
        case "always":
            return True
        case "never":
            return False
        case "slices with newer units":
            return isinstance(result, ReadData) and is_newer(result.buffers, newest)
        case "slices where a newer unit starts":
            return isinstance(result, ReadData) and _starts_newer(partition, result, offset, newest)
        case _:
            assert_never(rule)


def _starts_newer(partition: Partition, result: ReadData, offset: Offset, newest: Magic) -> bool:
    log = partition.log
    longer = log.read(offset, result.size + PREFIX.size, log.log_end_offset, False)
    return not isinstance(longer, ErrorCode) and starts_newer(longer.buffers, result.size, newest)


def _converted(
    broker: Broker, partition: Partition, pieces: Sequence[Piece], offset: Offset, newest: Magic, tally: Tally
) -> Stepwise[Made]:
    behaviour = broker.profile.fetch
    dialect, drop_headers = partition.log.config.dialect, behaviour.converted_headers == "dropped"
    rules = Rules(newest, offset, drop_headers, tally, behaviour.conversion_buffer, dialect)
    match behaviour.conversion:
        case "one set":
            ascending = behaviour.converted_offsets == "ascending"
            append = broker.profile.append
            pasted, cut_ends = append.conversion == "cut and paste", append.cut_wrapper == "ends there"
            how = {"pasted": pasted, "ascending": ascending, "cut_ends": cut_ends}
            return (yield from as_one_set(pieces, append.snappy_block, tally, **how))
        case "unit by unit":
            return (yield from unit_by_unit(pieces, rules, raw_if_none_converted=behaviour.sends_unconverted))
        case "lazy":
            return lazily(pieces, rules, nothing_if_no_unit=behaviour.needs_no_filler)
        case "none":
            raise AssertionError(f"{broker.profile.release} converts nothing: `FetchBehaviour.converted` says never")
        case other:
            assert_never(other)


def _read_on(broker: Broker, partition: Partition, read: ReadData, newest: Magic, tally: Tally) -> Stepwise[Made]:
    """The converted units after a slice of which nothing is left; empty at the end of the log."""
    size, log = read.size, partition.log
    last = max((batch.last_offset for batch in whole_units(read.buffers)), default=None)
    while last is not None:
        more = log.read(last + 1, size, partition.high_watermark, True)
        if isinstance(more, ErrorCode):
            break
        converted = yield from _converted(broker, partition, more.buffers, last + 1, newest, tally)
        if _size(converted):
            return converted
        last = max((batch.last_offset for batch in whole_units(more.buffers)), default=None)
    return []
