"""Whether a fetched slice is converted for a client that cannot read its format, and by which generation's way.

The fact to know: what counts is the format that the topic is configured with, not the one that is stored. So a client
gets bytes that it cannot read where the format was lowered after newer ones had been written (FORMAT-LOWERED).
KafkaApis.handleFetchRequest; the conversions themselves are in `records.down_convert`.
"""

from collections.abc import Sequence
from itertools import takewhile

from fakekafka.broker.broker import Broker
from fakekafka.broker.conversion_bill import NOBODY, Who, Work
from fakekafka.broker.partition import Partition
from fakekafka.broker.reading import Found, Result
from fakekafka.errors import ErrorCode
from fakekafka.ids import Buffer, Magic, Offset
from fakekafka.records.down_convert import (
    CannotConvertZstd,
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


def refuses_zstd(broker: Broker, partition: Partition | None) -> bool:
    """Is a partition closed to clients that cannot read zstd, because of its compression.type (KIP-110)?"""
    rule = broker.profile.fetch.zstd_topics
    if partition is None:
        return rule == "refused, unknown too"
    return rule != "served" and partition.log.config.compression_type == "zstd"


def readable(
    broker: Broker,
    partition: Partition,
    result: Result,
    offset: Offset,
    newest: Magic,
    follower: bool,
    who: Who = NOBODY,
) -> Sequence[Buffer] | ErrorCode:
    """The records of a read at `offset`, for a client that reads formats up to `newest`; or its error.

    `who` stands on the bill. Raises any `MalformedBytes` where an exception of the real broker fails the whole
    request, and `ConversionBreaksOff`.
    """
    config = partition.log.config
    convert = _is_needed(broker, partition, result, offset, newest)
    if convert and not (follower or config.message_downconversion_enable):
        return ErrorCode.UNSUPPORTED_VERSION
    if isinstance(result, ErrorCode):
        return result
    if not convert:
        if result.size:
            broker.bill.sent(who, partition.topic.name, result.size)
        return result.buffers
    began_ns, tally = broker.bill.cpu_ns(), Tally()
    try:
        converted = _converted(broker, result.buffers, offset, newest, tally)
        if broker.profile.fetch.nothing_converted == "read on":
            converted = converted if any(map(len, converted)) else _read_on(broker, partition, result, newest, tally)
    except CannotConvertZstd:
        return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    spent_ns = broker.bill.cpu_ns() - began_ns
    broker.bill.sent_converted(who, partition.topic.name, _work(result, converted, newest, tally, spent_ns))
    return converted


def _work(found: Found, converted: Sequence[Buffer], newest: Magic, tally: Tally, cpu_ns: int) -> Work:
    source = max((batch.magic for batch in whole_units(found.buffers)), default=newest)
    size = sum(map(len, converted))
    return Work(source, min(source, newest), tally.units, tally.records, found.size, size, cpu_ns)


def in_one_format(pieces: Sequence[Buffer]) -> Sequence[Buffer]:
    """A slice up to where its format changes; bytes behind its last whole unit are left out."""
    units = list(whole_units(pieces))
    alike = list(takewhile(lambda unit: unit.magic == units[0].magic, units))
    return pieces if len(alike) == len(units) else [unit.data for unit in alike]


def _is_needed(broker: Broker, partition: Partition, result: Result, offset: Offset, newest: Magic) -> bool:
    """Is a conversion tried? Where the configured format is newer than what the client reads, and more besides."""
    rule = broker.profile.fetch.converted
    if broker.profile.fetch.conversion_asks == "stored units":
        return rule != "never" and isinstance(result, Found) and is_newer(result.buffers, newest)
    if partition.log.config.message_format <= newest:
        return False
    if rule in ("always", "never"):
        return rule == "always"
    if not isinstance(result, Found):
        return False
    if rule == "slices with newer units":
        return is_newer(result.buffers, newest)
    log = partition.log
    longer = log.read(offset, result.size + PREFIX.size, log.log_end_offset, False)
    return not isinstance(longer, ErrorCode) and starts_newer(longer.buffers, result.size, newest)


def _converted(
    broker: Broker, pieces: Sequence[Buffer], offset: Offset, newest: Magic, tally: Tally
) -> Sequence[Buffer]:
    behaviour = broker.profile.fetch
    rules = Rules(newest, offset, behaviour.converted_headers == "dropped", tally)
    if behaviour.conversion == "one set":
        return as_one_set(pieces, broker.profile.append.snappy_block, tally)
    if behaviour.conversion == "unit by unit":
        return unit_by_unit(pieces, rules, raw_if_none_converted=behaviour.nothing_converted == "raw")
    return lazily(pieces, rules, nothing_if_no_unit=behaviour.nothing_converted == "nothing")


def _read_on(broker: Broker, partition: Partition, found: Found, newest: Magic, tally: Tally) -> Sequence[Buffer]:
    """What comes out of the units behind a slice of which nothing is left; nothing where the log ends."""
    size, log = found.size, partition.log
    last = max((batch.last_offset for batch in whole_units(found.buffers)), default=None)
    while last is not None:
        more = log.read(last + 1, size, partition.high_watermark, True)
        if isinstance(more, ErrorCode):
            break
        converted = _converted(broker, more.buffers, last + 1, newest, tally)
        if any(map(len, converted)):
            return converted
        last = max((batch.last_offset for batch in whole_units(more.buffers)), default=None)
    return []
