"""What a Produce request may hold as the records of a partition, by its version (ProduceRequest.validateRecords).

Only the first unit is looked at, and whether there is another. Versions 0 to 2 may hold anything, versions 3+ one batch
of format 2. Releases differ in when they look: while they read the request, which closes the connection, or later.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, NO_SEQUENCE, Buffer, ProducerEpoch, ProducerId, Sequence
from fakekafka.records import scan
from fakekafka.records.attributes import CODEC, TRANSACTIONAL
from fakekafka.records.compression import ZSTD
from fakekafka.records.malformed import CorruptUnit
from fakekafka.records.v2 import ATTRIBUTES_AT, HEADER_BYTES, RecordBatch
from fakekafka.releases.behaviours.produce import ProduceBehaviour

FIRST_OF_ONE_BATCH: Final = 3
"""KIP-98: from this version on a set is one batch of format 2."""
FIRST_OF_ZSTD: Final = 7
"""KIP-110."""


class Look(NamedTuple):
    """What the first look at a set says."""

    error: ErrorCode = ErrorCode.NONE
    spoils: str | None = None
    """The set fails the whole request, with this message."""
    transactional: bool = False
    producer_id: ProducerId = NO_PRODUCER_ID
    producer_epoch: ProducerEpoch = NO_PRODUCER_EPOCH
    base_sequence: Sequence = NO_SEQUENCE


PRODUCER_END: Final = 51
"""Where the producer id of a batch ends. Releases that look at it while they read the request want it to be there."""
PLAIN: Final = Look()


def look(records: Buffer, version: int, rules: ProduceBehaviour, knows_zstd: bool) -> Look | None:
    """The first look at a set; None: the request cannot be read, and the connection closes."""
    if version >= FIRST_OF_ZSTD and len(records) >= HEADER_BYTES:  # a whole batch and nothing else, as nearly always
        _, size, magic = scan.PREFIX.unpack_from(records)
        if magic == 2 and size == len(records) - scan.LOG_OVERHEAD and not records[ATTRIBUTES_AT + 1] & TRANSACTIONAL:
            return PLAIN
    if version < FIRST_OF_ONE_BATCH and not rules.transactional_id_checked:
        return PLAIN
    walk = scan.units(records)
    try:
        first = next(walk, None)
    except CorruptUnit:
        return None if _closes(version, rules) else Look(ErrorCode.CORRUPT_MESSAGE, _complaint(records))
    if first is None:
        return None if _closes(version, rules) else _empty(version, rules)
    if first.magic >= 2 and first.size < PRODUCER_END and _closes(version, rules):
        return None
    error = ErrorCode.NONE
    if version >= FIRST_OF_ONE_BATCH:
        fault = _fault(first, walk, records, version, rules, knows_zstd)
        if fault is None:
            return None
        error = fault
    if first.magic < 2 or first.size < HEADER_BYTES:
        return Look(error) if error else PLAIN
    batch = RecordBatch(memoryview(records)[: first.size])
    producer = batch.producer_id, batch.producer_epoch, batch.base_sequence
    return Look(error, None, batch.is_transactional, *producer)


def _closes(version: int, rules: ProduceBehaviour) -> bool:
    """Whether a set that is empty, or whose first unit is cut or impossible, closes the connection."""
    return (rules.malformed_entry if version < FIRST_OF_ONE_BATCH else rules.malformed_batch) == "close"


def _empty(version: int, rules: ProduceBehaviour) -> Look:
    """A set without a whole unit. Old versions leave it to the log, which appends nothing."""
    return PLAIN if version < FIRST_OF_ONE_BATCH else Look(rules.not_one_batch or ErrorCode.NONE)


def _complaint(records: Buffer) -> str:
    """What brokers say of a unit of impossible size or magic (ByteBufferLogInputStream)."""
    _, size, magic = scan.PREFIX.unpack_from(bytes(records[: scan.PREFIX.size]).ljust(scan.PREFIX.size, b"\0"))
    if size < scan.MIN_SIZE:
        return f"Record size {size} is less than the minimum record overhead ({scan.MIN_SIZE})"
    return f"Invalid magic found in record: {magic}"


def _fault(
    first: scan.Unit,
    rest: Iterator[scan.Unit],
    records: Buffer,
    version: int,
    rules: ProduceBehaviour,
    knows_zstd: bool,
) -> ErrorCode | None:
    """What is wrong with a set that should be one batch; None: it closes the connection."""
    if first.magic != 2:
        return rules.not_one_batch
    if version < FIRST_OF_ZSTD and knows_zstd and records[ATTRIBUTES_AT + 1] & CODEC == ZSTD:
        return None if rules.not_one_batch is None else ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
    try:
        return ErrorCode.NONE if next(rest, None) is None else rules.not_one_batch
    except CorruptUnit:
        return None if rules.not_one_batch is None else ErrorCode.CORRUPT_MESSAGE
