"""Check whether a partition's directory is what it promises to be (fsck): it is only read, and nothing is repaired.

It is sound if units are whole, their checksums are right, and their records are what their headers say; if offsets
ascend from segment to segment without a gap, as far as checkpoints say; if index entries point at units; time index
entries are true; transaction indexes list what markers abort; and snapshots and leader epochs can be read and lie
within the log. A log is read in pieces, so its size does not matter. `findings.FindingKind` is the list of everything
that may be found.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset
from fakekafka.log import names
from fakekafka.log.check_segment import CheckedSegment, check_segment
from fakekafka.log.check_transactions import Replay
from fakekafka.log.checkpoints import epoch_rows, topic_id_of
from fakekafka.log.findings import Finding, ReadableDirectory
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.records.batch import Dialect

LEFT_OVER = {
    names.DELETED: "waits to be deleted",
    names.CLEANED: "was being written by the cleaner",
    names.SWAP: "was about to take the place of older segments",
    names.TEMPORARY: "was being written",
}
INDEXES = (names.OFFSET_INDEX, names.TIME_INDEX)
"""The indexes that every segment has, if its release knows them."""


def ignored(size: int) -> None:
    """Ignore the progress of the check."""


def check(
    directory: ReadableDirectory,
    seen: Callable[[int], None] = ignored,
    compacted_to: Offset = 0,
    reached: Offset = 0,
    *,
    records: bool = True,
    dialect: Dialect | None = None,
    wide_entries: bool = False,
) -> list[Finding]:
    """Everything that is wrong with the files of one partition; an empty list if nothing is.

    `seen` is called with the number of bytes that were read. `compacted_to`: up to where the log was compacted, as far
    as that is known; offsets that are missing below it are not a finding. `reached`: up to where the log went, as far
    as that is known. `records`: whether to read batches, too, which takes several times as long. `dialect`,
    `wide_entries`: how a draft wrote it, see `check_segment`.
    """
    found = segments(directory)
    checked = [
        check_segment(directory, name, seen, records, dialect, wide_entries, is_newest=name == found[-1])
        for name in found
    ]
    return [
        *(finding for segment in checked for finding in segment.findings),
        *around(directory, checked, compacted_to, reached),
    ]


def segments(directory: ReadableDirectory) -> list[str]:
    """The log files of a partition's directory, by base offset."""
    return [name for name in directory.names() if names.is_segment_file(name, names.LOG)]


def around(
    directory: ReadableDirectory, checked: Sequence[CheckedSegment], compacted_to: Offset, reached: Offset
) -> Iterator[Finding]:
    """What is wrong with a partition, apart from its single segments, which are checked one by one."""
    yield from _between(checked, compacted_to)
    if checked and checked[-1].end < reached:
        name = names.of_offset(checked[-1].base, names.LOG)
        what = f"offsets {checked[-1].end} to {reached - 1} are missing behind it: a checkpoint says {reached}"
        yield Finding(name, None, Kind.GAP, what)
    yield from _transactions(directory, checked, compacted_to)
    yield from _missing_indexes(directory, checked)
    end = checked[-1].end if checked else 0
    yield from _snapshots(directory, end)
    yield from _epochs(directory, end)


def left_over(directory: ReadableDirectory) -> list[Finding]:
    """Files that an interrupted cleaning, swap or deletion has left."""
    return [
        Finding(name, None, Kind(f"leftover {mark}"), what)
        for name in directory.names()
        for mark, what in LEFT_OVER.items()
        if name.endswith(mark)
    ]


def beside(directory: ReadableDirectory) -> list[Finding]:
    """What is wrong with the files of a partition that do not belong to its log."""
    findings = left_over(directory)
    if directory.exists(names.PARTITION_METADATA):
        try:
            topic_id_of(directory.read_all(names.PARTITION_METADATA))
        except MalformedBytes as wrong:
            findings.append(Finding(names.PARTITION_METADATA, None, Kind.PARTITION_METADATA, str(wrong)))
    return findings


def _between(checked: Sequence[CheckedSegment], compacted_to: Offset) -> Iterator[Finding]:
    """Each segment begins where the one before it ends, unless the log was compacted."""
    may_have_gaps = any(segment.has_holes for segment in checked)
    for earlier, later in pairwise(checked):
        name = names.of_offset(later.base, names.LOG)
        if later.base < earlier.end:
            yield Finding(name, None, Kind.OVERLAP, f"the segment before ends at {earlier.end - 1}")
        elif later.base > max(earlier.end, compacted_to) and not may_have_gaps:
            yield Finding(name, None, Kind.GAP, f"offsets {earlier.end} to {later.base - 1} are missing before it")


def _transactions(
    directory: ReadableDirectory, checked: Sequence[CheckedSegment], compacted_to: Offset
) -> Iterator[Finding]:
    if not checked:
        return
    replay = Replay(checked[0].base, not compacted_to and not any(segment.has_holes for segment in checked))
    for segment in checked:
        name = names.of_offset(segment.base, names.TXN_INDEX)
        data = directory.read_all(name) if directory.exists(name) else None
        yield from replay.findings(segment.transactions.events, name, data)


def _missing_indexes(directory: ReadableDirectory, checked: Sequence[CheckedSegment]) -> Iterator[Finding]:
    """Indexes without a log; logs without an index where others have one."""
    bases = {segment.base for segment in checked}
    newest = max(bases, default=0)  # its indexes are created when they are needed
    by_kind = {kind: set(_offsets(directory, kind)) for kind in names.SEGMENT_SUFFIXES[1:]}
    for kind, offsets in by_kind.items():
        for base in sorted(offsets - bases):
            yield Finding(names.of_offset(base, kind), None, Kind.ORPHAN, "it has no log")
    expected = [kind for kind in INDEXES if any(by_kind[later] for later in INDEXES[INDEXES.index(kind) :])]
    for kind in expected:
        for base in sorted(bases - by_kind[kind] - {newest}):
            yield Finding(names.of_offset(base, kind), None, Kind(kind[1:]), "it is missing")


def _offsets(directory: ReadableDirectory, suffix: str) -> Iterator[Offset]:
    for name in directory.names():
        offset = names.offset_of(name)
        if offset is not None and names.is_segment_file(name, suffix):
            yield offset


def _snapshots(directory: ReadableDirectory, log_end: Offset) -> Iterator[Finding]:
    for offset in _offsets(directory, names.SNAPSHOT):
        name = names.of_offset(offset, names.SNAPSHOT)
        try:
            entries = read_snapshot(directory.read_all(name))
        except MalformedBytes as wrong:
            yield Finding(name, None, Kind.SNAPSHOT, str(wrong))
            continue
        if offset > log_end:
            yield Finding(name, None, Kind.SNAPSHOT, f"the log ends at {log_end}")
        for entry in entries:
            if entry.last_offset >= offset:
                what = f"producer {entry.producer_id} has a batch at {entry.last_offset}"
                yield Finding(name, None, Kind.SNAPSHOT, what)


def _epochs(directory: ReadableDirectory, log_end: Offset) -> Iterator[Finding]:
    if not directory.exists(names.LEADER_EPOCHS):
        return
    try:
        rows = epoch_rows(directory.read_all(names.LEADER_EPOCHS))
    except MalformedBytes as wrong:
        yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, str(wrong))
        return
    if rows and min(min(row) for row in rows) < 0:
        yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, "there are no epochs or offsets below 0")
    for earlier, later in pairwise(rows):
        if later[0] <= earlier[0] or later[1] < earlier[1]:
            yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, f"{later} does not come after {earlier}")
    if rows and rows[-1][1] > log_end:
        what = f"an epoch begins at {rows[-1][1]}, the log ends at {log_end}"
        yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, what)
