"""Is a partition's directory what it promises to be? A pure look at its files (fsck); nothing is repaired.

Units are whole, their checksums right, their offsets ascending; index entries point at units; time index entries are
true; transaction indexes, snapshots and leader epochs can be read and lie within the log. A log is read in pieces, so
its size does not matter.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, Position
from fakekafka.log import names
from fakekafka.log.check_indexes import INDEX_CHECKS
from fakekafka.log.checkpoints import checkpoint_rows
from fakekafka.log.files import Directory
from fakekafka.log.findings import Finding, Places
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.log.units import walk
from fakekafka.records.scan import view

LEFT_OVER = {
    names.DELETED: "waits to be deleted",
    names.CLEANED: "was being written by the cleaner",
    names.SWAP: "was about to take the place of older segments",
    names.TEMPORARY: "was being written",
}


ZEROS_LOOKED_AT = 64
"""So many of them are taken for a preallocated tail."""


def ignored(size: int) -> None:
    """Nobody wants to know how far the check is."""


def check(directory: Directory, seen: Callable[[int], None] = ignored) -> list[Finding]:
    """Everything that is wrong with the files of one partition. An empty list: nothing.

    `seen` is told of bytes of logs as they are read.
    """
    findings: list[Finding] = []
    end = 0
    for name in (name for name in directory.names() if names.is_segment_file(name, names.LOG)):
        base = _offset(name)
        if base < end:
            findings.append(Finding(name, None, Kind.OVERLAP, f"the segment before ends at {end - 1}"))
        places = Places(base)
        findings += _check_log(directory, name, places, seen)
        findings += _check_indexes(directory, places)
        end = places.last_offset + 1
    return [*findings, *_check_snapshots(directory, end), *_check_epochs(directory, end)]


def left_over(directory: Directory) -> list[Finding]:
    """Files that an interrupted cleaning, swap or deletion has left."""
    return [
        Finding(name, None, Kind(f"left over {mark}"), what)
        for name in directory.names()
        for mark, what in LEFT_OVER.items()
        if name.endswith(mark)
    ]


def _offset(name: str) -> Offset:
    offset = names.offset_of(name)
    assert offset is not None
    return offset


def _check_log(directory: Directory, name: str, places: Places, seen: Callable[[int], None]) -> Iterator[Finding]:
    file = directory.open(name, directory.last_modified_ms(name))
    end: Position = 0
    try:
        for chunk, unit, position in walk(file, small_size_ends=False):
            batch = view(chunk, unit)
            last_offset = batch.last_offset
            if not batch.crc_ok():
                yield Finding(name, position, Kind.CHECKSUM, "the checksum is wrong")
            if last_offset <= places.last_offset:
                what = f"offset {last_offset} does not come after {places.last_offset}"
                yield Finding(name, position, Kind.OFFSET_ORDER, what)
            places.add(position, last_offset, batch.max_timestamp)
            end = position + unit.size
            seen(unit.size)
    except MalformedBytes as wrong:
        zeros = not any(map(any, file.read(end, ZEROS_LOOKED_AT)))
        yield Finding(name, end, Kind.PREALLOCATED if zeros else Kind.BROKEN_UNIT, str(wrong))
    else:
        if end < file.size:
            yield Finding(name, end, Kind.TORN, f"{file.size - end} bytes that are no whole unit")


def _check_indexes(directory: Directory, places: Places) -> Iterator[Finding]:
    for kind, faults in INDEX_CHECKS.items():
        name = names.of_offset(places.base, kind)
        if directory.exists(name):
            for position, what in faults(directory.read_all(name), places):
                yield Finding(name, position, Kind(kind[1:]), what)


def _check_snapshots(directory: Directory, log_end: Offset) -> Iterator[Finding]:
    for name in (name for name in directory.names() if names.is_segment_file(name, names.SNAPSHOT)):
        try:
            entries = read_snapshot(directory.read_all(name))
        except MalformedBytes as wrong:
            yield Finding(name, None, Kind.SNAPSHOT, str(wrong))
            continue
        if _offset(name) > log_end:
            yield Finding(name, None, Kind.SNAPSHOT, f"the log ends at {log_end}")
        for entry in entries:
            if entry.last_offset >= _offset(name):
                what = f"producer {entry.producer_id} has a batch at {entry.last_offset}"
                yield Finding(name, None, Kind.SNAPSHOT, what)


def _check_epochs(directory: Directory, log_end: Offset) -> Iterator[Finding]:
    if not directory.exists(names.LEADER_EPOCHS):
        return
    try:
        rows = [(int(epoch), int(start)) for epoch, start in checkpoint_rows(directory.read_all(names.LEADER_EPOCHS))]
    except (MalformedBytes, ValueError) as wrong:
        yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, str(wrong))
        return
    for earlier, later in pairwise(rows):
        if later[0] <= earlier[0] or later[1] < earlier[1]:
            yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, f"{later} does not come after {earlier}")
    if rows and rows[-1][1] > log_end:
        what = f"an epoch begins at {rows[-1][1]}, the log ends at {log_end}"
        yield Finding(names.LEADER_EPOCHS, None, Kind.EPOCHS, what)
