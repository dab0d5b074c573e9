"""Signs in Produce requests and their answers."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from fakekafka.bugs.signs.journals.exchange import Exchange, Sent
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.bugs.signs.units import has_headers, records_of
from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import TimestampMs
from fakekafka.records.batch import Batch
from fakekafka.records.compression import LZ4, ZSTD
from fakekafka.records.message import MAGIC_AT, Message
from fakekafka.records.record import Record

YEAR_MS: Final = 365 * 86_400_000
LZ4_MAGIC: Final = bytes.fromhex("04224d18")
LZ4_INDEPENDENT: Final = 0x20
"""The bit of the byte after the magic number that says that no block needs the one before it."""


def _of(exchange: Exchange, error: ErrorCode) -> Iterator[Sent]:
    return (sent for sent in exchange.sent if sent.error == error)


def kafka_7549(exchange: Exchange, _: History) -> str | None:
    odd = any(len(sent.batches) != 1 for sent in exchange.sent)
    if exchange.version >= 3 and exchange.ends_closed and odd:
        return "records that are not one batch, and the connection was closed"
    return None


def kafka_9492(exchange: Exchange, _: History) -> str | None:
    codes = {sent.error for sent in exchange.sent}
    differ = len({sent.data for sent in exchange.sent}) > 1
    if exchange.line.request.get("transactional_id") is None and any(
        batch.is_transactional for sent in exchange.sent for batch in sent.batches
    ):
        return None  # brokers of 2.0 with an authorizer refuse that with -1
    if exchange.version < 8 and differ and codes == {ErrorCode.UNKNOWN_SERVER_ERROR}:
        return "every partition got -1, though their records differ"
    return None


def kafka_9669(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.INVALID_RECORD):
        if any(unit.magic == 1 and unit.codec and _is_numbered_oddly(unit) for unit in sent.batches):
            return "a compressed set of format 1, whose offsets do not count from 0, got 87"
    return None


def _is_numbered_oddly(batch: Batch) -> bool:
    """Whether the offsets inside a wrapper are not consecutive."""
    offsets = [record.offset for record in records_of(batch)]
    return any(after - before != 1 for before, after in pairwise(offsets))


def kafka_6554(exchange: Exchange, _: History) -> str | None:
    for sent in exchange.taken:
        for unit in sent.batches:
            if unit.magic == 2 and unit.count != unit.last_offset - unit.base_offset + 1:
                return f"a batch that says {unit.count} records and offsets up to {unit.last_offset} was taken"
    return None


def kafka_5365(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.CORRUPT_MESSAGE):
        for unit in sent.batches:
            if unit.magic == 1 and unit.codec and unit.last_offset < 0 and unit.crc_ok():
                return f"a wrapper of offset {unit.last_offset} got 2, and its checksum is right"
    return None


def kafka_3160(exchange: Exchange, _: History) -> str | None:
    codes = {
        sent.error for sent in exchange.sent if any(unit.magic == 0 and _is_good_lz4(unit) for unit in sent.batches)
    }
    return "a good LZ4 set of format 0 got -1" if codes == {ErrorCode.UNKNOWN_SERVER_ERROR} else None


def _is_good_lz4(batch: Batch) -> bool:
    return batch.codec == LZ4 and batch.crc_ok() and bool(records_of(batch))


def lz4_flags(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.UNKNOWN_SERVER_ERROR):
        if any(unit.codec == LZ4 and _blocks_are_linked(unit) for unit in sent.batches):
            return "an LZ4 frame whose blocks are linked got -1"
    return None


def _blocks_are_linked(batch: Batch) -> bool:
    data = bytes(batch.data)
    at = data.find(LZ4_MAGIC) + len(LZ4_MAGIC)
    return len(LZ4_MAGIC) <= at < len(data) and not data[at] & LZ4_INDEPENDENT


def kpy_718(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.CORRUPT_MESSAGE):
        if any(isinstance(unit, Message) and unit.codec and _is_nested(unit) for unit in sent.batches):
            return "a compressed set inside a compressed set got 2"
    return None


def _is_nested(wrapper: Message) -> bool:
    try:
        return any(inner.codec for inner in wrapper.inside())
    except MalformedBytes:
        return False


def kafka_6739_up(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.UNKNOWN_SERVER_ERROR):
        if any(unit.magic == 2 and has_headers(unit) for unit in sent.batches):
            return "records with headers got -1"
    return None


def kafka_8428(exchange: Exchange, _: History) -> str | None:
    for sent in exchange.taken:
        if sum(unit.magic < 2 and unit.codec != 0 for unit in sent.batches) > 1:
            return f"several compressed sets for {sent.topic}-{sent.partition} in one request were taken"
    return None


def blind_magic(exchange: Exchange, _: History) -> str | None:
    for sent in exchange.taken if exchange.version < 2 else ():
        magic = int.from_bytes(sent.data[MAGIC_AT : MAGIC_AT + 1], "big")
        if magic > 0:
            return f"a message of format {magic} was taken in a version that has format 0"
    return None


def kafka_7920(exchange: Exchange, _: History) -> str | None:
    zstd = any(unit.codec == ZSTD for sent in exchange.taken for unit in sent.batches)
    return "records compressed with zstd were taken" if zstd else None


def kafka_5700(exchange: Exchange, history: History) -> str | None:
    for sent in exchange.sent:
        key = (exchange.line.connection, sent.place)
        rows = [record for unit in sent.batches for record in records_of(unit)]
        if sent.error == ErrorCode.MESSAGE_TOO_LARGE:
            history.too_large[key] = [row for row in rows if row.headers]
        elif any(_lost_headers(row, before) for row in rows for before in history.too_large.get(key, ())):
            return "a record came with headers in a batch that was too large, and then without"
    return None


def _lost_headers(row: Record, before: Record) -> bool:
    same = (row.key, row.value, row.timestamp) == (before.key, before.value, before.timestamp)
    return same and not row.headers


# ---- timestamps


def tsdiff_no_timestamp(exchange: Exchange, _: History) -> str | None:
    for sent in _of(exchange, ErrorCode.INVALID_TIMESTAMP):
        if any(unit.magic == 0 for unit in sent.batches):
            return "records without timestamps got 32"
    return None


def kafka_6482(exchange: Exchange, _: History) -> str | None:
    late = [time for time in _timestamps(exchange) if time > exchange.line.at_ms + 10 * YEAR_MS]
    return f"timestamp {late[0]}, more than ten years ahead" if late else None


def seconds_as_ms(exchange: Exchange, _: History) -> str | None:
    early = [time for time in _timestamps(exchange) if 10**9 < time < 10**10]
    return f"timestamp {early[0]} is in 1970, as if seconds were taken for milliseconds" if early else None


def kafkajs_188(exchange: Exchange, _: History) -> str | None:
    firsts = (records_of(unit)[:1] for sent in exchange.taken for unit in sent.batches if unit.magic == 2)
    return "records with timestamp 0 were taken" if any(row.timestamp == 0 for rows in firsts for row in rows) else None


def _timestamps(exchange: Exchange) -> Iterator[TimestampMs]:
    """The largest timestamp of each accepted batch."""
    return (unit.max_timestamp for sent in exchange.taken for unit in sent.batches if unit.magic)


def unsupported_format_43(exchange: Exchange, _: History) -> str | None:
    return "error 43" if any(_of(exchange, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT)) else None


SIGNS: Final[Mapping[str, Sign]] = {
    "KAFKA-7549": kafka_7549, "KAFKA-9492": kafka_9492, "KAFKA-9669": kafka_9669, "KAFKA-6554": kafka_6554,
    "KAFKA-5365": kafka_5365, "KAFKA-3160": kafka_3160, "LZ4-FLAGS": lz4_flags, "KPY-718": kpy_718,
    "KAFKA-6739-UP": kafka_6739_up, "KAFKA-8428": kafka_8428, "BLIND-MAGIC-0.9": blind_magic,
    "KAFKA-7920": kafka_7920, "KAFKA-5700": kafka_5700, "TSDIFF-NO-TIMESTAMP": tsdiff_no_timestamp,
    "KAFKA-6482": kafka_6482, "SECONDS-AS-MS": seconds_as_ms, "KAFKAJS-188": kafkajs_188,
    "UNSUPPORTED-FORMAT-43": unsupported_format_43,
}  # fmt: skip
