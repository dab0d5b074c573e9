"""How brokers from 0.11 on make a set of batches ready for a log (LogValidator.validateMessagesAndAssignOffsets).

    what comes                                   what is stored
    uncompressed, in the target's format         the same bytes; offsets, leader epoch and times stamped in place
    compressed, format and codec as wanted,      the same bytes, stamped likewise
      offsets in order (never in format 0)
    anything else                                all records of the set, in one new batch or wrapper; plain messages of
                                                 formats 0 and 1 are units of their own

In place, the record bytes are neither copied nor read into objects: that is the hot path. When rebuilding, the records
of only one set are in memory at a time.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import (
    NO_OFFSET,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_TIMESTAMP,
    Buffer,
    CodecId,
    Offset,
    TimestampMs,
)
from fakekafka.records import message, scan, v0, v1, v2
from fakekafka.records.append.checks import (
    check_company,
    check_header,
    check_records,
    check_sizes,
    checked_batches,
    error_of,
    gaps,
    last_codec,
    reads_whole,
)
from fakekafka.records.append.prepared import (
    KEPT,
    STAMPED,
    AppendTarget,
    CpuClock,
    How,
    Prepared,
    RecordError,
    SetRefused,
    indexes_old_format,
)
from fakekafka.records.append.record_checks import as_read, check_magics, message_error, record_error, refusal
from fakekafka.records.attributes import CODEC, CREATE_TIME_TYPE, LOG_APPEND_TIME_TYPE
from fakekafka.records.batch import Batch
from fakekafka.records.compression import NONE, ZSTD
from fakekafka.records.hot import Summary
from fakekafka.records.malformed import InvalidRecord, UnknownCodec
from fakekafka.records.message import Message, without_offset
from fakekafka.records.plugged import PLUGGED, PluggedCodec
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.releases.behaviours.append import AppendBehaviour

UNKNOWN: Final = ErrorCode.UNKNOWN_SERVER_ERROR


def prepare(
    data: Buffer,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    now: TimestampMs,
    from_client: bool,
    cpu_ns: CpuClock,
) -> Prepared | None:
    """See `append.Prepare`."""
    try:
        batches = checked_batches(data, target, rules, from_client)
    except MalformedBytes as wrong:
        raise SetRefused(error_of(wrong, False, False, rules)) from None
    return _Set(batches, target, rules, start, now, from_client, cpu_ns).prepared(data) if batches else None


class _Set:
    """One set that is being prepared."""

    __slots__ = ("batches", "began_ns", "codec", "cpu_ns", "from_client", "now", "rules", "source", "start", "target")

    def __init__(
        self,
        batches: list[Batch],
        target: AppendTarget,
        rules: AppendBehaviour,
        start: Offset,
        now: TimestampMs,
        from_client: bool,
        cpu_ns: CpuClock,
    ) -> None:
        self.batches = batches
        self.target = target
        self.rules = rules
        self.start = start
        self.now = now
        self.from_client = from_client
        self.cpu_ns = cpu_ns
        self.began_ns = 0
        """The CPU time at which it became clear that records must be opened."""
        self.source: CodecId = last_codec(batches)
        self.codec: CodecId = self.source if target.codec is None else target.codec

    def prepared(self, data: Buffer) -> Prepared:
        if self.source == NONE and self.codec == NONE:
            return self._stamp_each(data) if self._has_right_magic() else self._convert()
        return self._compressed(data)

    def _has_right_magic(self) -> bool:
        magic = self.target.magic
        for batch in self.batches:  # noqa: SIM110 - a generator costs as much again, and this is the hot path
            if batch.magic != magic:
                return False
        return True

    # ---- stored as it came

    def _stamp_each(self, data: Buffer) -> Prepared:
        """Uncompressed units of the right format: each is stamped."""
        if len(self.batches) > 1:
            check_company(self.batches, NONE, self.rules)
        target, offset = self.target, self.start
        by_record = self.rules.plain_time_offset == "record"
        largest, at, how = NO_TIMESTAMP, NO_OFFSET, KEPT
        for batch in self.batches:
            check_header(batch, target.magic, self.rules, self.from_client)
            timestamp, index, count = self._checked_plain(batch)
            if timestamp > largest:
                largest, at = timestamp, offset + (index if by_record else count - 1)
            offset += count
            how = self._stamp(batch, offset - 1, self.now if target.append_time else timestamp, how)
        if target.append_time:
            largest, at = self._append_time_entry(offset - 1)
        return self._as_stamped(data, offset - 1, largest, at, how)

    def _checked_plain(self, batch: Batch) -> tuple[TimestampMs, int, int]:
        """Check an uncompressed unit: its largest timestamp, the number of that record, and how many there are."""
        if isinstance(batch, RecordBatch):
            summary = check_records(batch, self.target, self.rules, self.now, skipping=False)
            return _largest(batch, summary), summary.max_timestamp_index, batch.count
        (record,) = self._good_records(batch)
        return max(NO_TIMESTAMP, record.timestamp), 0, 1

    def _append_time_entry(self, last: Offset) -> tuple[TimestampMs, Offset]:
        """What the time index gets from a plain set under LogAppendTime."""
        if self.target.magic == 0 and not indexes_old_format(self.rules, rebuilt=False):
            return NO_TIMESTAMP, NO_OFFSET
        return self.now, last if self.target.magic >= 2 else self.start

    def _stamp_first(self, data: Buffer, count: int, largest: TimestampMs) -> Prepared:
        """A compressed set. If there are more units, those after the first keep what the client wrote."""
        last = self.start + count - 1
        timestamp = self.now if self.target.append_time else largest
        how = self._stamp(self.batches[0], last, timestamp, KEPT)
        return self._as_stamped(data, last, timestamp, last, how)

    def _stamp(self, batch: Batch, last: Offset, timestamp: TimestampMs, how: How) -> How:
        """Write what the broker decides into a unit. `STAMPED` if that includes its times, otherwise `how`."""
        unit = batch.data
        assert isinstance(unit, memoryview)
        kind = LOG_APPEND_TIME_TYPE if self.target.append_time else CREATE_TIME_TYPE
        if isinstance(batch, RecordBatch):
            batch.place(last - batch.last_offset_delta, self.target.leader_epoch)
            if batch.max_timestamp != timestamp or batch.timestamp_type != kind:
                known: int = self.rules.known_attributes
                if batch.plugged is not None:
                    known |= batch.plugged.mask
                v2.set_max_timestamp(unit, kind, timestamp, known=known)
                return STAMPED
        else:
            message.set_offset(unit, last)
            if batch.magic > 0:
                message.set_timestamp(unit, kind, timestamp, known=CODEC)  # LegacyRecord.computeAttributes
                return STAMPED
        return how

    def _as_stamped(self, data: Buffer, last: Offset, largest: TimestampMs, at: Offset, how: How) -> Prepared:
        views: list[Batch] = []
        size = 0
        for batch in self.batches:
            unit = batch.data
            if batch.magic < 2:
                batch = Message(unit)
            elif how is not KEPT:
                batch = RecordBatch(unit)
            views.append(batch)
            size += len(unit)
        whole_units = data if size == len(data) else memoryview(data)[:size]
        return Prepared(whole_units, self.start, last, largest, at, views, how)

    # ---- compressed, or to be compressed

    def _compressed(self, data: Buffer) -> Prepared:
        target, rules, first = self.target, self.rules, self.batches[0]
        if self.codec == ZSTD and rules.zstd_needs_protocol and not target.zstd_allowed:
            raise SetRefused(ErrorCode.UNSUPPORTED_COMPRESSION_TYPE)
        check_company(self.batches, self.source, rules)
        as_wanted = self.source == self.codec and target.magic > 0 and self._has_right_magic()
        if self.codec == PLUGGED and as_wanted:
            as_wanted = self._is_of_wanted_plugin()
        if isinstance(first, RecordBatch) and (as_wanted or (self.source == NONE and first.is_control)):
            return self._compressed_batch(data, first)
        self.began_ns = self.cpu_ns()
        records = []
        for batch in self.batches:
            check_header(batch, target.magic, rules, self.from_client)
            records += self._good_records(batch)
        if target.magic > 0 and first.magic > 0 and gaps([r.offset for r in records]):
            as_wanted = False
            self._refuse_gaps(records)
        if as_wanted:
            return self._stamp_first(data, len(records), max([NO_TIMESTAMP, *(r.timestamp for r in records)]))
        return self._rebuild(records)

    def _compressed_batch(self, data: Buffer, first: RecordBatch) -> Prepared:
        """Batches of format 2 that may stay as they are: checked without reading their records into objects."""
        summaries, whole = [], reads_whole(self.rules)
        for batch in self.batches:
            assert isinstance(batch, RecordBatch)
            check_header(batch, self.target.magic, self.rules, self.from_client)
            summaries.append(check_records(batch, self.target, self.rules, self.now, skipping=not whole))
        if len(summaries) == 1 and summaries[0].sequential:
            return self._stamp_first(data, first.count, _largest(first, summaries[0]))
        if self.rules.offset_gaps == "refused":
            self._refuse_gaps(list(first.records()))
        if not whole:  # keys and values were skipped, so there is nothing to build from
            raise SetRefused(UNKNOWN)
        self.began_ns = self.cpu_ns()
        return self._rebuild([record for batch in self.batches for record in self._good_records(batch)])

    def _refuse_gaps(self, records: Sequence[Record]) -> None:
        """KAFKA-9669: releases that treat offsets with gaps as a fault (the words: recorded from 2.5.0)."""
        if self.rules.offset_gaps != "refused":
            return
        errors = []
        for n in gaps([record.offset for record in records]):
            text = (
                f"Inner record {_described(records[n])} inside the compressed record batch does not have incremental"
                f" offsets, expected offset is {n} in topic partition {self.target.name}."
            )
            errors.append(RecordError(n, self.rules.invalid_record, text))
        raise refusal(errors, self.rules)

    # ---- of a codec that Kafka does not have

    def _wanted_plugin(self) -> PluggedCodec | None:
        """The plug-in by which the set is compressed: the topic's, or the client's. None: by a codec of Kafka's."""
        plugged, alias = self.target.plugged, self.target.alias
        if self.codec != PLUGGED or plugged is None:
            return None
        try:
            return plugged.called(alias) if alias else plugged.of_batch(self._last_compressed().attributes)
        except UnknownCodec:
            raise SetRefused(UNKNOWN) from None

    def _last_compressed(self) -> RecordBatch:
        return next(b for b in reversed(self.batches) if isinstance(b, RecordBatch) and b.codec)

    def _is_of_wanted_plugin(self) -> bool:
        if len(self.batches) == 1 and self.target.plugged is not None and not self.target.alias:
            return True  # the client's own; whether it is known is seen when the batch is opened
        wanted = self._wanted_plugin()
        mask = 0 if self.target.plugged is None else self.target.plugged.mask
        of_plugin = CODEC | mask
        return wanted is not None and all(
            isinstance(b, RecordBatch) and b.attributes & of_plugin == wanted.attributes for b in self.batches
        )

    # ---- rebuilt

    def _convert(self) -> Prepared:
        """Uncompressed units of another format. Here the new batch is begun before anything is checked."""
        self.began_ns = self.cpu_ns()
        first = self.batches[0]
        if self.target.magic < 2 and first.is_transactional:
            raise SetRefused(UNKNOWN)
        check_company(self.batches, NONE, self.rules)
        records: list[Record] = []
        for batch in self.batches:
            check_header(batch, self.target.magic, self.rules, self.from_client)
            records += self._good_records(batch, to_be_written=True)
        return self._rebuild(records)

    def _rebuild(self, records: list[Record]) -> Prepared:
        """All records in new units (MemoryRecordsBuilder)."""
        magic = self.target.magic
        if magic < 2 and self.codec in (ZSTD, PLUGGED):
            raise SetRefused(UNKNOWN)
        for record in records:
            self._check_writable(record)
        new = tuple.__new__
        for n, record in enumerate(records):  # in place: there may be very many
            records[n] = new(Record, (self.start + n, *record[1:]))
        data = self._written(records)
        batches = list(scan.batches(data))
        check_sizes(batches, self.target)
        last = self.start + len(records) - 1
        how = How.REBUILT if self._has_right_magic() else How.CONVERTED
        largest, at = self._time_entry(records, last)
        return Prepared(data, self.start, last, largest, at, batches, how, self.cpu_ns() - self.began_ns)

    def _written(self, rows: list[Record]) -> bytes:
        codec, level, block = self.codec, self.target.level, self.rules.snappy_block
        append_time = self.now if self.target.append_time else None
        if self.target.magic == 0:
            return v0.build(rows, codec=codec, level=level, snappy_block=block)
        if self.target.magic == 1:
            return v1.build(rows, codec=codec, append_time=append_time, level=level, snappy_block=block)
        first = self.batches[0]
        has_producer = first.producer_id != NO_PRODUCER_ID
        if has_producer if first.producer_epoch == NO_PRODUCER_EPOCH else first.is_transactional and not has_producer:
            raise SetRefused(UNKNOWN)
        return v2.build(rows, codec=codec, append_time=append_time, leader_epoch=self.target.leader_epoch,
                        producer_id=first.producer_id, producer_epoch=first.producer_epoch,
                        base_sequence=first.base_sequence, transactional=first.is_transactional,
                        level=level, snappy_block=block, plugged=self._wanted_plugin())  # fmt: skip

    def _time_entry(self, rows: list[Record], last: Offset) -> tuple[TimestampMs, Offset]:
        """What the time index gets from new units."""
        as_one = self.codec != NONE or self.target.magic >= 2
        if self.target.append_time and self.target.magic == 0 and not indexes_old_format(self.rules, rebuilt=True):
            return NO_TIMESTAMP, NO_OFFSET
        if self.target.append_time:
            return self.now, last if as_one else self.start
        times = [row.timestamp for row in rows] if self.target.magic else []
        largest = max([NO_TIMESTAMP, *times])
        return largest, last if as_one or largest == NO_TIMESTAMP else self.start + times.index(largest)

    def _check_writable(self, record: Record) -> None:
        """Raises what the builder of the target's format refuses."""
        if record.timestamp < NO_TIMESTAMP or (record.headers and self.target.magic < 2):
            raise SetRefused(UNKNOWN)

    # ---- records

    def _good_records(self, batch: Batch, to_be_written: bool = False) -> list[Record]:
        """The records of a unit. `to_be_written`: each is written as soon as it is checked."""
        records: list[Record] = []
        errors: list[RecordError] = []
        for record, error in self._judged(batch):
            if error is not None:
                errors.append(error)
                if not self.rules.reports_all_records:
                    break
            elif to_be_written and not errors:
                self._check_writable(record)
            records.append(record)
        if errors:
            raise refusal(errors, self.rules)
        return records

    def _judged(self, batch: Batch) -> Iterator[tuple[Record, RecordError | None]]:
        """The records of a unit, and what is wrong with them."""
        target, rules, now = self.target, self.rules, self.now
        try:
            if isinstance(batch, Message):
                if batch.codec == ZSTD:
                    raise InvalidRecord("zstd in a format that never had it")
                if batch.codec and rules.wrapper_offset == "any":
                    batch = without_offset(batch)
                inside = batch.inside() if batch.codec else [batch]
                check_magics(inside, rules)
                for index, record in enumerate(batch.records()):
                    yield record, message_error(index, inside[index], batch, record, target, rules, now)
            else:
                flagged = batch.timestamp_type == LOG_APPEND_TIME_TYPE
                whole = batch.codec != NONE and reads_whole(rules)
                for index, record in enumerate(list(batch.records()) if whole else batch.records()):
                    yield record, record_error(index, as_read(record), flagged, target, rules, now)
        except MalformedBytes as wrong:
            compressed = batch.magic >= 2 and batch.codec != NONE
            raise SetRefused(error_of(wrong, compressed, False, rules)) from None


def _described(record: Record) -> str:
    """A record in the broker's words (DefaultRecord.toString)."""
    key, value = (0 if data is None else len(data) for data in (record.key, record.value))
    return f"DefaultRecord(offset={record.offset}, timestamp={record.timestamp}, key={key} bytes, value={value} bytes)"


def _largest(batch: RecordBatch, summary: Summary) -> TimestampMs:
    """The largest timestamp of a batch; -1 when no record has one."""
    if batch.timestamp_type == LOG_APPEND_TIME_TYPE:
        return batch.max_timestamp
    if batch.count == 0:
        return NO_TIMESTAMP
    return max(NO_TIMESTAMP, batch.timestamp(summary.max_timestamp_delta))
