"""One partition's log: segments, leader epochs and producers as one thing (Log, UnifiedLog).

It appends finished bytes, reads slices, truncates at either end and keeps its files as the release does. It knows no
requests, validates no client input and has no timers: its owner asks `new_removals` and calls back.

Invariants: `log_start_offset <= log_end_offset`; segments ascend by base offset, the last one is the active one and the
only one that grows; producers and leader epochs are up to date with the log's end. (Longer than most files here: what
can be asked of a log without changing it is elsewhere, in `offset_lookup`, `retention`, `recovery` and
`producer_reload`.)
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from fakekafka.errors import ErrorCode, FakeKafkaError
from fakekafka.ids import NO_EPOCH, Buffer, DurationMs, LeaderEpoch, Offset, TimestampMs
from fakekafka.log import names, retention
from fakekafka.log.append_info import Appended, AppendInfo, Origin
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import UNDEFINED, EpochEnd, LeaderEpochs
from fakekafka.log.offset_index import MAX_RELATIVE_OFFSET
from fakekafka.log.producer_reload import ProducerSnapshots, on_log_start, rebuild, since
from fakekafka.log.producer_state import NO_UPDATE, ProducerState, Refused, Update
from fakekafka.log.recovery import Opening
from fakekafka.log.removals import Removals
from fakekafka.log.segment import Segment, Slice
from fakekafka.log.segment_kinds import segment_of
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.releases.behaviours.log import LogBehaviour, RetentionStep

Choose: TypeAlias = Callable[[int], int]
"""A random number from 0 up to, but not including, the given one."""


class CannotRoll(FakeKafkaError):
    """The segment that is due exists already: an append ends with UNKNOWN_SERVER_ERROR."""


Failed: TypeAlias = Callable[[OSError, bool], ErrorCode]
"""What to do about a disk error, and what to answer. The bool says whether reading failed."""


def no_jitter(_: int) -> int:
    """The choice that is always 0."""
    return 0


def raised(error: OSError, reading: bool) -> ErrorCode:
    """The default for `failed`: raise the error."""
    raise error


class PartitionLog:
    """The log of one partition. Make one with `open`."""

    __slots__ = (
        "_choose",
        "_directory",
        "_failed",
        "_flushed_ms",
        "_pending_removals",
        "_producers",
        "_rules",
        "_snapshots",
        "config",
        "epochs",
        "log_end_offset",
        "log_start_offset",
        "recovery_point",
        "segments",
    )

    def __init__(
        self, directory: Directory, rules: LogBehaviour, config: LogConfig, choose: Choose, failed: Failed = raised
    ) -> None:
        self._directory = directory
        self._rules = rules
        self._choose = choose
        self._failed = failed
        self.config = config
        self.segments: list[Segment] = []
        self.epochs: LeaderEpochs | None = None
        """None in releases, or for formats, without them."""
        self._producers: ProducerState | None = None  # made when needed, as most logs have none
        self._snapshots = ProducerSnapshots(directory, rules)
        self._pending_removals: Removals | None = None  # made when needed, too
        self._flushed_ms: TimestampMs = 0
        self.log_start_offset: Offset = 0
        self.log_end_offset: Offset = 0
        """The offset that the next record gets."""
        self.recovery_point: Offset = 0
        """Everything below has been flushed; a start after a crash reads the rest again."""

    # ---------------------------------------------------------------- opening and closing

    @classmethod
    def open(
        cls,
        directory: Directory,
        rules: LogBehaviour,
        config: LogConfig,
        now: TimestampMs,
        clean: bool = True,
        log_start_offset: Offset = 0,
        recovery_point: Offset = 0,
        choose: Choose = no_jitter,
        failed: Failed = raised,
    ) -> "PartitionLog":
        """The log in `directory`; a new one if that is empty.

        `clean`: the last broker closed its logs. `log_start_offset` and `recovery_point` come from the checkpoints, 0
        without. `choose` makes the jitter of each segment's roll. `failed` is called with disk errors while the log is
        used, and says what to answer. Raises `BrokerWillNotStart`, and `MalformedBytes` or `OffsetOutOfOrder` for what
        its release does not repair.
        """
        log = cls(directory, rules, config, choose, failed)
        log._flushed_ms = now
        if not directory.has_files():
            log._begin(log_start_offset if rules.new_log_at_checkpoint else 0, now)
            return log
        log._load(now, clean, log_start_offset, recovery_point)
        return log

    def _begin(self, base: Offset, now: TimestampMs) -> None:
        """Begin an empty log."""
        if self._keeps_epochs():
            self.epochs = LeaderEpochs(self._directory, self._rules)
            self.epochs.make_file()
        self._add_segment(base, now, indexes=True)
        self.log_start_offset = self.log_end_offset = self.recovery_point = base
        if base and self._rules.producer_state:
            self._rebuild_producers(base, now, clean=True)

    def _load(self, now: TimestampMs, clean: bool, log_start: Offset, recovery_point: Offset) -> None:
        rules = self._rules
        self._open_epochs()
        opening = Opening(self._directory, rules, self.config, self.epochs, log_start, now, self._jitter_ms)
        opened = opening.find_segments(clean, recovery_point)
        self.segments = opened.segments
        self._discard(opened.dropped, now)
        self._start_anew_if_due(log_start, now)
        self.segments[-1].resize_indexes()
        self.log_end_offset = self.segments[-1].find_next_offset()
        self.recovery_point = self.log_end_offset
        if not clean:
            self.recovery_point = self._unclean_recovery_point(recovery_point)
        first = self.segments[0].base_offset
        self.log_start_offset = max(log_start, first) if rules.log_start_offset else first
        if self.epochs is not None:
            self.epochs.truncate_from_end(self.log_end_offset)
            self.epochs.truncate_from_start(self.log_start_offset)
        self._reload_producers(now, clean)

    def _start_anew_if_due(self, log_start: Offset, now: TimestampMs) -> None:
        """Start over if there are no segments, or if all of them end below the checkpointed start."""
        at_checkpoint = self._rules.new_log_at_checkpoint
        if at_checkpoint and self.segments and self.segments[-1].find_next_offset() < log_start:
            self._discard(self.segments, now)
            self.segments = []
        if not self.segments:
            self._add_segment(log_start if at_checkpoint else 0, now, indexes=True)

    def _reload_producers(self, now: TimestampMs, clean: bool) -> None:
        if self._rules.producer_state:
            if self._rules.snapshots_go_with_segments:
                self._snapshots.remove_strays([segment.base_offset for segment in self.segments])
            self._rebuild_producers(self.log_end_offset, now, clean)

    def close(self, now: TimestampMs) -> None:
        """A clean stop: everything flushed, a producer snapshot, indexes trimmed, all files closed."""
        self.flush(now)
        if self._rules.makes_active_indexes_at_close:
            self.segments[-1].load_indexes()  # flushed even if it is empty
        if self._rules.producer_state:
            self._snapshots.take(self.producers)
        for segment in self.segments:
            segment.close(now)

    def crash(self, kept: Choose | None = None) -> None:
        """What a killed broker leaves: the files as they are, indexes of the active segment in full size.

        `kept`: how many of the given number of unflushed bytes are left when the machine comes back; None: all.
        """
        if kept is not None:
            for segment in self.segments:
                safe = segment.position_of(self.recovery_point)
                segment.open_log().truncate(safe + kept(segment.size - safe), segment.last_modified_ms)
        for segment in self.segments:
            segment.abandon()

    def configure(self, config: LogConfig) -> None:
        """Take a changed configuration. Open segments keep their index size and interval."""
        old, self.config = self.config, config
        if old.message_format != config.message_format and self._rules.epochs_need_format_2:
            self._open_epochs()

    def write_indexes(self) -> None:
        """Bring index files on disk up to date, as memory maps always are, before another process reads them."""
        for segment in self.segments:
            segment.write_indexes()

    def _unclean_recovery_point(self, checkpoint: Offset) -> Offset:
        match self._rules.unclean_recovery_point:
            case "end":
                return self.log_end_offset
            case "least":
                return min(checkpoint, self.log_end_offset)
            case "kept":
                return checkpoint
            case rule:
                assert_never(rule)

    def _keeps_epochs(self) -> bool:
        match self._rules.epoch_file:
            case "none":
                return False
            case "format 2":
                return self.config.message_format >= 2
            case "any format":
                return True
            case rule:
                assert_never(rule)

    def _open_epochs(self) -> None:
        self.epochs = None
        if self._keeps_epochs():
            self.epochs = LeaderEpochs(self._directory, self._rules)
            self.epochs.load()
        elif self._rules.epochs_need_format_2:
            self._directory.delete(names.LEADER_EPOCHS)

    # ---------------------------------------------------------------- appending

    def append(self, data: Buffer, info: AppendInfo, now: TimestampMs) -> Appended:
        """Append a set of units whose bytes are final; they are kept, not copied, in memory.

        What the release checks at this point is checked here, in its order: size of the set, producers; and it rolls.
        After a disk error the content of the files is unknown until a start recovers them.
        """
        try:
            update = self._checked(data, info, now)
            if isinstance(update, Appended):
                return update
            segment = self.segments[-1]
            segment.append(data, info, self.log_end_offset, now)
            self.log_end_offset = self._snapshots.map_end = info.last_offset + 1
            if update is not NO_UPDATE:
                self._update_producers(segment, update)
            if self.log_end_offset - self.recovery_point >= self.config.flush_messages:
                self.flush(now)
        except OSError as error:
            return Appended(self._failed(error, False))
        return Appended(ErrorCode.NONE, info.first_offset, info.last_offset)

    def _checked(self, data: Buffer, info: AppendInfo, now: TimestampMs) -> Update | Appended:
        """What a set means for its producers, or why it is not appended."""
        if self.epochs is not None:
            self._note_epochs(self.epochs, info)
        if self._rules.refuse_larger_than_segment and len(data) > self.config.segment_bytes:
            return Appended(ErrorCode.RECORD_LIST_TOO_LARGE)
        try:
            if self._rules.roll_before_producer_check:
                self._roll_if_due(len(data), info, now)
                checked = self.producers.check(info.batches, info.origin)
            else:
                checked = self.producers.check(info.batches, info.origin)
                if not isinstance(checked, Refused):
                    self._roll_if_due(len(data), info, now)
        except CannotRoll:
            return Appended(ErrorCode.UNKNOWN_SERVER_ERROR)
        return _refusal(checked) if isinstance(checked, Refused) else checked

    def _update_producers(self, segment: Segment, update: Update) -> None:
        self.producers.apply(update)
        for transaction in update.completed:
            if transaction.is_aborted:
                stable = self.producers.stable_offset_after(transaction)
                segment.add_aborted(AbortedTxn(*transaction[:3], stable))
            self.producers.complete(transaction)

    def _note_epochs(self, epochs: LeaderEpochs, info: AppendInfo) -> None:
        latest = epochs.latest
        for batch in info.batches:
            if batch.magic < 2:
                if epochs.entries and self._rules.old_format_clears_epochs:
                    epochs.clear()
            elif batch.leader_epoch != latest and batch.leader_epoch != NO_EPOCH:
                epochs.assign(batch.leader_epoch, batch.base_offset)
                latest = epochs.latest

    # ---------------------------------------------------------------- segments

    def roll(self, now: TimestampMs, at_least: Offset = 0) -> Segment:
        """Begin another segment, at the log's end or later. Raises `CannotRoll`."""
        base = max(at_least, self.log_end_offset)
        active = self.segments[-1]
        if base > active.base_offset:
            self._removals.delete(names.of_offset(base, kind) for kind in names.SEGMENT_SUFFIXES)
            active.become_inactive(now)
        else:
            self._roll_onto(base, now)
        if self._rules.producer_state:
            self._snapshots.map_end = base
            self._snapshots.take(self.producers)
        segment = self._add_segment(base, now, indexes=self._rules.makes_indexes_at_once)
        self._flush_to(base, now)  # brokers do it at once, in the background
        return segment

    def _roll_if_due(self, new_bytes: int, info: AppendInfo, now: TimestampMs) -> None:
        if self.segments[-1].should_roll(new_bytes, info, self.config, now):
            self.roll(now, self._expected_base(info))

    def _expected_base(self, info: AppendInfo) -> Offset:
        """A lower bound of the set's first offset; only a follower's set can begin beyond the log's end."""
        match self._rules.new_segment_base:
            case "log end":
                return 0
            case "first offset":
                knows_first = info.origin is not Origin.REPLICATION or info.batches[0].magic >= 2
                return info.first_offset if knows_first else info.last_offset - MAX_RELATIVE_OFFSET
            case "last offset less int":
                return info.last_offset - MAX_RELATIVE_OFFSET
            case rule:
                assert_never(rule)

    def _roll_onto(self, base: Offset, now: TimestampMs) -> None:
        """Roll although there is a segment with that base, or a later one. An active segment without units may be
        replaced.
        """
        active = self.segments[-1]
        if self._rules.roll_onto_existing == "replace if empty" and active.base_offset == base and active.size == 0:
            self._discard([self.segments.pop()], now)
            return
        if self._rules.roll_onto_existing == "overwrite and fail" and active.base_offset == base:
            self.segments.pop().delete_and_trim()
            self._add_segment(base, now, indexes=False)
        raise CannotRoll(f"there is a segment {active.base_offset}, and the next one would begin at {base}")

    def _add_segment(self, base: Offset, now: TimestampMs, indexes: bool) -> Segment:
        segment = segment_of(self._directory, base, self._rules, self.config, now, self._jitter_ms())
        segment.make_files(indexes)
        self.segments.append(segment)
        return segment

    def _jitter_ms(self) -> DurationMs:
        if self.config.segment_jitter_ms <= 0:
            return 0
        most = min(self.config.segment_jitter_ms, self.config.segment_ms)
        return self._choose(most) if most > 0 else 0

    @property
    def size(self) -> int:
        """Bytes of all segments."""
        return sum(segment.size for segment in self.segments)

    def flush(self, now: TimestampMs) -> None:
        """Flush everything up to the log's end."""
        self._flush_to(self.log_end_offset, now)

    def flush_if_due(self, now: TimestampMs) -> None:
        """Flush if the last flush was `flush.ms` ago; brokers look every `log.flush.scheduler.interval.ms`."""
        if now - self._flushed_ms >= self.config.flush_ms:
            self.flush(now)

    def _flush_to(self, offset: Offset, now: TimestampMs) -> None:
        if offset > self.recovery_point:
            for segment in since(self.segments, self.recovery_point):
                segment.flush()
            self._flushed_ms = now
            if self._rules.flush_removes_snapshots:
                self._snapshots.delete_below(min(offset, self._two_segments_back()))
            self.recovery_point = offset

    # ---------------------------------------------------------------- reading

    def read(self, offset: Offset, max_bytes: int, bound: Offset, min_one: bool) -> Slice | ErrorCode:
        """The slice that a fetch of `offset` gets. `bound`: where this reader's log ends (log end, high watermark, last
        stable offset).

        `min_one`: the first unit comes whole even if it is larger than `max_bytes`.
        """
        if not self._has(offset):
            return ErrorCode.OFFSET_OUT_OF_RANGE
        end = self.log_end_offset
        if offset < end and offset < bound:
            for segment in self.segments[self._at(offset) :]:
                try:
                    up_to = segment.size if bound >= end else segment.position_of(bound)
                    read_slice = segment.read(offset, max_bytes, up_to, min_one)
                except OSError as error:
                    return self._failed(error, True)
                if read_slice is not None:
                    return read_slice
        active = self.segments[-1]
        return Slice(active, active.size, [], 0, 0, False)

    def unreadable(self, error: OSError) -> ErrorCode:
        """The error for a reader when the disk fails."""
        return self._failed(error, True)

    def _has(self, offset: Offset) -> bool:
        start = self.log_start_offset if self._rules.log_start_offset else self.segments[0].base_offset
        return start <= offset <= self.log_end_offset

    def _at(self, offset: Offset) -> int:
        """The number of the segment that holds `offset`."""
        if offset >= self.segments[-1].base_offset:
            return len(self.segments) - 1
        return max(0, bisect_right(self.segments, offset, key=_base_offset) - 1)

    def aborted_transactions(self, offset: Offset, read_slice: Slice) -> list[AbortedTxn]:
        """Aborted transactions that may reach into a slice: those up to the next index entry after it."""
        at = self.segments.index(read_slice.segment)
        upper = read_slice.segment.load_offset_index().first_from_position(read_slice.position + read_slice.size)
        if upper is None:
            upper = self.segments[at + 1].base_offset if at + 1 < len(self.segments) else self.log_end_offset
        transactions: list[AbortedTxn] = []
        for segment in self.segments[at:]:
            some, complete = segment.load_txn_index().overlapping(offset, upper)
            transactions += some
            if complete:
                break
        return transactions

    # ---------------------------------------------------------------- leader epochs, transactions, producers

    def become_leader(self, epoch: LeaderEpoch) -> None:
        """This broker leads the partition in `epoch` from the log's end on."""
        if self.epochs is not None and self._rules.epoch_at_leadership:
            self.epochs.assign(epoch, self.log_end_offset)

    def end_of_epoch(self, epoch: LeaderEpoch) -> EpochEnd:
        """Where `epoch` ended in this log (OffsetForLeaderEpoch)."""
        return self.epochs.end_of(epoch, self.log_end_offset) if self.epochs is not None else UNDEFINED

    @property
    def producers(self) -> ProducerState:
        """What is known about producers; for reading only."""
        if self._producers is None:
            self._producers = ProducerState(self._rules)
        return self._producers

    @property
    def first_unstable_offset(self) -> Offset | None:
        """Where the first transaction begins that is not both decided and replicated; None without one."""
        first = self.producers.first_unstable_offset
        return None if first is None else max(first, self.log_start_offset)

    def last_stable_offset(self, high_watermark: Offset) -> Offset:
        """The offset up to which a reader of committed data may read."""
        producers = self._producers  # every fetch needs this several times
        first = None if producers is None else producers.first_unstable_offset
        return high_watermark if first is None else min(max(first, self.log_start_offset), high_watermark)

    def on_high_watermark(self, high_watermark: Offset) -> None:
        """The high watermark has moved: transactions below it are replicated."""
        self.producers.on_high_watermark(high_watermark)

    def remove_expired_producers(self, now: TimestampMs) -> None:
        """Forget idle producers; brokers do it every ten minutes."""
        self.producers.remove_expired(now, self.config.producer_expiration_ms)

    def on_recovery_point_checkpoint(self) -> None:
        """The recovery point has been written to its checkpoint: older snapshots may go (1.0 to 2.7)."""
        if self._rules.producer_state and self._rules.checkpoint_removes_snapshots:
            before = [s.base_offset for s in self.segments if s.base_offset < self.recovery_point]
            needed = before[-1] if before else self.recovery_point
            self._snapshots.delete_below(min(needed, self._two_segments_back()))

    def _two_segments_back(self) -> Offset:
        """Base of the segment before the active one; that of the active one if it is the only one."""
        return self.segments[-2:][0].base_offset

    def _rebuild_producers(self, end: Offset, now: TimestampMs, clean: bool) -> None:
        rules, start = self._rules, self.log_start_offset
        rebuild(self.producers, self._snapshots, self.segments, rules, self.config, start, end, now, clean)

    # ---------------------------------------------------------------- truncation

    def truncate_to(self, offset: Offset, now: TimestampMs) -> bool:
        """Cut the log so that it ends at `offset` or, if that lies within a unit, before that unit. False if there is
        nothing to cut.
        """
        if offset >= self.log_end_offset:
            if self.epochs is not None and self._rules.truncation_beyond_end_cuts_epochs:
                self.epochs.truncate_from_end(self.log_end_offset)
            return False
        if self.segments[0].base_offset > offset:
            self.truncate_fully_and_start_at(offset, now)
            return True
        self._discard([s for s in self.segments if s.base_offset > offset], now)
        self.segments = [s for s in self.segments if s.base_offset <= offset]
        self.segments[-1].truncate_to(offset, now)
        self.log_end_offset = offset
        self.recovery_point = min(self.recovery_point, offset)
        self.log_start_offset = min(self.log_start_offset, offset)
        if self.epochs is not None:
            self.epochs.truncate_from_end(offset)
        if self._rules.producer_state:
            self._rebuild_producers(offset, now, clean=False)
        return True

    def truncate_fully_and_start_at(self, offset: Offset, now: TimestampMs) -> None:
        """Drop everything; the log is empty and begins at `offset`."""
        self._discard(self.segments, now)
        self.segments = []
        self._add_segment(offset, now, indexes=self._rules.makes_indexes_at_once)
        self.log_start_offset = self.log_end_offset = offset
        self.recovery_point = min(self.recovery_point, offset)
        if self.epochs is not None:
            self.epochs.clear()
        self.producers.clear()
        self._snapshots.delete(lambda _: True)
        self._snapshots.taken_at, self._snapshots.map_end = 0, offset

    # ---------------------------------------------------------------- compaction

    def new_cleaned_segment(self, base: Offset, now: TimestampMs) -> Segment:
        """A segment beside the log, for the cleaner to write into. Leftover files of that name are deleted."""
        segment = segment_of(self._directory, base, self._rules, self.config, now, suffix=names.CLEANED)
        self._removals.delete(segment.file_names())
        segment.make_files(indexes=self._rules.makes_indexes_at_once)
        return segment

    def replace_segments(self, new: Sequence[Segment], old: Sequence[Segment], now: TimestampMs) -> None:
        """Put cleaned segments in the place of the neighbouring segments from which they were made
        (Log.replaceSegments).

        After a crash at any step, the next start finds either the old ones or the new ones.
        """
        for segment in reversed(new):
            segment.rename(names.SWAP)
        at = self.segments.index(old[0])
        self.segments[at : at + len(old)] = new
        self._removals.discard(old, now, self.config.file_delete_delay_ms, replaced_at=new[0].base_offset)
        for segment in new:
            segment.rename("")

    def aborted_from(self, start: Offset, upper: Offset) -> list[AbortedTxn]:
        """Aborted transactions that began below `upper` and whose markers are in the segment of `start` or later."""
        transactions: list[AbortedTxn] = []
        for segment in self.segments[self._at(start) :]:
            some, complete = segment.load_txn_index().overlapping(self.log_start_offset, upper)
            transactions += some
            if complete:
                break
        return transactions

    # ---------------------------------------------------------------- retention

    def delete_old_segments(self, now: TimestampMs, high_watermark: Offset) -> int:
        """Run one pass of retention, and return how many segments were removed."""
        gone = 0
        for step in self._retention_steps():
            bound = high_watermark if self._rules.log_start_offset else None
            count = self._deletable(step, bound, now)
            if count:
                self._delete_first(count, now)
            gone += count
        return gone

    def _retention_steps(self) -> Sequence[RetentionStep]:
        if self.config.delete:
            return self._rules.retention_order
        return ("log start",) if self._rules.retention_of_compacted else ()

    def _deletable(self, step: RetentionStep, bound: Offset | None, now: TimestampMs) -> int:
        segments, end = self.segments, self.log_end_offset
        match step:
            case "time":
                return retention.too_old(segments, bound, end, self._rules, self.config.retention_ms, now)
            case "size":
                return retention.too_large(segments, bound, end, self.config.retention_bytes)
            case "log start":
                return retention.below_start(segments, bound, end, self.log_start_offset)
            case _:
                assert_never(step)

    def _delete_first(self, count: int, now: TimestampMs) -> None:
        if count == len(self.segments):
            self.roll(now)
        doomed, self.segments = self.segments[:count], self.segments[count:]
        self._discard(doomed, now)
        if self._rules.log_start_offset:
            self.advance_log_start(self.segments[0].base_offset)
        else:
            self._begin_at(self.segments[0].base_offset)

    def advance_log_start(self, offset: Offset) -> bool:
        """The log begins at `offset` now, if that is later: DeleteRecords. Files go with the next pass of retention."""
        if offset <= self.log_start_offset:
            return False
        self._begin_at(offset)
        if self.epochs is not None:
            self.epochs.truncate_from_start(offset)
        if self._rules.producer_state:
            on_log_start(self.producers, self._snapshots, self._rules, offset)
        return True

    def _begin_at(self, offset: Offset) -> None:
        self.log_start_offset = offset
        if self._rules.recovery_follows_start:
            self.recovery_point = max(self.recovery_point, offset)

    def new_removals(self) -> tuple[TimestampMs, ...]:
        """When `remove_due_files` will have something to do because of what was discarded since the last call."""
        return () if self._pending_removals is None else self._pending_removals.announce()

    def remove_due_files(self, now: TimestampMs) -> None:
        """Delete the files of segments that have left the log long enough ago."""
        self._removals.delete_due(now)

    @property
    def _removals(self) -> Removals:
        if self._pending_removals is None:
            self._pending_removals = Removals(self._directory, self._rules)
        return self._pending_removals

    def _discard(self, segments: Sequence[Segment], now: TimestampMs) -> None:
        self._removals.discard(segments, now, self.config.file_delete_delay_ms)


def _refusal(refused: Refused) -> Appended:
    kept = refused.duplicate
    if kept is None:
        return Appended(refused.error)
    return Appended(ErrorCode.NONE, kept.first_offset, kept.last_offset, kept.timestamp, is_duplicate=True)


def _base_offset(segment: Segment) -> Offset:
    return segment.base_offset
