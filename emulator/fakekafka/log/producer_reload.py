"""Producer snapshots as files, and the state of producers read again from them and from the log.

`ProducerSnapshots` is the half of a real broker's ProducerStateManager that deals with files; `rebuild` is what happens
at a start and after a truncation (Log.loadProducerState, Log.rebuildProducerState). A snapshot is named by the offset
up to which the state was valid when it was written, and no offset gets a second snapshot.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from fakekafka.errors import BrokerWillNotStart, MalformedBytes
from fakekafka.ids import DurationMs, Offset, TimestampMs
from fakekafka.log import names
from fakekafka.log.append_info import Origin
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory
from fakekafka.log.producer_snapshot import read_snapshot, snapshot_bytes
from fakekafka.log.producer_state import ProducerState, Refused, Update
from fakekafka.log.segment import Segment
from fakekafka.records.batch import Batch
from fakekafka.releases.behaviours.log import LogBehaviour


class ProducerSnapshots:
    """The snapshot files of one log."""

    __slots__ = ("_directory", "_rules", "map_end", "taken_at")

    def __init__(self, directory: Directory, rules: LogBehaviour) -> None:
        self._directory = directory
        self._rules = rules
        self.map_end: Offset = 0
        """The offset up to which the state of the producers is valid."""
        self.taken_at: Offset = 0
        """The newest snapshot that this process knows, or where the log began when there was none."""

    def offsets(self) -> list[Offset]:
        """The offsets of the existing snapshots, ascending."""
        files = (n for n in self._directory.names() if names.is_segment_file(n, names.SNAPSHOT))
        return sorted(int(name.partition(".")[0]) for name in files)

    def take(self, state: ProducerState) -> None:
        """Write a snapshot, if the state has moved on since the last one."""
        if self.map_end > self.taken_at:
            name = names.of_offset(self.map_end, names.SNAPSHOT)
            content = snapshot_bytes(state.entries())
            if self._rules.snapshots_keep_tails and self._directory.exists(name):
                content += self._directory.read_all(name)[len(content) :]
            self._directory.replace(name, content)
            self.taken_at = self.map_end

    def delete(self, which: Callable[[Offset], bool]) -> None:
        for offset in self.offsets():
            if which(offset):
                self._directory.delete(names.of_offset(offset, names.SNAPSHOT))

    def delete_below(self, offset: Offset) -> None:
        self.delete(lambda snapshot: snapshot < offset)

    def load_newest(self, state: ProducerState, log_start: Offset, now: TimestampMs, expiration_ms: DurationMs) -> None:
        """Start `state` from the newest snapshot that can be read; those that cannot are deleted."""
        for offset in reversed(self.offsets()):
            name = names.of_offset(offset, names.SNAPSHOT)
            try:
                entries = read_snapshot(self._directory.read_all(name))
            except MalformedBytes:
                self._directory.delete(name)
                continue
            state.load(entries, log_start, now, expiration_ms)
            self.map_end = self.taken_at = offset
            return
        self.map_end = self.taken_at = log_start

    def remove_strays(self, bases: Sequence[Offset]) -> None:
        """Of the snapshots that are not at a segment's base, keep only the newest, and only if it is above the last
        base (2.8+).
        """
        strays = [offset for offset in self.offsets() if offset not in bases]
        kept = strays[-1:] if strays and bases and strays[-1] > bases[-1] else []
        self.delete(lambda offset: offset in strays and offset not in kept)


def rebuild(
    state: ProducerState,
    snapshots: ProducerSnapshots,
    segments: Sequence[Segment],
    rules: LogBehaviour,
    config: LogConfig,
    log_start: Offset,
    end: Offset,
    now: TimestampMs,
    clean: bool,
) -> None:
    """Bring `state` up to `end`. `clean`: the log was closed properly, so what it lacks never existed."""
    points = [*(segment.base_offset for segment in segments[-2:]), end]
    if _needs_no_reading(snapshots, rules, config, clean):
        for point in points:
            snapshots.map_end = point
            snapshots.take(state)
        return
    was_empty = state.is_empty and snapshots.map_end >= end
    truncate_and_reload(state, snapshots, rules, log_start, end, now, config.producer_expiration_ms)
    if end > snapshots.map_end and not was_empty:
        _replay(state, snapshots, segments, rules, points, log_start, end)
    snapshots.map_end = end
    if rules.reload_snapshots == "last segments":
        snapshots.take(state)


def truncate_and_reload(
    state: ProducerState,
    snapshots: ProducerSnapshots,
    rules: LogBehaviour,
    log_start: Offset,
    end: Offset,
    now: TimestampMs,
    expiration_ms: DurationMs,
) -> None:
    """Drop snapshots outside of the log; start from the newest of the others, unless the state is already valid."""
    snapshots.delete(lambda offset: offset > end or offset <= log_start)
    if end != snapshots.map_end:
        state.clear()
        snapshots.load_newest(state, log_start, now, expiration_ms)
    else:
        on_log_start(state, snapshots, rules, log_start)


def on_log_start(state: ProducerState, snapshots: ProducerSnapshots, rules: LogBehaviour, log_start: Offset) -> None:
    """The log begins at `log_start` now (ProducerStateManager.truncateHead, onLogStartOffsetIncremented)."""
    state.on_log_start(log_start)
    snapshots.map_end = max(snapshots.map_end, log_start)
    if not rules.snapshots_go_with_segments:
        snapshots.delete_below(log_start)
    remaining = snapshots.offsets()
    snapshots.taken_at = remaining[-1] if remaining else log_start


def replay(state: ProducerState, batches: Iterable[Batch]) -> None:
    """Let stored batches change the state. Raises as `update_of` does."""
    for batch in batches:
        update = update_of(state, batch)
        state.apply(update)
        for transaction in update.completed:
            state.complete(transaction)


def update_of(state: ProducerState, batch: Batch) -> Update:
    """What a stored batch changes; sequences and epochs are not checked again.

    Raises `BrokerWillNotStart` (InvalidTxnStateException) for one without a transaction while its producer has one
    open. Such a batch got into the log after the beginning of the transaction was deleted and its producer forgotten
    (up to 2.3).
    """
    update = state.check((batch,), Origin.REPLICATION)
    if isinstance(update, Refused):
        raise BrokerWillNotStart(f"Expected transactional write from producer {batch.producer_id}")
    return update


def _needs_no_reading(snapshots: ProducerSnapshots, rules: LogBehaviour, config: LogConfig, clean: bool) -> bool:
    """Whether there can be no producers: in old formats, and in a log that was closed without a snapshot."""
    old_format, none = config.message_format < 2, not snapshots.offsets()
    if rules.reload_snapshots == "every segment":
        return none and (old_format or clean)
    return old_format or (none and clean)


def _replay(
    state: ProducerState,
    snapshots: ProducerSnapshots,
    segments: Sequence[Segment],
    rules: LogBehaviour,
    points: Sequence[Offset],
    log_start: Offset,
    end: Offset,
) -> None:
    for segment in since(segments, snapshots.map_end):
        if segment.base_offset >= end:
            break
        start = max(segment.base_offset, snapshots.map_end, log_start)
        snapshots.map_end = start
        if rules.reload_snapshots == "every segment" or segment.base_offset in points:
            snapshots.take(state)
        replay(state, batches_between(segment, start, end))


def since(segments: Sequence[Segment], offset: Offset) -> Sequence[Segment]:
    """The segment that holds `offset`, and all later ones; all segments, if it lies before the first."""
    first = bisect_right(segments, offset, key=lambda segment: segment.base_offset) - 1
    return segments[max(0, first) :]


def batches_between(segment: Segment, start: Offset, end: Offset) -> Iterable[Batch]:
    """The units from the one with `start` up to, but not including, the one with `end`."""
    for batch in segment.batches(segment.position_of(start)):
        if batch.last_offset >= end:
            return
        yield batch
