"""Opening a large directory after a clean stop, and creating many partitions in memory."""

import gc
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka import FakeKafka
from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.memory_files import MemoryDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from tests.benchmarks.measuring import Row, alone
from tests.benchmarks.storage_append import NOW, batches_in_order

RELEASES: Final = ("1.1", "2.3", "4.1")
SEGMENT_BYTES: Final = 1 << 20


def storage_open(quick: bool = False) -> list[Row]:
    segments, rounds = (100, 3) if quick else (1000, 5)
    with TemporaryDirectory() as folder:
        end = _fill(Path(folder), segments)
        rows = [_opening(Path(folder), release, segments, end, rounds) for release in RELEASES]
    rows += [_making(release, rounds) for release in RELEASES]
    return rows + [_creating(release, rounds) for release in RELEASES]


def _fill(folder: Path, segments: int) -> int:
    """Write a log of some segments of 1 MiB, close it, and return its end offset."""
    log = _open(DiskDirectory(folder).directory("t-0"), "2.3")
    for info in batches_in_order(segments * 64):
        log.append(info.batches[0].data, info, NOW)
    log.close(NOW)
    return log.log_end_offset


def _opening(folder: Path, release: str, segments: int, end: int, rounds: int) -> Row:
    def action() -> None:
        log = _open(DiskDirectory(folder).directory("t-0"), release, end)
        assert log.log_end_offset == end

    seconds = [_cpu_seconds(action) for _ in range(rounds)]
    return alone(f"open {segments} segments of 1 MiB after a clean stop, {release}", "s of CPU", seconds, at_most=1)


def _open(directory: DiskDirectory, release: str, recovery_point: int = 0) -> PartitionLog:
    rules, config = profile(Release.parse(release)).log, LogConfig(segment_bytes=SEGMENT_BYTES)
    return PartitionLog.open(directory, rules, config, NOW, recovery_point=recovery_point)


def _cpu_seconds(action: Callable[[], None]) -> float:
    started = time.process_time()
    action()
    return time.process_time() - started


def _making(release: str, rounds: int) -> Row:
    def action() -> None:
        kept.extend(PartitionLog.open(root.directory(f"t-{n}"), rules, config, NOW) for n in range(1000))

    rules, config, times = profile(Release.parse(release)).log, LogConfig(), list[float]()
    for _ in range(5 * rounds):
        root, kept = MemoryDirectory(), list[PartitionLog]()
        gc.collect()
        times.append(1000 * _cpu_seconds(action))
    return alone(f"1,000 logs made in memory, {release}", "ms of CPU", times, at_most=5)


def _creating(release: str, rounds: int) -> Row:
    times = []
    for _ in range(5 * rounds):
        kafka = FakeKafka(release).boot()
        gc.collect()
        times.append(1000 * _cpu_seconds(lambda kafka=kafka: kafka.create_topic("t", 1000)))  # type: ignore[misc]
        kafka.stop()
    return alone(f"a topic of 1,000 partitions, in a broker, {release}", "ms of CPU", times, at_most=5)
