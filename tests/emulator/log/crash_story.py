"""A log that goes through a story on a faulty disk, and what it must hold when its broker starts after a crash."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.log import names
from fakekafka.log.check import check
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.cleanable import cleanable
from fakekafka.log.cleaner.compaction import CleanerPass, CleanerSettings, clean
from fakekafka.log.config import DraftTimeIndex, LogConfig
from fakekafka.log.faulty_files import Choose, DiskFaults, FaultyDirectory
from fakekafka.log.files import Directory
from fakekafka.log.findings import Finding
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.records import v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour
from fakekafka.releases.behaviours.log_directory import LogDirectoryBehaviour
from fakekafka.releases.release import Release

from tests.emulator.log.batches import Set, marker, rules, with_info

PARTITION = ("orders", 0)
FOLDER = "orders-0"
CONFIG = LogConfig(
    segment_bytes=600,
    index_interval_bytes=100,
    segment_index_bytes=96,
    retention_bytes=700,
    file_delete_delay_ms=100,
    min_cleanable_ratio=0.0,
    compact=True,
)


EVERYTHING: Final = 1 << 62
"""Gaps are not a finding: real brokers leave them too, where a power failure took a segment that was never flushed."""


class Kept(NamedTuple):
    """One record, as it was sent or as it is stored."""

    offset: int
    key: bytes | None
    value: bytes | None
    is_plain: bool
    """Whether it is neither a marker nor part of a transaction, of which compaction may remove everything."""


class Story:
    """What was sent, and which records must still be there.

    `end`: where the log ends for certain when a process was killed; `safe_end`: when the machine went down. `low`:
    records below may be gone. While a log is truncated, records after `end` may be gone in part: real brokers delete
    the first segments first.
    """

    def __init__(self, release: str, faults: DiskFaults, times_by: DraftTimeIndex | None = None) -> None:
        named = Release.parse(release)
        self.rules = rules(release)
        self.cleaner = resolve(CleanerBehaviour, named, named.default_mode)
        self.has_checkpoints = resolve(LogDirectoryBehaviour, named, named.default_mode).recovery_points
        self.magic = 2 if self.rules.producer_state else 1 if self.rules.time_index else 0
        self.config = CONFIG._replace(message_format=self.magic, times_by=times_by)
        if times_by is not None:
            self.rules = self.rules.with_value("time_index", False)
        self.root = FaultyDirectory(MemoryDirectory(), faults)
        self.now = 10_000
        self.sent: dict[int, set[Kept]] = {}
        self.plain: list[Kept] = []
        """The records sent. Compaction must keep the last one of each key."""
        self.end = self.safe_end = self.low = 0
        self.is_compacted = self.is_truncating = False
        self.cleanings_failed = 0
        self.log: PartitionLog

    def begin(self) -> None:
        self.log = self.opened(self.root, clean=True)

    def opened(self, root: Directory, *, clean: bool) -> PartitionLog:
        """The log as a starting broker opens it, with what the checkpoints say."""
        known = Checkpoints(root)
        starts = known.offsets(names.LOG_STARTS) if self.rules.log_start_offset else {}
        points = known.offsets(names.RECOVERY_POINTS) if self.has_checkpoints else {}
        place, point = root.directory(FOLDER), points.get(PARTITION, 0)
        return PartitionLog.open(place, self.rules, self.config, self.now, clean, starts.get(PARTITION, 0), point)

    # ---------------------------------------------------------------- what happens

    def append(self, *keys: bytes, tombstone: bool = False, producer: int = -1, transactional: bool = False) -> None:
        """Append a set with one record for each key; the values tell them apart."""
        at = self.log.log_end_offset
        value = None if tombstone else b"%d at %d" % (at, self.now)
        records = [Record(at + n, self.now + n, 0, key, value) for n, key in enumerate(keys)]
        if self.magic < 2:
            for record in records:
                self.append_set(with_info((v0.build, v1.build)[self.magic]([record])))
            return
        known = self.log.producers.producers.get(producer)
        self.append_set(
            with_info(
                v2.build(
                    records,
                    leader_epoch=0,
                    producer_id=producer,
                    producer_epoch=-1 if producer < 0 else 0,
                    base_sequence=-1 if producer < 0 else 0 if known is None else known.last_sequence + 1,
                    transactional=transactional,
                )
            )
        )

    def end_transaction(self, producer: int, *, commit: bool) -> None:
        self.append_set(marker(self.log.log_end_offset, producer, self.now, commit=commit))

    def append_set(self, unit: Set) -> None:
        data, info = unit
        new = records_of(info.batches)
        for record in new:
            self.sent.setdefault(record.offset, set()).add(record)
        before = self.log.recovery_point
        assert self.log.append(data, info, self.now).error is ErrorCode.NONE
        self.log.on_high_watermark(self.log.log_end_offset)
        self.plain += [record for record in new if record.is_plain]
        self.end = self.log.log_end_offset
        self._note_flush(before)

    def roll(self) -> None:
        """Roll; everything before the new segment is flushed."""
        before = self.log.recovery_point
        self.log.roll(self.now)
        self._note_flush(before)

    def flush(self) -> None:
        before = self.log.recovery_point
        self.log.flush(self.now)
        self._note_flush(before)

    def _note_flush(self, before: int) -> None:
        """Some releases keep, after a crash, a recovery point beyond the log's end, and flush nothing up to there."""
        if self.log.recovery_point > before:
            self.safe_end = min(self.end, self.log.recovery_point)

    def checkpoint(self) -> None:
        if self.has_checkpoints:
            Checkpoints(self.root).write_offsets(names.RECOVERY_POINTS, {PARTITION: self.log.recovery_point})
            self.log.on_recovery_point_checkpoint()
        if self.rules.log_start_offset:
            Checkpoints(self.root).write_offsets(names.LOG_STARTS, {PARTITION: self.log.log_start_offset})

    def truncate(self, offset: int) -> None:
        """Truncate; from now on the records after that offset may be gone, or gone in part."""
        self.end, self.safe_end = min(self.end, offset), min(self.safe_end, offset)
        self.plain = [record for record in self.plain if record.offset < offset]
        self.is_truncating = True
        self.log.truncate_to(offset, self.now)
        self.checkpoint()  # LogManager.truncateTo
        self.is_truncating = False

    def retain(self) -> None:
        """Retention: segments at the front may go."""
        self.low = self.end
        self.log.delete_old_segments(self.now, self.log.log_end_offset)
        self.low = self.log.segments[0].base_offset

    def remove_files(self) -> None:
        self.now += 1000
        self.log.remove_due_files(self.now)

    def compact(self) -> None:
        self.is_compacted = True
        log, high_watermark = self.log, self.log.log_end_offset
        found = cleanable(log, None, high_watermark, self.cleaner, self.now)
        place = CleanerPass(log, self.cleaner, self.rules, high_watermark, self.now)
        if found.dirty_bytes:
            try:
                clean(place, found, CleanerSettings(map_bytes=24 * 100, buffer_bytes=300))
            except CleaningFailed:
                self.cleanings_failed += 1
            left = set(stored_in(log))
            self.plain = [record for record in self.plain if record in left]

    def restart(self) -> None:
        """A clean stop and a start."""
        self.log.close(self.now)
        self.safe_end = self.end
        self.checkpoint()
        self.begin()

    def crash(self, kept: Choose | None) -> None:
        """A crash and a start. From now on, the records that are there after it count."""
        self.check_survival(kept)
        self.root = FaultyDirectory(self.root.survivors(kept), self.root.faults)
        self.log = self.opened(self.root, clean=False)
        stored = stored_in(self.log)
        self.end = self.safe_end = self.log.log_end_offset
        self.low = stored[0].offset if stored else self.end
        self.sent = {record.offset: {record} for record in stored}
        self.plain = [record for record in stored if record.is_plain]

    # ---------------------------------------------------------------- after a crash

    def check_survival(self, kept: Choose | None) -> None:
        """Check that a start from the disk as it is finds what it must, and can go on. `kept`: as for `survivors`."""
        disk = self.root.survivors(kept)
        log = self.opened(disk, clean=False)
        unfinished = self.unfinished_indexes(disk.directory(FOLDER))
        assert [fault for fault in self.faults_in(disk) if fault.file not in unfinished] == []
        end = self.end if kept is None else self.safe_end
        self.compare(stored_in(log), end)
        assert log.log_end_offset >= end
        again = log.log_end_offset
        log.append(*messages_at(self.magic, again), self.now)
        log.close(self.now)
        assert self.opened(disk, clean=True).log_end_offset == again + 1
        assert self.faults_in(disk) == []

    def unfinished_indexes(self, folder: Directory) -> list[str]:
        """The indexes that have zeros until the stop, because the release did not notice that they were missing."""
        if self.rules.missing_index != "unnoticed":
            return []
        indexes = [name for name in folder.names() if name.endswith(names.OFFSET_INDEX)]
        return [name for name in indexes if not any(folder.read_all(name))]

    def faults_in(self, disk: Directory) -> list[Finding]:
        is_wide = self.config.times_by == "16-byte entries"
        return check(disk.directory(FOLDER), compacted_to=EVERYTHING, wide_entries=is_wide)

    def compare(self, stored: list[Kept], end: int) -> None:
        """Check that nothing is there that was not sent, and that nothing that was sent is missing."""
        assert all(record in self.sent[record.offset] for record in stored)
        offsets = [record.offset for record in stored]
        assert offsets == sorted(set(offsets))
        if self.is_compacted:
            latest = {record.key: record for record in stored}
            for record in {r.key: r for r in self.plain if self.low <= r.offset < end}.values():
                found = latest.get(record.key)
                assert found is not None or record.value is None
                assert found is None or found.offset >= record.offset
        else:
            assert set(range(self.low, end)) <= set(offsets)
            if offsets and not self.is_truncating:
                assert offsets == list(range(offsets[0], offsets[-1] + 1))


def messages_at(magic: int, offset: int) -> Set:
    return with_info((v0.build, v1.build, v2.build)[magic]([Record(offset, 99_999, 0, b"k", b"v")]))


def stored_in(log: PartitionLog) -> list[Kept]:
    """The records of a log, markers included."""
    batches = (batch for segment in log.segments for batch in segment.batches())
    return [record for record in records_of(batches) if record.offset >= log.log_start_offset]


def records_of(batches: Iterable[Batch]) -> list[Kept]:
    return [Kept(r.offset, r.key, r.value, not one.is_transactional) for one in batches for r in one.records()]


Telling = Callable[[Story], None]
"""Something that is done to a log, as a function."""
