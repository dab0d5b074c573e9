"""One pass over one log (Cleaner.doClean): fill the offset map, then write what is kept, group by group.

Each group of segments becomes a new one, written beside the log as `.cleaned` and put in the place of the old ones when
it is whole. So a crash, at whatever step, leaves a log that has been cleaned up to some group.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, assert_never

from fakekafka.errors import FakeKafkaError, MalformedBytes
from fakekafka.ids import NO_OFFSET, Offset, TimestampMs
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.cleanable import Cleanable, between
from fakekafka.log.cleaner.groups import groups
from fakekafka.log.cleaner.keeping import Fate, Keeper
from fakekafka.log.cleaner.offset_map import OffsetMap, fill
from fakekafka.log.cleaner.output import Output
from fakekafka.log.cleaner.portions import Buffers, Portions
from fakekafka.log.cleaner.rebuilding import Rebuilding
from fakekafka.log.cleaner.transactions import Transactions
from fakekafka.log.offset_index import IndexFull, OffsetOutOfOrder
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.segment import Segment, SegmentOverflows
from fakekafka.log.splitting import parts_of
from fakekafka.records import v2
from fakekafka.records.batch import Batch
from fakekafka.records.drafts.first_set import FirstSet, without
from fakekafka.records.record import Record
from fakekafka.records.v2 import RecordBatch
from fakekafka.records.xerial import BLOCK
from fakekafka.releases.behaviours.cleaner import CleanerBehaviour
from fakekafka.releases.behaviours.log import LogBehaviour

NO_HORIZON: Final = 0


class CleanerSettings(NamedTuple):
    """Configs of one thread of a broker's cleaner."""

    map_bytes: int = 128 * 1024 * 1024
    """`log.cleaner.dedupe.buffer.size`"""
    map_load_factor: float = 0.9
    buffer_bytes: int = 256 * 1024
    """Half of `log.cleaner.io.buffer.size`: one half is for reading, the other for writing."""
    message_max_bytes: int = 1_000_012
    snappy_block: int = BLOCK


class CleanerPass(NamedTuple):
    """Which log is cleaned, by what rules, and when."""

    log: PartitionLog
    rules: CleanerBehaviour
    log_rules: LogBehaviour
    high_watermark: Offset
    now: TimestampMs


def clean(place: CleanerPass, cleanable: Cleanable, settings: CleanerSettings) -> Offset:
    """Clean what was found, and return where the dirty part begins now. Raises `CleaningFailed`; what was cleaned until
    then stays cleaned.
    """
    try:
        return _Pass(place, cleanable, settings).run()
    except SegmentOverflows as overflow:
        _split(place.log, overflow.segment, place.now)
        return clean(place, cleanable, settings)
    except (MalformedBytes, IndexFull, OffsetOutOfOrder) as wrong:
        raise CleaningFailed(str(wrong)) from wrong


def _split(log: PartitionLog, segment: Segment, now: TimestampMs) -> None:
    parts = parts_of(segment, lambda base: log.new_cleaned_segment(base, now), now)
    log.replace_segments(parts, [segment], now)


class _Pass:
    def __init__(self, place: CleanerPass, cleanable: Cleanable, settings: CleanerSettings) -> None:
        self._log, self._rules, self._log_rules, high_watermark, self._now = place
        self._cleanable = cleanable
        log, rules = self._log, self._rules
        self._map = OffsetMap(settings.map_bytes, settings.map_load_factor)
        self._buffers = Buffers(settings.buffer_bytes, settings.message_max_bytes, log.config, rules)
        self._rebuilding = Rebuilding(rules, log.config.message_format, settings.snappy_block)
        self._last_kept_end = self._end_of_kept(high_watermark)
        self._old_horizon_ms = self._horizon_of_files()

    def _end_of_kept(self, high_watermark: Offset) -> Offset:
        """Where the batch ends that is kept in any case."""
        match self._rules.last_batch_kept:
            case "no":
                return NO_OFFSET
            case "end of pass":
                return self._cleanable.end
            case "end of replicated":
                return high_watermark
            case rule:
                assert_never(rule)

    def run(self) -> Offset:
        log = self._log
        fill(self._map, log, self._cleanable, self._rules, self._buffers)
        self._keeper = Keeper(log, self._map, self._rules, self._now, self._last_kept_end)
        end = self._map.latest_offset + 1
        clean_ones = between(log.segments, 0, end)
        for group in groups(clean_ones, self._cleanable.end, log.config, self._rules, self._log_rules.time_index):
            self._clean_group(group)
        return end

    def _horizon_of_files(self) -> TimestampMs:
        """In formats 0 and 1, tombstones stay in segments whose time is later than this."""
        cleaned = [s for s in self._log.segments if s.base_offset < self._cleanable.start]
        return self._age(cleaned[-1]) - self._log.config.delete_retention_ms if cleaned else NO_HORIZON

    def _age(self, segment: Segment) -> TimestampMs:
        match self._rules.tombstones:
            case "largest timestamp":
                return segment.find_largest_timestamp_ms()
            case "file time" | "horizon":
                return segment.last_modified_ms
            case rule:
                assert_never(rule)

    def _clean_group(self, group: Sequence[Segment]) -> None:
        cleaned = self._log.new_cleaned_segment(group[0].base_offset, self._now)
        try:
            self._clean_into(cleaned, group)
        except FakeKafkaError:
            cleaned.write_indexes()  # the file system has what was mapped
            raise
        cleaned.finish(self._now, group[-1].last_modified_ms, self._rules.preallocated_tail)
        self._log.replace_segments([cleaned], group, self._now)

    def _clean_into(self, cleaned: Segment, group: Sequence[Segment]) -> None:
        for at, segment in enumerate(group):
            self._expect_aborted(segment, group[at + 1].base_offset if at + 1 < len(group) else None)
            self._keeper.enter_segment(self._age(segment) > self._old_horizon_ms)
            self._clean_segment(segment, cleaned)

    def _expect_aborted(self, segment: Segment, next_base: Offset | None) -> None:
        if self._rules.transactions_known == "in a segment":
            self._keeper.transactions = Transactions(self._rules)
        upper = next_base
        if upper is None:
            whole = self._rules.aborted_up_to == "segment end"
            upper = segment.find_next_offset() if whole else self._map.latest_offset + 1
        self._keeper.transactions.expect(self._log.aborted_from(segment.base_offset, upper))

    def _clean_segment(self, segment: Segment, cleaned: Segment) -> None:
        portions = Portions(segment, self._buffers, self._rules)
        for batches in portions:
            output = Output(self._rules, segment.dialect)
            records_read = 0
            for at, batch in enumerate(batches):
                records_read += self._clean_batch(batch, output)
                if output.size > self._buffers.size:
                    portions.next_position -= sum(left.size for left in batches[at + 1 :])
                    self._on_larger_output()
                    break
            self._write(output, segment, cleaned)
            if not records_read and self._rules.buffers_grow_without == "record":
                self._buffers.grow(0)

    def _on_larger_output(self) -> None:
        if self._rules.larger_output == "stops the cleaner":
            raise CleaningFailed("what is kept does not fit into the write buffer")

    def _on_overflow(self, segment: Segment) -> None:
        match self._rules.offset_overflow:
            case "wraps":
                pass
            case "stops the cleaner":
                raise CleaningFailed("largest offset in message set can not be safely converted to relative offset.")
            case "splits the segment":
                raise SegmentOverflows(segment)
            case rule:
                assert_never(rule)

    def _clean_batch(self, batch: Batch, output: Output) -> int:
        """Clean one batch, and return how many records were examined."""
        fate = self._keeper.judge(batch)
        if fate is Fate.GOES:
            return 0
        records = list(batch.records())
        kept = self._keeper.kept(batch, records)
        if kept:
            self._keep(batch, records, kept, output)
        elif fate is Fate.STAYS:
            if isinstance(batch, RecordBatch):
                output.add_empty(v2.empty(batch), batch)
            elif isinstance(batch, FirstSet):
                output.add_empty(without(batch, ()), batch)
            else:
                raise CleaningFailed("Empty batches are only supported for magic v2 and above")
        return len(records)

    def _keep(self, batch: Batch, records: list[Record], kept: list[Record], output: Output) -> None:
        horizon_ms = batch.delete_horizon_ms if isinstance(batch, RecordBatch) else None
        gets_horizon = horizon_ms is None and self._needs_horizon(batch, kept)
        if len(kept) == len(records) and not gets_horizon and not self._rebuilding.must(batch):
            output.add_whole(batch, kept)
            return
        if gets_horizon:
            horizon_ms = self._now + self._log.config.delete_retention_ms
        output.add_rebuilt(self._rebuilding.rebuilt(batch, kept, horizon_ms), kept)

    def _needs_horizon(self, batch: Batch, kept: Sequence[Record]) -> bool:
        """Whether the batch gets a delete horizon, the time from which its tombstones or marker may go (KIP-534)."""
        if not self._rules.has_horizons or (batch.magic < 2 and not self._rules.rebuilds_older_units):
            return False
        return self._keeper.marker_may_go or any(record.value is None for record in kept)

    def _write(self, output: Output, segment: Segment, cleaned: Segment) -> None:
        transactions = self._keeper.transactions
        for entry in transactions.kept:
            cleaned.add_aborted(entry)
        transactions.kept.clear()
        if output.size:
            info = output.append_info()
            if not cleaned.reaches(info.last_offset):
                self._on_overflow(segment)
            cleaned.append(output.data(), info, info.first_offset, self._now)
