"""Any story of a log, played on one in memory and one on disk, against a plain list of units."""

import tempfile
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_OFFSET, Offset, ProducerId
from fakekafka.log.append_info import Appended, AppendInfo, Origin
from fakekafka.log.check import check
from fakekafka.log.config import LogConfig
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.log.producer_snapshot import SnapshotEntry
from fakekafka.log.producer_state import ProducerState, Refused
from fakekafka.log.segment import Slice
from fakekafka.pieces import joined
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from tests.emulator.log.batches import Set, batch, marker, messages, rules
from tests.support.examples import at_most

RELEASES = ["0.8.0", "0.8.2", "0.10.1", "0.11.0", "1.1", "2.0", "2.3", "2.8", "3.0", "3.9", "4.1"]
CONFIG = LogConfig(
    segment_bytes=900,
    segment_ms=1000,
    index_interval_bytes=100,
    segment_index_bytes=60,
    retention_ms=3000,
    retention_bytes=2000,
    file_delete_delay_ms=500,
)
TRANSACTIONAL, IDEMPOTENT = 7, 8
PRODUCERS = st.sampled_from([TRANSACTIONAL, IDEMPOTENT])


def open_transactions(state: ProducerState) -> dict[ProducerId, Offset]:
    """Where the open transaction of each producer begins, if it has one."""
    begins = {id: producer.transaction_first_offset for id, producer in state.producers.items()}
    return {id: offset for id, offset in begins.items() if offset != NO_OFFSET}


class Unit(NamedTuple):
    """One set of one unit, as it was appended."""

    data: bytes
    info: AppendInfo

    @property
    def last_offset(self) -> int:
        return self.info.last_offset


class LogStory(RuleBasedStateMachine):
    """`units`: what the log holds, deleted from the front as its segments are."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.directories: tuple[Directory, ...] = (MemoryDirectory(), DiskDirectory(Path(self.folder.name) / "p"))
        self.units: list[Unit] = []
        self.logs: list[PartitionLog] = []
        self.now = 10_000
        self.lost_its_front = False
        """Once this is true, the model cannot say what the log knows about producers."""

    def teardown(self) -> None:
        for log in self.logs:
            log.crash()
        self.folder.cleanup()

    @initialize(release=st.sampled_from(RELEASES))
    def begin(self, release: str) -> None:
        self.behaviour = rules(release)
        self.magic = 2 if self.behaviour.producer_state else 1 if self.behaviour.time_index else 0
        self.open(clean=True, log_start=0, recovery_point=0)

    def open(self, clean: bool, log_start: int, recovery_point: int) -> None:
        self.logs = [
            PartitionLog.open(directory, self.behaviour, CONFIG, self.now, clean, log_start, recovery_point)
            for directory in self.directories
        ]

    @property
    def log(self) -> PartitionLog:
        return self.logs[0]

    @property
    def end(self) -> int:
        return self.log.log_end_offset

    # ---------------------------------------------------------------- appends

    def append(self, unit: Set) -> Appended:
        results = [log.append(*unit, self.now) for log in self.logs]
        assert results[0] == results[1]
        return results[0]

    def append_well(self, unit: Set) -> None:
        assert self.append(unit) == Appended(ErrorCode.NONE, unit[1].first_offset, unit[1].last_offset)
        self.units.append(Unit(*unit))

    @rule(count=st.integers(1, 4), age=st.integers(-1, 300), size=st.integers(0, 150), gap=st.sampled_from([0, 0, 9]))
    def append_records(self, count: int, age: int, size: int, gap: int) -> None:
        times = [-1 if age < 0 else self.now - age] * count
        data, info = messages(self.magic, self.end + gap, *times, value=bytes(size))
        if self.magic == 2:
            self.append_well((data, info._replace(origin=Origin.REPLICATION if gap else Origin.CLIENT)))
            return
        for one in info.batches:
            place = AppendInfo(one.last_offset, one.last_offset, one.max_timestamp, one.last_offset, [one])
            self.append_well((bytes(one.data), place))

    @precondition(lambda self: self.magic == 2)
    @rule(who=PRODUCERS, count=st.integers(1, 3))
    def append_of_a_producer(self, who: int, count: int) -> None:
        known = self.log.producers.producers.get(who)
        self.append_well(
            batch(
                self.end,
                *[self.now] * count,
                producer=who,
                producer_epoch=0 if known is None else known.epoch,
                sequence=0 if known is None else known.last_sequence + 1,
                transactional=who == TRANSACTIONAL,
            )
        )

    @precondition(lambda self: self.magic == 2)
    @rule(who=PRODUCERS, commit=st.booleans(), bump=st.integers(0, 1))
    def append_marker(self, who: int, commit: bool, bump: int) -> None:
        known = self.log.producers.producers.get(who)
        epoch = 0 if known is None else known.epoch + bump
        self.append_well(marker(self.end, who, self.now, commit=commit, producer_epoch=epoch))

    @precondition(lambda self: self.units and not self.lost_its_front)
    @rule()
    def append_the_last_again(self) -> None:
        last = self.units[-1]
        if last.info.batches[0].producer_id >= 0 and not last.info.batches[0].is_control:
            result = self.append((last.data, last.info))
            assert result.is_duplicate
            assert (result.first_offset, result.last_offset) == (last.info.first_offset, last.last_offset)

    # ---------------------------------------------------------------- time, segments, ends

    @rule(ms=st.integers(1, 1500))
    def wait(self, ms: int) -> None:
        self.now += ms

    @precondition(lambda self: self.log.segments[-1].size > 0)
    @rule()
    def roll(self) -> None:
        for log in self.logs:
            log.roll(self.now)

    @rule()
    def flush(self) -> None:
        for log in self.logs:
            log.flush(self.now)
            log.on_recovery_point_checkpoint()

    @rule()
    def become_leader(self) -> None:
        for log in self.logs:
            log.become_leader(0 if log.epochs is None else log.epochs.latest + 1)

    @rule(count=st.integers(0, 5))
    def truncate(self, count: int) -> None:
        """Truncate between two units, as followers do."""
        kept = self.units[: max(0, len(self.units) - count)]
        to = kept[-1].last_offset + 1 if kept else self.log.segments[0].base_offset
        is_cut = to < self.end
        assert [log.truncate_to(to, self.now) for log in self.logs] == [is_cut] * 2
        assert self.end == to or not is_cut
        self.units = kept

    @rule(at=st.integers(0, 50))
    def start_anew(self, at: int) -> None:
        for log in self.logs:
            log.truncate_fully_and_start_at(at, self.now)
        self.units = []
        self.lost_its_front = at > 0

    @precondition(lambda self: self.behaviour.log_start_offset)
    @rule(by=st.integers(0, 12))
    def delete_records(self, by: int) -> None:
        to = min(self.log.log_start_offset + by, self.end)
        for log in self.logs:
            log.advance_log_start(to)
        assert self.log.log_start_offset == to
        self.lost_its_front |= to > 0

    @rule(behind=st.integers(0, 5))
    def delete_old(self, behind: int) -> None:
        high_watermark = max(self.log.log_start_offset, self.end - behind)
        before = [segment.base_offset for segment in self.log.segments]
        gone = [log.delete_old_segments(self.now, high_watermark) for log in self.logs]
        assert gone[0] == gone[1]
        left = [segment.base_offset for segment in self.log.segments]
        assert left == before[gone[0] :] or left == [self.end]
        assert not self.behaviour.log_start_offset or self.log.log_start_offset <= high_watermark
        self.units = [unit for unit in self.units if unit.last_offset >= left[0]]
        self.lost_its_front |= gone[0] > 0

    @rule()
    def remove_files(self) -> None:
        for log in self.logs:
            log.remove_due_files(self.now)

    # ---------------------------------------------------------------- restarts

    @rule()
    def restart(self) -> None:
        start, point = self.log.log_start_offset, self.log.recovery_point
        for log in self.logs:
            log.close(self.now)
        self.open(clean=True, log_start=start, recovery_point=point)

    @rule(lost=st.integers(0, 100), checkpointed=st.booleans())
    def crash(self, lost: int, checkpointed: bool) -> None:
        """The last bytes of the log may not have reached the disk."""
        start, point = self.log.log_start_offset, self.log.recovery_point if checkpointed else 0
        active = self.log.segments[-1]
        kept = max(active.size - lost, self.least_size(start))
        for log, directory in zip(self.logs, self.directories):
            name = active.name(".log")
            log.crash()
            directory.replace(name, directory.read_all(name)[:kept])
            directory.set_last_modified(name, self.now)
        ends = 0
        for unit in [unit for unit in self.units if unit.last_offset >= active.base_offset]:
            ends += len(unit.data)
            if ends > kept:
                self.units.remove(unit)
        self.open(clean=False, log_start=start, recovery_point=point)

    def least_size(self, log_start: int) -> int:
        """The least size of the last segment's file with which the log does not end before it begins."""
        end, size = self.log.segments[-1].base_offset, 0
        for unit in self.units:
            if unit.last_offset >= end and end < log_start:
                end, size = unit.last_offset + 1, size + len(unit.data)
        return size

    # ---------------------------------------------------------------- what must be true

    @rule(ahead=st.integers(-1, 60), max_bytes=st.integers(0, 900), behind=st.integers(0, 9), min_one=st.booleans())
    def read(self, ahead: int, max_bytes: int, behind: int, min_one: bool) -> None:
        offset, bound = self.log.log_start_offset + ahead, self.end - behind
        found = [log.read(offset, max_bytes, bound, min_one) for log in self.logs]
        if not self.log.log_start_offset <= offset <= self.end:
            assert found == [ErrorCode.OFFSET_OUT_OF_RANGE] * 2
            return
        for one in found:
            assert isinstance(one, Slice)
            assert joined(one.buffers) == self.expected(offset, max_bytes, bound, min_one)

    def expected(self, offset: int, max_bytes: int, bound: int, min_one: bool) -> bytes:
        """The units of one segment from the one with `offset` up to the one with `bound`."""
        rest = [unit for unit in self.units if unit.last_offset >= offset]
        if not rest or offset >= bound:
            return b""
        bases = [s.base_offset for s in self.log.segments if s.base_offset > rest[0].last_offset]
        rest = [unit for unit in rest if not bases or unit.last_offset < bases[0]]
        data = b"".join(u.data for u in rest if u.last_offset < bound or bound >= self.end)
        return data[: max(max_bytes, len(rest[0].data) if min_one else 0)]

    @invariant()
    def both_have_the_same_files_and_they_are_sound(self) -> None:
        memory, disk = self.directories
        for log in self.logs:
            log.write_indexes()
        assert memory.names() == disk.names()
        for name in memory.names():
            assert memory.read_all(name) == disk.read_all(name), name
        assert check(memory, compacted_to=1 << 62) == []

    @invariant()
    def the_log_holds_the_units(self) -> None:
        for log in self.logs:
            stored = b"".join(bytes(b) for s in log.segments for b in s.open_log().read(0, s.size))
            assert stored == b"".join(unit.data for unit in self.units)
            assert log.size == len(stored)
            assert log.segments[0].base_offset <= log.log_start_offset <= log.log_end_offset
            assert not self.units or log.log_end_offset > self.units[-1].last_offset
            beyond_end = self.behaviour.unclean_recovery_point == "kept"
            assert 0 <= log.recovery_point <= (log.recovery_point if beyond_end else log.log_end_offset)

    @invariant()
    def producers_are_what_the_units_say(self) -> None:
        if self.lost_its_front:
            return
        state = ProducerState(self.behaviour)
        for unit in self.units:
            update = state.check(unit.info.batches, Origin.REPLICATION)
            assert not isinstance(update, Refused)
            state.apply(update)
            for transaction in update.completed:
                state.complete(transaction)
        for log in self.logs:
            assert self.known(log.producers) == self.known(state)
            assert open_transactions(log.producers) == open_transactions(state)

    def known(self, state: ProducerState) -> list[SnapshotEntry]:
        """What is known about producers. Where producers below the log's start are dropped, a start also forgets those
        that only had markers.
        """
        if self.behaviour.producers_below_log_start == "kept":
            return sorted(state.entries())
        return sorted(entry._replace(coordinator_epoch=0) for entry in state.entries() if entry.last_offset >= 0)


TestLogStory = LogStory.TestCase
TestLogStory.settings = at_most(40, stateful_step_count=25, deadline=None)
