"""Signs in the answers to Fetch requests, and in what consumers ask for next."""

from collections.abc import Iterator, Mapping
from typing import Final

from fakekafka.bugs.signs.journals.exchange import FIRST_WITH_TOPIC_IDS, Exchange, Given
from fakekafka.bugs.signs.journals.history import History, Sign
from fakekafka.bugs.signs.units import (
    has_headers,
    holes_in_wrapper,
    records_of,
    small_snappy_blocks,
    wrong_wrapper_time,
)
from fakekafka.errors import ErrorCode
from fakekafka.inspection.journal_lines import ANOTHER_LAYOUT
from fakekafka.records.batch import Batch
from fakekafka.wire.plain import HEX

FILLER: Final = "ffffffffffffffff0000003d"
USUAL_BYTES: Final = 4096
"""Consumers that ask for less may get nothing for that reason alone."""
FIRST_OF_FORMAT_2: Final = 4
UNIT_HEADER_BYTES: Final = 12


# ---- conversions


def _fails(exchange: Exchange) -> list[Given]:
    """The partitions of a fetch that had to be converted, if all of them got -1."""
    sound = all(given.max_bytes > 0 for given in exchange.given)
    codes = {given.error for given in exchange.given}
    converted = 2 <= exchange.version < FIRST_OF_FORMAT_2
    return exchange.given if converted and sound and codes == {ErrorCode.UNKNOWN_SERVER_ERROR} else []


def _is_mixed(given: Given, history: History) -> bool:
    """Whether compressed batches of format 2 came before older units."""
    seen = False
    for unit in history.batches(given.place):
        if unit.magic < 2 and seen:
            return True
        seen = seen or (unit.magic == 2 and unit.codec != 0)
    return False


def kafka_6739(exchange: Exchange, history: History) -> str | None:
    failed = _fails(exchange)
    is_nameless = exchange.line.client_id is None  # up to 0.10.1 such fetches fail anyway
    unknown = not (is_nameless or any(history.taken[given.place] for given in failed))
    headers = any(has_headers(unit) for given in failed for unit in history.batches(given.place))
    return "every partition of the fetch got -1" if failed and (headers or unknown) else None


def kafka_8570(exchange: Exchange, history: History) -> str | None:
    if any(_is_mixed(given, history) for given in _fails(exchange)):
        return "a fetch of compressed batches of format 2, and of an older unit after them, got -1"
    return None


def empty_converted(exchange: Exchange, history: History) -> str | None:
    if exchange.version >= FIRST_OF_FORMAT_2 or any(given.data for given in exchange.given) or _has_waited(exchange):
        return None
    for given in exchange.given:
        waits = given.error == ErrorCode.NONE and given.high_watermark > given.offset >= 0
        has_room = given.max_bytes >= USUAL_BYTES and not (exchange.version < 3 and history.is_too_large(given))
        if waits and has_room and history.in_vain(exchange, given):
            return f"{given}: nothing at {given.offset}, again and again, though there is more"
    return None


def _has_waited(exchange: Exchange) -> bool:
    """Whether the broker has waited for records as long as it was asked to: then it had none to lose."""
    took_ms = exchange.line.took_ms
    return took_ms is not None and 0 < exchange.line.request.get("max_wait_ms", 0) <= took_ms


def kip_283_overflow(exchange: Exchange, _: History) -> str | None:
    is_filler = any(given.data.hex().startswith(FILLER) for given in exchange.given)
    return "an answer that is nothing but a filler" if is_filler else None


def kafka_7030(exchange: Exchange, _: History) -> str | None:
    old = exchange.version < FIRST_OF_FORMAT_2
    return "error 35" if old and _has(exchange, ErrorCode.UNSUPPORTED_VERSION) else None


def whole_slice(exchange: Exchange, history: History) -> str | None:
    for given in exchange.given if exchange.version < 2 else ():
        for unit in given.batches:
            offsets = [record.offset for record in records_of(unit)] if unit.codec else [0]
            sent = [one for one in history.taken[given.place] if any(batch.magic == 1 for batch in one.batches)]
            sets = sum(offsets[0] <= one.base_offset <= offsets[-1] for one in sent if offsets)
            if unit.codec and sets > 1:
                return f"{given}: {sets} sets that were produced come as one"
    return None


def kafka_12944(exchange: Exchange, history: History) -> str | None:
    for given in exchange.given:
        old = {sent.base_offset for sent in history.taken[given.place] if any(unit.magic < 2 for unit in sent.batches)}
        if any(unit.magic == 2 and unit.base_offset in old for unit in given.batches):
            return f"{given}: what an old producer wrote is stored in format 2"
    return None


# ---- formats


def format_lowered(exchange: Exchange, history: History) -> str | None:
    reads = 0 if exchange.version < 2 else 1
    for given in exchange.given if exchange.version < FIRST_OF_FORMAT_2 else ():
        newer = [unit for unit in given.batches if unit.magic > reads and not unit.is_control]
        blind = any(sent.version < 2 and unit.magic for sent in history.taken[given.place] for unit in sent.batches)
        if newer and not blind:  # a broker that is blind to formats stores whatever it gets
            return f"{given}: units of format {newer[0].magic} in a version that reads {reads}"
    return None


def mixed_magic(exchange: Exchange, _: History) -> str | None:
    for given in exchange.given:
        magics = {unit.magic for unit in given.batches}
        if len(magics) > 1:
            return f"{given}: formats {', '.join(map(str, sorted(magics)))} in one answer"
    return None


def wrapper_ts(exchange: Exchange, _: History) -> str | None:
    return next((f"{given}: {seen}" for given, unit in _units(exchange) if (seen := wrong_wrapper_time(unit))), None)


def kafka_5236(exchange: Exchange, _: History) -> str | None:
    return next((f"{given}: {seen}" for given, unit in _units(exchange) if (seen := small_snappy_blocks(unit))), None)


def v1_holes(exchange: Exchange, _: History) -> str | None:
    return next((f"{given}: {seen}" for given, unit in _units(exchange) if (seen := holes_in_wrapper(unit))), None)


def zstd_old_fetch(exchange: Exchange, _: History) -> str | None:
    is_refused = _has(exchange, ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
    return "error 76" if is_refused and exchange.version < 10 else None


# ---- consumers that stand still


def kip_74_stuck(exchange: Exchange, _: History) -> str | None:
    for given in exchange.given if exchange.version < 3 else ():
        if not given.batches and UNIT_HEADER_BYTES <= len(given.data) == given.max_bytes:
            size = UNIT_HEADER_BYTES + int.from_bytes(given.data[8:UNIT_HEADER_BYTES], "big")
            if size > given.max_bytes:
                return f"{given}: {given.max_bytes} bytes of a message of {size} at {given.offset}"
    return None


def kafka_5443(exchange: Exchange, history: History) -> str | None:
    for given in exchange.given:
        first = given.batches[:1]
        if first and first[0].magic == 2 and first[0].count and first[0].base_offset < given.offset:
            missing = not _reaches(first[0], given.offset)
            if missing and history.in_vain(exchange, given):
                return f"{given}: offset {given.offset} asked again and again, where a batch has lost its end"
    return None


def _reaches(batch: Batch, offset: int) -> bool:
    """Whether there is a record at `offset` or after it, or none can be read."""
    rows = records_of(batch)
    return not rows or rows[-1].offset >= offset


def control_only(exchange: Exchange, history: History) -> str | None:
    for given in exchange.given:
        first = given.batches[:1]
        if first and first[0].is_control and history.in_vain(exchange, given):
            return f"{given}: offset {given.offset} asked again and again, where there is a marker"
    return None


def kafka_5490(exchange: Exchange, history: History) -> str | None:
    for given in exchange.given:
        first = given.batches[:1]
        empty = first and first[0].magic == 2 and not first[0].count
        if empty and history.in_vain(exchange, given):
            return f"{given}: offset {given.offset} asked again and again, where there is a batch without records"
    return None


# ---- versions and ids


def zero_topic_id(exchange: Exchange, history: History) -> str | None:
    if (
        exchange.api != "Fetch"
        or exchange.version < FIRST_WITH_TOPIC_IDS
        or exchange.line.broker in history.trusted_topic_ids
    ):
        return None
    zero = any(not any(bytes.fromhex(topic["topic_id"][HEX])) for topic in exchange.line.request["topics"])
    return "a topic id of zeros got error 100" if zero and _has(exchange, ErrorCode.UNKNOWN_TOPIC_ID) else None


def kip_896_removal(exchange: Exchange, history: History) -> str | None:
    first = {"Fetch": FIRST_OF_FORMAT_2, "Produce": 3}.get(exchange.api, 0)
    old = 1 < exchange.version < first
    served = history.answered[exchange.line.broker, exchange.api]
    return "closed" if old and exchange.ends_closed and not any(version < first for version in served) else None


def kafka_3427(exchange: Exchange, _: History) -> str | None:
    other = exchange.line.error == ANOTHER_LAYOUT and exchange.api in ("Fetch", "Produce") and exchange.version == 1
    return "the answer cannot be read as version 1" if other else None


def _has(exchange: Exchange, error: ErrorCode) -> bool:
    return any(given.error == error for given in exchange.given)


def _units(exchange: Exchange) -> Iterator[tuple[Given, Batch]]:
    return ((given, unit) for given in exchange.given for unit in given.batches)


SIGNS: Final[Mapping[str, Sign]] = {
    "KAFKA-6739": kafka_6739, "KAFKA-8570": kafka_8570, "EMPTY-CONVERTED": empty_converted,
    "KIP-283-OVERFLOW": kip_283_overflow, "KAFKA-7030": kafka_7030, "WHOLE-SLICE-0.10": whole_slice,
    "KAFKA-12944": kafka_12944, "FORMAT-LOWERED": format_lowered, "MIXED-MAGIC": mixed_magic,
    "WRAPPER-TS-0.10.0": wrapper_ts, "KAFKA-5236": kafka_5236, "V1-HOLES": v1_holes, "ZSTD-OLD-FETCH": zstd_old_fetch,
    "KIP-74-STUCK": kip_74_stuck, "KAFKA-5443": kafka_5443, "CONTROL-ONLY": control_only, "KAFKA-5490": kafka_5490,
    "ZERO-TOPIC-ID": zero_topic_id, "KIP-896-REMOVAL": kip_896_removal, "KAFKA-3427": kafka_3427,
}  # fmt: skip
