"""Opening a directory of segments: after a clean or unclean stop (Log.loadSegments, LogLoader).

The passes, in order: drop what a crash left behind; finish interrupted swaps; open the segments and check their
indexes; after an unclean stop read through everything from the recovery point on, cut the log at the first unit that is
broken and drop what follows. A rebuilt index differs from the one it replaces where the release's does, because
recovery counts unit by unit and an append set by set.

This module repairs only what the real broker of the release repairs; where that broker would not start, it raises
`BrokerWillNotStart`.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar, assert_never

from fakekafka.errors import BrokerWillNotStart, MalformedBytes
from fakekafka.ids import DurationMs, Offset, TimestampMs
from fakekafka.log import names
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.leader_epochs import LeaderEpochs
from fakekafka.log.offset_index import ENTRY_SIZE, IndexFull, OffsetOutOfOrder
from fakekafka.log.producer_reload import (
    ProducerSnapshots,
    batches_between,
    rebuild,
    replay,
    since,
    truncate_and_reload,
    update_of,
)
from fakekafka.log.producer_state import ProducerState
from fakekafka.log.segment import Segment, SegmentOverflows
from fakekafka.log.segment_kinds import segment_of
from fakekafka.log.time_index import ENTRY_SIZE as TIME_ENTRY_SIZE
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.log.units import walk
from fakekafka.records.batch import Batch
from fakekafka.records.scan import view
from fakekafka.releases.behaviours.log import LogBehaviour

T = TypeVar("T")


class LoadedSegments(NamedTuple):
    """The segments of a directory, ready to be used."""

    segments: list[Segment]
    """Ascending; may be empty."""
    dropped: list[Segment]
    """Segments after a broken one, or replaced by a swap. Their files still exist, the latter's as `.deleted`."""


class Opening:
    """What the passes share while one directory is opened."""

    def __init__(
        self,
        directory: Directory,
        rules: LogBehaviour,
        config: LogConfig,
        epochs: LeaderEpochs | None,
        log_start: Offset,
        now: TimestampMs,
        jitter_ms: Callable[[], DurationMs],
    ) -> None:
        self._directory = directory
        self._rules = rules
        self._config = config
        self._epochs = epochs
        self._log_start = log_start
        self._now = now
        self._jitter_ms = jitter_ms
        self._segments: list[Segment] = []
        self._replaced: list[Segment] = []

    def find_segments(self, clean: bool, recovery_point: Offset) -> LoadedSegments:
        """Run all passes. Raises `BrokerWillNotStart`."""
        swaps = self._remove_leftovers()
        match self._rules.swap_files:
            case "all renamed":
                self._rename_swaps(swaps)
                self._without_overflow(self._open_segments)
            case "renamed":
                self._without_overflow(self._open_segments)
            case "recovered" | "recovered if whole":
                self._without_overflow(self._open_segments)
                self._recover_swaps(swaps)
            case rule:
                assert_never(rule)
        dropped = [] if clean else self._without_overflow(lambda: self._recover_unflushed(recovery_point))
        if self._rules.refuses_bad_indexes:
            self._refuse_bad_indexes()
        return LoadedSegments(self._segments, [*self._replaced, *dropped])

    # ---------------------------------------------------------------- leftovers

    def _remove_leftovers(self) -> list[str]:
        """Delete files that are being deleted or were being cleaned; return the names of those that were being swapped
        in.
        """
        present = self._directory.names()
        cleaned = [name for name in present if name.endswith(names.CLEANED)]
        swaps = [name for name in present if name.endswith(names.SWAP)]
        for name in cleaned + [name for name in present if name.endswith(names.DELETED)]:
            self._directory.delete(name)
        if not self._rules.renames_swapped_indexes:
            swaps = self._without_indexes(swaps)
        whole = self._whole_swaps(swaps, cleaned)
        for name in swaps:
            if name not in whole:
                self._directory.delete(name)
        return whole

    def _whole_swaps(self, swaps: list[str], cleaned: list[str]) -> list[str]:
        """The swaps that nothing before them shows to be incomplete."""
        match self._rules.swap_files:
            case "recovered if whole" | "all renamed":
                first_cleaned = min((_base(name) for name in cleaned), default=None)
                return [name for name in swaps if first_cleaned is None or _base(name) < first_cleaned]
            case "recovered" | "renamed":
                return swaps
            case rule:
                assert_never(rule)

    def _without_indexes(self, swaps: list[str]) -> list[str]:
        """Up to 2.8 a swapped log gets new indexes: those of the swap and of the segment it replaces go."""
        logs = [name for name in swaps if names.is_segment_file(name, names.LOG + names.SWAP)]
        for name in (name for name in swaps if name not in logs):
            self._directory.delete(name)
        for name in logs:
            for kind in names.SEGMENT_SUFFIXES[1:]:
                self._directory.delete(names.of_offset(_base(name), kind))
            if self._rules.renames_swapped_logs:
                self._directory.rename(name, name.removesuffix(names.SWAP))
        return logs

    def _rename_swaps(self, swaps: list[str]) -> None:
        """3.0 and later: the new files replace everything between the first one's base and the last one's
        end.
        """
        logs = [self._swapped(name) for name in swaps if names.is_segment_file(name, names.LOG + names.SWAP)]
        if not logs:
            return
        start, end = min(log.base_offset for log in logs), max(log.find_next_offset() for log in logs)
        for name in self._directory.names():
            if name.endswith(names.SWAP):
                continue
            offset = names.offset_of(name)
            if offset is not None and start <= offset < end:
                self._directory.delete(name)
        for name in self._directory.names():
            if name.endswith(names.SWAP):
                self._directory.rename(name, name.removesuffix(names.SWAP))

    def _swapped(self, name: str) -> Segment:
        return segment_of(self._directory, _base(name), self._rules, self._config, self._now, suffix=names.SWAP)

    def _recover_swaps(self, swaps: list[str]) -> None:
        for name in swaps:
            swapped = self._swapped(name)
            self._rebuild(swapped)
            end = swapped.find_next_offset()
            for old in [s for s in self._segments if swapped.base_offset <= s.base_offset < end]:
                self._segments.remove(old)
                old.rename(names.DELETED)
                self._replaced.append(old)
            swapped.rename("")
            self._segments = sorted([*self._segments, swapped], key=lambda segment: segment.base_offset)

    # ---------------------------------------------------------------- segments

    def _open_segments(self) -> None:
        self._segments = []
        present = self._directory.names()
        bases = sorted(_base(name) for name in present if names.is_segment_file(name, names.LOG))
        for name in present:
            is_index = any(names.is_segment_file(name, kind) for kind in names.SEGMENT_SUFFIXES[1:])
            if is_index and _base(name) not in bases:
                self._directory.delete(name)
        for base in bases:
            segment = segment_of(self._directory, base, self._rules, self._config, self._now, self._jitter_ms())
            self._check(segment)
            self._segments.append(segment)

    def _without_overflow(self, act: Callable[[], T]) -> T:
        """Do `act`, and do it again after each split of a segment that reaches further than its index can express
        (Log.retryOnOffsetOverflow, KAFKA-6264).
        """
        while True:
            try:
                return act()
            except SegmentOverflows as overflow:
                self._split(overflow.segment)

    def _split(self, segment: Segment) -> None:
        from fakekafka.log.splitting import parts_of  # hardly any log needs it

        parts = parts_of(segment, self._new_part, self._now)
        for part in reversed(parts):
            part.rename(names.SWAP)
        segment.write_indexes()  # which has the entries up to the overflow
        segment.rename(names.DELETED)
        self._replaced.append(segment)
        for part in parts:
            part.rename("")
        self._segments = sorted(
            [*(one for one in self._segments if one is not segment), *parts], key=lambda one: one.base_offset
        )

    def _new_part(self, base: Offset) -> Segment:
        part = segment_of(self._directory, base, self._rules, self._config, self._now, suffix=names.CLEANED)
        part.make_files(indexes=self._rules.makes_indexes_at_once)
        return part

    def _check(self, segment: Segment) -> None:
        """Create missing indexes and rebuild bad ones, as the release does."""
        has_index = self._directory.exists(segment.name(names.OFFSET_INDEX))
        has_times = self._directory.exists(segment.name(names.TIME_INDEX))
        if not has_index:
            match self._rules.missing_index:
                case "refused":
                    raise BrokerWillNotStart("Found log file with no corresponding index file.")
                case "rebuilt":
                    self._rebuild(segment)
                    return
                case "unnoticed":
                    segment.load_indexes()
                case rule:
                    assert_never(rule)
        if self._rules.time_index and not has_times:
            segment.load_indexes()
            if self._rules.missing_time_index == "empty":
                segment.trim_time_index()
        if (self._rules.rebuilds_bad_indexes and self._is_bad(segment)) or _has_bad_transactions(segment):
            self._rebuild(segment)

    def _is_bad(self, segment: Segment) -> bool:
        """Whether an index is bad (OffsetIndex.sanityCheck, TimeIndex.sanityCheck)."""
        least = segment.base_offset + (1 if self._rules.index_must_pass_base else 0)
        index = segment.load_offset_index()
        if self._directory.size_of(segment.name(names.OFFSET_INDEX)) % index.entry_size or (
            index and index.last_offset < least
        ):
            return True
        if self._rules.time_index:
            times = segment.load_time_index()
            timestamp, offset = times.last_entry
            if self._directory.size_of(segment.name(names.TIME_INDEX)) % TIME_ENTRY_SIZE or (
                times and (timestamp < times.first_timestamp or offset < segment.base_offset)
            ):
                return True
        return False

    def _refuse_bad_indexes(self) -> None:
        """0.8: an index that is still bad after recovery stops the broker."""
        for segment in self._segments:
            name, index = segment.name(names.OFFSET_INDEX), segment.load_offset_index()
            size = self._directory.size_of(name)
            if index and index.last_offset <= segment.base_offset:
                raise BrokerWillNotStart(
                    f"Corrupt index found, index file ({name}) has non-zero size but the last offset is "
                    f"{index.last_offset} and the base offset is {segment.base_offset}"
                )
            if size % ENTRY_SIZE:
                raise BrokerWillNotStart(
                    f"Index file {name} is corrupt, found {size} bytes which is not positive or not a multiple of 8."
                )

    # ---------------------------------------------------------------- recovery

    def _recover_unflushed(self, recovery_point: Offset) -> list[Segment]:
        """Read through what may not have reached the disk; return the segments after a broken one."""
        whole = self._rules.recover_segments == "last"
        doubtful = self._segments[-1:] if whole else list(since(self._segments, recovery_point))
        for segment in doubtful:
            if self._recover_or_empty(segment):
                dropped = [s for s in self._segments if s.base_offset > segment.base_offset]
                self._segments = [s for s in self._segments if s.base_offset <= segment.base_offset]
                return dropped
        return []

    def _recover_or_empty(self, segment: Segment) -> int:
        try:
            return self._recover(segment, self._epochs)
        except OffsetOutOfOrder:
            return segment.truncate_to(segment.base_offset, self._now)

    def _rebuild(self, segment: Segment) -> int:
        """Recover a segment for the sake of its indexes."""
        return self._recover(segment, self._epochs if self._rules.rebuilt_index_notes_epochs else None)

    def _recover(self, segment: Segment, epochs: LeaderEpochs | None) -> int:
        """Rebuild the indexes of a segment from its log and cut it at the first broken unit; return how many bytes were
        removed.
        """
        state, snapshots = self._producers_before(segment)
        segment.clear_indexes()
        good = last_entry = 0
        try:
            for chunk, unit, position in walk(segment.open_log(), self._rules.small_size_ends_log):
                batch = view(chunk, unit, segment.dialect)
                if not batch.crc_ok() or (batch.magic >= 2 and not self._rules.reads_batches):
                    break
                if self._rules.index_overflow == "refused" and not segment.reaches(batch.last_offset):
                    raise SegmentOverflows(segment)
                is_due = position - last_entry > segment.index_interval_bytes
                segment.note_recovered(batch, position, self._key(batch) if is_due else 0, is_due)
                last_entry = position if is_due else last_entry
                good = position + unit.size
                self._note(batch, segment, epochs, state, snapshots)
        except MalformedBytes:
            pass  # treated like a wrong checksum: the log ends before it
        except IndexFull as full:
            raise BrokerWillNotStart(str(full)) from full
        cut = segment.cut_log(good, self._now)
        if self._rules.producer_state:
            snapshots.take(state)
        return cut

    def _key(self, batch: Batch) -> Offset:
        return batch.base_offset if self._rules.rebuilt_index_key == "first offset" else batch.last_offset

    def _note(
        self,
        batch: Batch,
        segment: Segment,
        epochs: LeaderEpochs | None,
        state: ProducerState,
        snapshots: ProducerSnapshots,
    ) -> None:
        """Leader epochs, producers and aborted transactions of a good batch."""
        if batch.magic < 2 or not self._rules.producer_state:
            return
        if epochs is not None and batch.leader_epoch > max(epochs.latest, self._rules.recovered_epochs_from - 1):
            epochs.assign(batch.leader_epoch, batch.base_offset)
        update = update_of(state, batch)
        state.apply(update)
        for transaction in update.completed:
            if transaction.is_aborted:
                segment.add_aborted(AbortedTxn(*transaction[:3], state.stable_offset_after(transaction)))
            state.complete(transaction)
        snapshots.map_end = batch.last_offset + 1

    def _producers_before(self, segment: Segment) -> tuple[ProducerState, ProducerSnapshots]:
        """The producers as they were when `segment` began, by the segments opened so far."""
        state, snapshots = ProducerState(self._rules), ProducerSnapshots(self._directory, self._rules)
        rules, base = self._rules, segment.base_offset
        if not rules.producer_state:
            return state, snapshots
        if rules.reload_snapshots == "last segments":
            known, log_start = self._segments, self._log_start
            rebuild(state, snapshots, known, rules, self._config, log_start, base, self._now, clean=False)
            return state, snapshots
        expiration_ms = self._config.producer_expiration_ms
        truncate_and_reload(state, snapshots, rules, self._log_start, base, self._now, expiration_ms)
        self._refuse_to_read_back(snapshots.map_end, base)
        for earlier in since(self._segments, snapshots.map_end):
            if earlier.base_offset < base:
                replay(state, batches_between(earlier, max(earlier.base_offset, snapshots.map_end), base))
        snapshots.map_end = base
        if rules.snapshot_before_recovery:
            snapshots.take(state)
        return state, snapshots

    def _refuse_to_read_back(self, start: Offset, end: Offset) -> None:
        """From 0.11 to 1.1 no segment is recovered that lies below the one in which the log starts (Log.logSegments;
        asked of 0.11.0.0 to 2.0.1).
        """
        first = max((one.base_offset for one in self._segments if one.base_offset <= start), default=end)
        if first > end:
            raise BrokerWillNotStart("inconsistent range")


def _has_bad_transactions(segment: Segment) -> bool:
    """Whether the transaction index is bad (TransactionIndex.sanityCheck, in every release that has such indexes)."""
    try:
        return any(entry.last_offset < segment.base_offset for entry in segment.load_txn_index().entries)
    except MalformedBytes as wrong:
        raise BrokerWillNotStart(f"{segment.name(names.TXN_INDEX)}: {wrong}") from wrong


def _base(name: str) -> Offset:
    base = names.offset_of(name)
    if base is None:
        raise BrokerWillNotStart(f"{name} has no offset in its name")
    return base
