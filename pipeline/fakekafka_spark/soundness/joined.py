"""Parts joined to their segment, and segments to their partition: the second of the two levels of an audit."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fakekafka.ids import Offset, PartitionIndex, TopicName
from fakekafka.log import names
from fakekafka.log.check import around, beside, check, ignored, segments
from fakekafka.log.check_root import Noted, check_root, is_root
from fakekafka.log.check_segment import CheckedSegment, check_segment
from fakekafka.log.check_transactions import Event, Transactions
from fakekafka.log.drafts.wide_index import WIDE_ENTRIES
from fakekafka.log.findings import Finding

from fakekafka_spark.files.dialects import dialect_of, drafts_beside
from fakekafka_spark.files.storage import Storage
from fakekafka_spark.soundness.directory import StorageDirectory
from fakekafka_spark.soundness.part import CheckedPart, Contents


class SegmentRow(NamedTuple):
    """A segment: what is in it, and what the check of its partition needs."""

    contents: Contents
    checked: CheckedSegment


class AuditRow(NamedTuple):
    """A row of the audit: a segment, the other files of a partition, or those of a log directory."""

    directory: str
    topic: TopicName | None
    partition: PartitionIndex | None
    segment: Offset | None
    """None: the row is about files that belong to no segment."""
    contents: Contents
    findings: tuple[Finding, ...]


def join(storage: Storage, directory: str, base: Offset, size: int, parts: Iterable[CheckedPart | None]) -> SegmentRow:
    """A segment from its parts; it is read again, as a whole, if anything in it is odd."""
    ordered = sorted((part for part in parts if part is not None), key=lambda part: part.start)
    contents = sum((part.contents for part in ordered), Contents())
    contents = contents._replace(timestamp_disorder=contents.timestamp_disorder + _disorder(ordered))
    if any(part.odd for part in ordered) or not _fit(ordered, base, size):
        name = names.of_offset(base, names.LOG)
        dialect, is_wide = dialect_of(storage, directory), WIDE_ENTRIES in drafts_beside(storage, directory)
        there = StorageDirectory(storage, directory)
        is_newest = name == segments(there)[-1]
        checked = check_segment(there, name, ignored, True, dialect, is_wide, is_newest=is_newest)
        return SegmentRow(contents, checked)
    filled = [part for part in ordered if part.last is not None]
    end = base if not filled or filled[-1].last is None else filled[-1].last + 1
    return SegmentRow(contents, CheckedSegment(base, end, _has_holes(filled, base), _events(filled), []))


def _fit(parts: Sequence[CheckedPart], base: Offset, size: int) -> bool:
    """Whether the parts are the whole segment, and each one's offsets come after those before it."""
    edges = [(0, parts[0].start), *((a.end, b.start) for a, b in pairwise(parts)), (parts[-1].end, size)]
    if any(end != start for end, start in edges):
        return False
    last = base - 1
    for part in parts:
        if part.first is not None and part.last is not None:
            if part.first <= last or (part.first_key is not None and part.first_key <= last):
                return False
            last = part.last
    highest = parts[0].highest_indexed
    return highest is None or highest <= last


def _has_holes(parts: Sequence[CheckedPart], base: Offset) -> bool:
    last = base - 1
    for part in parts:
        assert part.first is not None
        assert part.last is not None
        if part.has_holes or part.first > last + 1:
            return True
        last = part.last
    return False


def _disorder(parts: Sequence[CheckedPart]) -> int:
    filled = [part for part in parts if part.first is not None]
    return sum(later.first_timestamp < earlier.last_timestamp for earlier, later in pairwise(filled))


def _events(parts: Sequence[CheckedPart]) -> Transactions:
    joined = Transactions()
    for part in parts:
        for offset, producer, kind in map(Event._make, part.events):
            joined.note(offset, producer, kind)
    return joined


def of_partition(
    storage: Storage, path: str, named: tuple[TopicName, PartitionIndex], rows: Iterable[SegmentRow], known: Noted
) -> list[AuditRow]:
    """The rows of a partition. `known`: what the checkpoints beside it say."""
    directory = StorageDirectory(storage, path)
    ordered = sorted(rows, key=lambda row: row.checked.base)
    findings = [finding for row in ordered for finding in row.checked.findings]
    findings += [*around(directory, [row.checked for row in ordered], *known), *beside(directory)]
    result = []
    for row in ordered:
        stem = names.of_offset(row.checked.base, "")
        mine = tuple(finding for finding in findings if _belongs(finding, stem))
        result.append(AuditRow(path, *named, row.checked.base, row.contents, mine))
    taken = {finding for row in result for finding in row.findings}
    others = tuple(finding for finding in findings if finding not in taken)
    return [*result, AuditRow(path, *named, None, Contents(), others)] if others else result


def _belongs(finding: Finding, stem: str) -> bool:
    """Whether a finding is about a file of that segment, its snapshots left aside."""
    name, dot, suffix = finding.file.partition(".")
    return name == stem and f"{dot}{suffix}" in names.SEGMENT_SUFFIXES


def of_root(storage: Storage, path: str) -> list[AuditRow]:
    """The row of a broker's log directory, or of what is left of a partition whose logs are gone, if anything is wrong
    with it.
    """
    directory = StorageDirectory(storage, path)
    findings = tuple(_of_root(directory))
    return [AuditRow(path, None, None, None, Contents(), findings)] if findings else []


def _of_root(directory: StorageDirectory) -> Iterator[Finding]:
    if any(map(names.is_beside_log, directory.names())):
        yield from (*check(directory), *beside(directory))
    if is_root(directory):
        yield from check_root(directory)
    if directory.exists(names.CLUSTER_FILE):
        from fakekafka.inspection.cluster_check import check_cluster_file  # it needs half of the emulator

        yield from check_cluster_file(directory)
