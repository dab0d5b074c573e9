"""What is odd about one unit of the log, wherever it was found: in an answer or in a segment."""

from typing import Final

from fakekafka.errors import MalformedBytes
from fakekafka.records.batch import Batch
from fakekafka.records.compression import SNAPPY
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.message import Message
from fakekafka.records.record import Record
from fakekafka.records.scan import units, view

XERIAL_HEADER: Final = b"\x82SNAPPY\x00"
XERIAL_HEADER_BYTES: Final = 16
SMALL_BLOCK: Final = 1024


def batches(data: bytes) -> list[Batch]:
    """The complete units of a set, up to the first that is invalid."""
    complete: list[Batch] = []
    try:
        complete.extend(view(data, unit) for unit in units(data))
    except CorruptUnit:
        return complete
    return complete


def records_of(batch: Batch) -> list[Record]:
    """The records of a batch; none if they cannot be read."""
    try:
        return list(batch.records())
    except MalformedBytes:
        return []


def has_headers(batch: Batch) -> bool:
    """Whether a record of the batch has headers."""
    return batch.magic > 1 and not batch.is_control and any(record.headers for record in records_of(batch))


def holes_in_wrapper(unit: Batch) -> str | None:
    """A compacted set of format 1: offsets inside it that are not consecutive."""
    if not isinstance(unit, Message) or unit.magic != 1 or not unit.codec:
        return None
    offsets = [record.offset for record in records_of(unit)]
    holes = bool(offsets) and offsets[-1] - offsets[0] >= len(offsets)
    return f"the set that ends at offset {unit.last_offset} lacks some of its messages" if holes else None


def wrong_wrapper_time(unit: Batch) -> str | None:
    """A wrapper whose timestamp is not the largest one inside, though producers' times are kept (0.10.0)."""
    if not isinstance(unit, Message) or unit.magic != 1 or not unit.codec or unit.timestamp_type != 0:
        return None
    largest = max((record.timestamp for record in records_of(unit)), default=unit.max_timestamp)
    if largest in (unit.max_timestamp, -1):
        return None
    return f"the set that ends at offset {unit.last_offset} has timestamp {unit.max_timestamp}, its newest {largest}"


def small_snappy_blocks(unit: Batch) -> str | None:
    """A set that is compressed with snappy in several blocks of 1 KiB (0.10.2)."""
    if not isinstance(unit, Message) or unit.codec != SNAPPY:
        return None
    sizes = _block_sizes(bytes(unit.data))
    if len(sizes) < 2 or set(sizes[:-1]) != {SMALL_BLOCK}:
        return None
    return f"the set that ends at offset {unit.last_offset} has {len(sizes)} snappy blocks of {SMALL_BLOCK} bytes"


def _block_sizes(data: bytes) -> list[int]:
    """The sizes, before compression, of the blocks of a snappy stream as Java writes it."""
    at = data.find(XERIAL_HEADER) + XERIAL_HEADER_BYTES
    sizes = []
    while XERIAL_HEADER_BYTES <= at < len(data) - 4:
        length = int.from_bytes(data[at : at + 4], "big")
        sizes.append(_varint(data[at + 4 : at + 9]))
        at += 4 + length
    return sizes


def _varint(data: bytes) -> int:
    """The unsigned number with which a snappy block begins."""
    value = 0
    for n, byte in enumerate(data):
        value |= (byte & 0x7F) << 7 * n
        if not byte & 0x80:
            break
    return value
