"""Checking a directory (fsck), compared with only computing the checksums of the same bytes.

The goal for everything that headers, checksums and indexes show (`--skip-records`) is half the speed of checksums. By
default a check reads batches as well, since a header may contradict the records under a right checksum. That walks from
one record to the next, more than a hundred for each call that computes a checksum: so it is measured in records, and
its goal is that of reading records.
"""

import time
from functools import partial
from pathlib import Path
from statistics import median
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
from tests.benchmarks.storage_append import IN_A_BATCH, NOW, RELEASE, batches_in_order

SEGMENT_BYTES: Final = 64 << 20
LEAST_RECORDS: Final = 0.8
"""Millions of records a second that a check of batches has to reach: the goal of the records' own `check`."""
CHECKSUM_FROM: Final = 21
"""Where the bytes begin that the checksum of a batch covers."""


def storage_check(quick: bool = False) -> list[Row]:
    count = (2 if quick else 16) * 1024
    with TemporaryDirectory() as folder:
        sizes = _written(Path(folder), count)
        closed, opened = (partial(_check, Path(folder), records=records) for records in (False, True))
        ours, whole, bare = in_turns(5, closed, opened, partial(_checksums, Path(folder), sizes))
    what = f"check {count * 16 >> 10} MiB of 16 KiB batches"
    rate = median(whole) / sum(sizes) * count * IN_A_BATCH
    return [
        compared(f"{what}, closed", "MB/s", ours, bare, at_least=0.5),
        compared(f"{what}, opened", "MB/s", whole, bare),
        Row("  records in these", "M/s", rate, goal=f"at least {LEAST_RECORDS:g} M/s", reached=rate >= LEAST_RECORDS),
    ]


def _written(folder: Path, count: int) -> list[int]:
    """Write a log of `count` batches and return their sizes."""
    config = LogConfig(segment_bytes=SEGMENT_BYTES)
    log = PartitionLog.open(DiskDirectory(folder), profile(Release.parse(RELEASE)).log, config, NOW)
    sets = batches_in_order(count)
    for info in sets:
        log.append(info.batches[0].data, info, NOW)
    log.close(NOW)
    return [info.batches[0].size for info in sets]


def _check(folder: Path, *, records: bool) -> float:
    """Megabytes a second of CPU."""
    size = sum(file.stat().st_size for file in folder.glob("*.log"))
    started = time.process_time()
    findings = check(DiskDirectory(folder), records=records)
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
