"""Checks of a log directory, a partition's directory, or the directories of several brokers."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from fakekafka.errors import UsageError
from fakekafka.inspection.cluster_check import check_cluster_file
from fakekafka.inspection.dialects import dialect_of, drafts_beside
from fakekafka.log import names
from fakekafka.log.check import beside, check, ignored
from fakekafka.log.check_root import Noted, check_root, is_marked, is_root, noted
from fakekafka.log.drafts.wide_index import WIDE_ENTRIES
from fakekafka.log.files import Directory, DiskDirectory
from fakekafka.log.findings import Finding


class LocatedFinding(NamedTuple):
    """A finding, and the directory in which it was made."""

    directory: Path
    finding: Finding


def log_bytes(path: Path) -> int:
    """How many bytes of logs a check will read, for showing its progress."""
    return sum(file.stat().st_size for file in path.rglob(f"*{names.LOG}"))


def check_directory(
    path: Path, seen: Callable[[int], None] = ignored, *, records: bool = True
) -> Iterator[LocatedFinding]:
    """Everything that is wrong with a directory. `path`: that of one partition, of one broker, or of several brokers
    (`broker-0` and so on).

    `seen` is called with the number of bytes of logs as they are read. `records`: as for `log.check.check`. Raises
    `UsageError` if it is not a directory, or contains neither a partition nor a broker's log directory.
    """
    if not path.is_dir():
        raise UsageError(f"{path} is not a directory")
    directory = DiskDirectory.for_reading(path)
    if not any(path.rglob(f"*{names.LOG}")) and not is_root(directory):
        raise UsageError(f"{path} holds no partition and is not a broker's log directory")
    beside_it = DiskDirectory.for_reading(path.parent)
    known = noted(beside_it).get(names.partition_of(path.name) or ("", -1), Noted())
    try:
        yield from _inside(path, directory, known, seen, records, frozenset())
    finally:
        directory.close()


def _inside(
    path: Path,
    directory: Directory,
    known: Noted,
    seen: Callable[[int], None],
    records: bool,
    above: frozenset[Path],
) -> Iterator[LocatedFinding]:
    """What is wrong with a partition's directory, or with whatever lies below another one. `above`: the directories
    that it is in, which links may lead back to.
    """
    if any(names.is_segment_file(name, names.LOG) or names.is_beside_log(name) for name in directory.names()):
        dialect, is_wide = dialect_of(path), WIDE_ENTRIES in drafts_beside(path)
        findings = check(directory, seen, *known, records=records, dialect=dialect, wide_entries=is_wide)
        yield from (LocatedFinding(path, finding) for finding in findings)
        yield from (LocatedFinding(path, finding) for finding in beside(directory))
        return
    if is_root(directory):
        yield from (LocatedFinding(path, finding) for finding in check_root(directory))
    yield from (LocatedFinding(path, finding) for finding in check_cluster_file(directory))
    beside_them = noted(directory)
    above |= {path.resolve()}
    for name in directory.directories():
        if name not in names.NO_PARTITIONS and not is_marked(name) and (path / name).resolve() not in above:
            known = beside_them.get(names.partition_of(name) or ("", -1), Noted())
            yield from _inside(path / name, directory.directory(name), known, seen, records, above)
