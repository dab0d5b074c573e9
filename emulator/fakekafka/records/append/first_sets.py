"""What becomes of a set on its way into a log of KIP-98's first draft.

what comes                          what is stored
one set of the draft, in order      the same bytes; only the offset is stamped, which no checksum covers
the same, under LogAppendTime or    the set, built again
  another compression.type
batches and messages of releases    one set of the draft: unmodified producers are served, their headers are lost
"""

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import Buffer, Offset, TimestampMs
from fakekafka.records import scan
from fakekafka.records.append.prepared import AppendTarget, CpuClock, How, Prepared, SetRefused, limits
from fakekafka.records.attributes import CODEC, LOG_APPEND_TIME, TRANSACTIONAL
from fakekafka.records.drafts import kip98
from fakekafka.records.drafts.first_set import FirstSet, is_first_set, set_of, with_append_time
from fakekafka.records.drafts.kip98 import DraftSet
from fakekafka.records.malformed import CorruptUnit, InvalidRecord
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.append import AppendBehaviour


def prepare(
    data: Buffer,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    now: TimestampMs,
    _from_client: bool,
    _cpu_ns: CpuClock,
) -> Prepared | None:
    """See `append.Prepare`."""
    try:
        units = [memoryview(data)[u.position : u.position + u.size] for u in scan.units(data)]
        if not units:
            return None
        if len(units) == 1 and is_first_set(units[0]):
            return _first_set(units[0], target, rules, start, now)
        return _converted(units, target, rules, start, now)
    except InvalidRecord:
        raise SetRefused(rules.invalid_record) from None
    except CorruptUnit:
        raise SetRefused(ErrorCode.CORRUPT_MESSAGE) from None
    except MalformedBytes:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR) from None


def _first_set(
    unit: memoryview, target: AppendTarget, rules: AppendBehaviour, start: Offset, now: TimestampMs
) -> Prepared:
    batch = FirstSet(unit)
    contents = batch.contents
    offsets = [message.offset - batch.base_offset for message in contents.messages]
    if offsets != list(range(batch.last_offset_delta + 1)):
        raise SetRefused(rules.invalid_record)
    _check(list(batch.records()), target, rules, now)
    wanted = batch.codec if target.codec is None else target.codec
    if wanted == batch.codec and not target.append_time and not batch.attributes & LOG_APPEND_TIME:
        unit[:8] = start.to_bytes(8, "big")
        return _prepared(unit, start, How.KEPT, target)
    attributes = contents.attributes & ~CODEC & ~LOG_APPEND_TIME | wanted
    moved = tuple(message._replace(offset=start + n) for n, message in enumerate(contents.messages))
    made = contents._replace(messages=moved, attributes=attributes, max_timestamp=None, offsets=None)
    return _prepared(kip98.encode(_timed(made, target, now)), start, How.REBUILT, target)


def _converted(
    units: list[memoryview], target: AppendTarget, rules: AppendBehaviour, start: Offset, now: TimestampMs
) -> Prepared:
    """Batches and messages of releases, as one set."""
    batches = [batch for unit in units for batch in scan.batches(unit)]
    if not all(batch.crc_ok() for batch in batches):
        raise SetRefused(ErrorCode.CORRUPT_MESSAGE)
    records = [record for batch in batches for record in batch.records()]
    _check(records, target, rules, now)
    first = batches[0]
    attributes = first.codec if target.codec is None else target.codec
    attributes |= TRANSACTIONAL if first.is_transactional else 0
    like = DraftSet((), attributes, first.producer_id, first.producer_epoch, first.base_sequence)
    moved = [record._replace(offset=start + n) for n, record in enumerate(records)]
    made = set_of(moved, _timed(like, target, now), control=first.is_control)
    return _prepared(made, start, How.CONVERTED, target)


def _timed(contents: DraftSet, target: AppendTarget, now: TimestampMs) -> DraftSet:
    return with_append_time(contents, now) if target.append_time else contents


def _check(records: list[Record], target: AppendTarget, rules: AppendBehaviour, now: TimestampMs) -> None:
    """Refuse records that the topic does not take."""
    if not records or (target.compacted and any(record.key is None for record in records)):
        raise SetRefused(rules.invalid_record)
    bounds = limits(target, now)
    if bounds is not None and not all(bounds[0] <= record.timestamp <= bounds[1] for record in records):
        raise SetRefused(ErrorCode.INVALID_TIMESTAMP)


def _prepared(data: Buffer, start: Offset, how: How, target: AppendTarget) -> Prepared:
    batch = FirstSet(data)
    if batch.size > target.max_bytes:
        raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)
    return Prepared(data, start, batch.last_offset, batch.max_timestamp, batch.last_offset, [batch], how)
