"""What a Produce request may hold as the records of a partition, by its version (ProduceRequest.validateRecords).

Only the first unit is looked at, and whether there is another. Versions 0 to 2 may hold anything, versions 3+ one batch
of format 2. Releases differ in when they look: while they read the request, which closes the connection, or later.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_PRODUCER_EPOCH, NO_PRODUCER_ID, Buffer, ProducerEpoch, ProducerId
from fakekafka.records import scan
from fakekafka.records.attributes import CODEC
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
    transactional: bool = False
    producer_id: ProducerId = NO_PRODUCER_ID
    producer_epoch: ProducerEpoch = NO_PRODUCER_EPOCH


PLAIN: Final = Look()


def look(records: Buffer, version: int, rules: ProduceBehaviour, knows_zstd: bool) -> Look | None:
    """The first look at a set; None: the request cannot be read, and the connection closes."""
    if version < FIRST_OF_ONE_BATCH and not rules.transactional_id_checked:
        return PLAIN
    walk = scan.units(records)
    try:
        first = next(walk, None)
    except CorruptUnit:
        return _malformed(version, rules, ErrorCode.CORRUPT_MESSAGE)
    if first is None:
        return _malformed(version, rules, rules.not_one_batch or ErrorCode.NONE)
    if version >= FIRST_OF_ONE_BATCH:
        error = _fault(first, walk, records, version, rules, knows_zstd)
        if error is None:
            return None
        if error is not ErrorCode.NONE:
            return Look(error)
    if first.magic < 2 or first.size < HEADER_BYTES:
        return PLAIN
    batch = RecordBatch(memoryview(records)[: first.size])
    return Look(ErrorCode.NONE, batch.is_transactional, batch.producer_id, batch.producer_epoch)


def _malformed(version: int, rules: ProduceBehaviour, error: ErrorCode) -> Look | None:
    """A set that is empty, or whose first unit is cut or impossible. Old versions leave it to the log."""
    if version < FIRST_OF_ONE_BATCH:
        return None if rules.malformed_entry == "close" else PLAIN
    return None if rules.malformed_batch == "close" else Look(error)


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
