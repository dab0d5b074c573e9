"""Writes one partition's log from records: segments, indexes and checkpoints as the release writes them.

The files come from `fakekafka.log`, the batches from `fakekafka.records`: what is here is only where a batch ends.
Every batch is one append, stamped with leader epoch 0, as a follower stores what its leader sends. It is not a
producer: there are no producer ids, so nothing is transactional.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import ErrorCode, UsageError
from fakekafka.ids import Buffer, Offset, TimestampMs
from fakekafka.log.append_info import as_replica
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import scan, v0, v1, v2
from fakekafka.records.attributes import LOG_APPEND_TIME_TYPE
from fakekafka.records.record import Record

from fakekafka_spark.source.target import Target

RECORD_OVERHEAD = 12
"""About what a record of format 2 needs besides its key, value and headers."""


class Written(NamedTuple):
    """What was written of one partition."""

    records: int
    first_offset: Offset
    end_offset: Offset


class PartitionWriter:
    """The log in its own directory, which must not exist yet."""

    def __init__(self, path: Path, target: Target, now: TimestampMs, start: Offset | None = None) -> None:
        """`start`: where the log begins; None: with its first record."""
        self.path = path
        self._start = start
        self._target = target
        self._now = now
        self._log: PartitionLog | None = None
        path.mkdir()
        self._directory = DiskDirectory(path)
        self._pending: list[Record] = []
        self._pending_bytes = 0
        self._first: Offset = 0
        self._next: Offset | None = None
        self._records = 0

    def add(self, records: Iterable[Record]) -> None:
        """Append records. Raises `UsageError` unless their offsets grow, or if the format cannot hold them."""
        for record in records:
            if self._next is not None and record.offset < self._next:
                raise UsageError(
                    f"{self.path.name}: offset {record.offset} comes after {self._next - 1}. Offsets must grow: "
                    "repartition('topic', 'partition').sortWithinPartitions('topic', 'partition', 'offset')"
                )
            if self._pending and self._must_end_before(record):
                self._end_batch()
            self._pending.append(record)
            self._pending_bytes += _size(record)
            if self._next is None:
                self._first = record.offset
            self._next = record.offset + 1

    def close(self) -> Written:
        """Write what is pending and close all files, as a clean stop does."""
        if self._pending:
            self._end_batch()
        log = self._open(self._first)
        log.close(self._now)
        self._directory.close()
        return Written(self._records, self._first, log.log_end_offset)

    def append(self, data: Buffer) -> None:
        """Append units whose bytes are final, as one append. Raises `UsageError` if the log does not take them."""
        info = as_replica(list(scan.batches(data)))
        if self._next is None:
            self._first = info.first_offset
        appended = self._open(info.first_offset).append(data, info, self._now)
        if appended.error is not ErrorCode.NONE:
            raise UsageError(f"{self.path.name}: the log refuses a batch at {info.first_offset}: {appended.error.name}")
        self._next = info.last_offset + 1

    def _must_end_before(self, record: Record) -> bool:
        target, before = self._target, self._pending[-1]
        appended = record.timestamp_type == LOG_APPEND_TIME_TYPE
        return (
            self._pending_bytes + _size(record) > target.batch_bytes
            or len(self._pending) >= target.batch_records
            or record.timestamp_type != before.timestamp_type
            or (appended and record.timestamp != before.timestamp)
            or record.offset - self._pending[0].offset > 0x7FFFFFFF
        )

    def _end_batch(self) -> None:
        self.append(batch_of(self._pending, self._target))
        self._records += len(self._pending)
        self._pending, self._pending_bytes = [], 0

    def _open(self, first: Offset) -> PartitionLog:
        """The log, which begins at `first`, or where it was asked to."""
        if self._log is None:
            first = first if self._start is None else self._start
            rules, config = self._target.profile.log, self._target.config
            log = PartitionLog.open(self._directory, rules, config, self._now, log_start_offset=first)
            if log.log_start_offset != first:
                log.truncate_fully_and_start_at(first, self._now)
                log.remove_due_files(self._now + config.file_delete_delay_ms)
            self._log = log
            log.become_leader(0)
        return self._log


def batch_of(records: Sequence[Record], target: Target) -> bytes:
    """The records as one batch, wrapper or set of messages. Raises `UsageError` if the format cannot hold them."""
    if target.magic == 0:
        return v0.build(records, codec=target.codec, snappy_block=target.profile.append.snappy_block)
    append_time = records[0].timestamp if records[0].timestamp_type == LOG_APPEND_TIME_TYPE else None
    if target.magic == 1:
        block = target.profile.append.snappy_block
        return v1.build(records, codec=target.codec, append_time=append_time, snappy_block=block)
    return v2.build(records, codec=target.codec, append_time=append_time, leader_epoch=0)


def _size(record: Record) -> int:
    size = RECORD_OVERHEAD + len(record.key or b"") + len(record.value or b"")
    return size + sum(2 + len(key) + len(value or b"") for key, value in record.headers) if record.headers else size
