"""A segment with a minute index in place of the shipped time index: KIP-33's options 1 and 2.

Option 1 adds an entry when the offset index gets one, if another minute of LogAppendTime has begun. Option 2 keeps a
map from each minute of CreateTime to the first offset in it, for which it must read every record.
"""

from fakekafka.ids import NO_TIMESTAMP, Buffer, Offset, Position, TimestampMs
from fakekafka.log import names
from fakekafka.log.append_info import AppendInfo
from fakekafka.log.config import LogConfig
from fakekafka.log.drafts.minute_index import MinuteIndex
from fakekafka.log.files import Directory
from fakekafka.log.segment import FoundOffset, Segment
from fakekafka.records.batch import Batch
from fakekafka.releases.behaviours.log import LogBehaviour

MINUTES = ".time.index"


class MinuteSegment(Segment):
    """Its rules must say that there is no time index."""

    __slots__ = ("_append_ms", "_minutes", "_minutes_written")

    def __init__(
        self,
        directory: Directory,
        base_offset: Offset,
        rules: LogBehaviour,
        config: LogConfig,
        now: TimestampMs,
        roll_jitter_ms: int = 0,
        suffix: str = "",
    ) -> None:
        super().__init__(directory, base_offset, rules, config, now, roll_jitter_ms, suffix)
        self._minutes: MinuteIndex | None = None
        self._minutes_written = 0
        self._append_ms = now

    def load_minutes(self) -> MinuteIndex:
        """The minute index, read from its file. If the file is lost, it is rebuilt from the records."""
        if self._minutes is None:
            self._minutes = MinuteIndex(self.base_offset)
            if self._directory.exists(self.name(MINUTES)):
                self._minutes.load(self._directory.read_all(self.name(MINUTES)))
                self._minutes_written = len(self._minutes)
            elif self._has_every_minute:
                for batch in self.batches():
                    self._note_records(batch)
        return self._minutes

    @property
    def _has_every_minute(self) -> bool:
        return self._config.times_by == "minutes of create time"

    # ---- appending

    def append(self, data: Buffer, info: AppendInfo, log_end: Offset, now: TimestampMs) -> Position:
        self._append_ms = now
        self.load_minutes()  # before there are more records than its file knows
        position = super().append(data, info, log_end, now)
        if self._has_every_minute:
            for batch in info.batches:
                self._note_records(batch)
            self._write_new_minutes()
        return position

    def _note_records(self, batch: Batch) -> None:
        for record in batch.records():
            self.load_minutes().note(record.timestamp, record.offset)

    def _add_entry(self, key: Offset, position: Position) -> None:
        super()._add_entry(key, position)
        if not self._has_every_minute:
            self.load_minutes().note(self._append_ms, self.load_offset_index().last_offset)
            self._write_new_minutes()

    def _write_new_minutes(self) -> None:
        if len(self.load_minutes()) > self._minutes_written:
            self._write_minutes()

    def _write_minutes(self) -> None:
        self._directory.replace(self.name(MINUTES), self.load_minutes().content())
        self._minutes_written = len(self.load_minutes())

    # ---- searching

    def find_max_timestamp(self) -> tuple[TimestampMs, Offset]:
        if self._max_timestamp is None:
            largest = NO_TIMESTAMP, self.base_offset
            for batch in self.batches():
                if batch.max_timestamp > largest[0]:
                    largest = batch.max_timestamp, batch.last_offset
            self._max_timestamp = largest
        return self._max_timestamp

    def _reload_max_timestamp(self) -> None:
        self._max_timestamp = None

    def first_at_or_after(self, timestamp: TimestampMs, start: Offset) -> FoundOffset | None:
        minutes = self.load_minutes()
        begin = minutes.first_from(timestamp) if self._has_every_minute else minutes.first_before(timestamp)
        if begin is None:
            return None
        _, position = self.load_offset_index().lookup(max(begin, start))
        for batch in self.batches(position):
            if batch.max_timestamp >= timestamp:
                for record in batch.records():
                    if record.timestamp >= timestamp and record.offset >= start:
                        return FoundOffset(record.timestamp, record.offset, batch.leader_epoch)
        return None

    # ---- truncating, recovering, deleting

    def _cut_indexes(self, offset: Offset) -> None:
        super()._cut_indexes(offset)
        self.load_minutes().truncate_to(offset)
        self._write_minutes()

    def clear_indexes(self) -> None:
        super().clear_indexes()
        self._minutes, self._minutes_written = MinuteIndex(self.base_offset), 0

    def note_recovered(self, batch: Batch, position: Position, key: Offset, entry_is_due: bool) -> None:
        self._append_ms = batch.max_timestamp  # the time of the append is lost
        super().note_recovered(batch, position, key, entry_is_due)
        if self._has_every_minute:
            self._note_records(batch)

    def cut_log(self, position: Position, now: TimestampMs) -> int:
        cut = super().cut_log(position, now)
        self._write_minutes()
        return cut

    def rename(self, suffix: str) -> None:
        old = self.name(MINUTES)
        super().rename(suffix)
        if self._directory.exists(old):
            self._directory.rename(old, self.name(MINUTES))

    def file_names(self) -> list[str]:
        return [*super().file_names(), names.of_offset(self.base_offset, MINUTES) + self.suffix]
