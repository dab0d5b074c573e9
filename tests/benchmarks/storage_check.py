"""Checking a directory (fsck), batches left closed, beside nothing but the checksums of the same bytes."""

import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from fakekafka.binary import crc32c
from fakekafka.log.check import check
from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka.releases.profile import profile
from fakekafka.releases.release import Release

from tests.benchmarks.measuring import Row, compared, in_turns
from tests.benchmarks.storage_append import NOW, RELEASE, batches_in_order

SEGMENT_BYTES: Final = 64 << 20
CHECKSUM_FROM: Final = 21
"""Where the bytes begin that the checksum of a batch covers."""


def storage_check(quick: bool = False) -> list[Row]:
    count = (2 if quick else 16) * 1024
    with TemporaryDirectory() as folder:
        sizes = _written(Path(folder), count)
        ours, bare = in_turns(5, partial(_check, Path(folder)), partial(_checksums, Path(folder), sizes))
    return [compared(f"check {count * 16 >> 10} MiB of 16 KiB batches", "MB/s", ours, bare, at_least=0.5)]


def _written(folder: Path, count: int) -> list[int]:
    """A log of `count` batches; their sizes."""
    config = LogConfig(segment_bytes=SEGMENT_BYTES)
    log = PartitionLog.open(DiskDirectory(folder), profile(Release.parse(RELEASE)).log, config, NOW)
    sets = batches_in_order(count)
    for info in sets:
        log.append(info.batches[0].data, info, NOW)
    log.close(NOW)
    return [info.batches[0].size for info in sets]


def _check(folder: Path) -> float:
    """Megabytes a second of CPU."""
    size = sum(file.stat().st_size for file in folder.glob("*.log"))
    started = time.process_time()
    findings = check(DiskDirectory(folder), records=False)
    spent = time.process_time() - started
    assert findings == []
    return size / spent / 1e6


def _checksums(folder: Path, sizes: list[int]) -> float:
    """The time for reading the files and computing each batch's checksum."""
    started, at, number = time.process_time(), 0, 0
    total = 0
    for file in sorted(folder.glob("*.log")):
        data = memoryview(file.read_bytes())
        at = 0
        while at < len(data):
            crc32c(data[at + CHECKSUM_FROM : at + sizes[number]])
            at, number = at + sizes[number], number + 1
        total += at
    return total / (time.process_time() - started) / 1e6
