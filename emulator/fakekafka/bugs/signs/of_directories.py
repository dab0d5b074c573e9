"""Signs in a log directory: what a bug leaves in segments and in the files beside them. The directory is not
changed.
"""

from collections.abc import Iterator
from pathlib import Path

from fakekafka.bugs.index import bug
from fakekafka.bugs.signs.directories.partition import PartitionFiles, partitions
from fakekafka.bugs.signs.directories.segments import LOOKS, Circumstances
from fakekafka.bugs.signs.directories.transactions import Transactions
from fakekafka.bugs.signs.finding import Finding
from fakekafka.clock import SystemClock
from fakekafka.ids import TimestampMs
from fakekafka.releases.release import Release

OF_TRANSACTIONS = ("KAFKA-13727", "KAFKA-14055", "KAFKA-8351")
SIGNS = (*LOOKS, *OF_TRANSACTIONS)
"""The bugs that have signs here."""


def diagnose_directory(
    directory: Path, now_ms: TimestampMs | None = None, release: Release | None = None
) -> list[Finding]:
    """The bugs that fit, each once, with the place. `now_ms`: later timestamps are in the future; None: the system's
    time. `release`: the one that reads the files, or wrote them last; bugs that it does not have are left out.
    """
    given = Circumstances(SystemClock().now_ms if now_ms is None else now_ms, release)
    findings: dict[str, Finding] = {}
    for partition in partitions(directory):
        for name, seen in _of_partition(partition, given):
            if release is None or release in bug(name).runs:
                findings.setdefault(name, Finding(name, f"{partition.folder.relative_to(directory).as_posix()}{seen}"))
    return list(findings.values())


def _of_partition(partition: PartitionFiles, given: Circumstances) -> Iterator[tuple[str, str]]:
    """Bugs, each with the place below the partition's folder and what was seen there."""
    transactions = Transactions()
    for segment in partition.segments():
        for name, look in LOOKS.items():
            seen = look(segment, partition, given)
            if seen is not None:
                yield name, f"/{segment.path.name}: {seen}"
        transactions.add(segment)
    yield from ((name, f": {seen}") for name, seen in transactions.findings(partition))
