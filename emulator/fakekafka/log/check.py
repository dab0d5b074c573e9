"""Is a partition's directory what it promises to be? A pure look at its files (fsck); nothing is repaired.

Units are whole, their checksums right, their offsets ascending; index entries point at units; time index entries are
true; transaction indexes, snapshots and leader epochs can be read and lie within the log. Files that are being deleted
or swapped are not looked at.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, Offset, Position, TimestampMs
from fakekafka.log import names
from fakekafka.log.checkpoints import checkpoint_rows
from fakekafka.log.files import Directory
from fakekafka.log.offset_index import ENTRY_SIZE, OffsetIndex
from fakekafka.log.producer_snapshot import read_snapshot
from fakekafka.log.time_index import ENTRY_SIZE as TIME_ENTRY_SIZE
from fakekafka.log.time_index import TimeIndex
from fakekafka.log.txn_index import ENTRY_SIZE as TXN_ENTRY_SIZE
from fakekafka.log.txn_index import TxnIndex
from fakekafka.records.batch import Batch
from fakekafka.records.scan import units_in_file, view


class Finding(NamedTuple):
    """One thing that is not as it should be."""

    file: str
    position: Position | None
    """Where in the file, if that can be said."""
    what: str


class _Place(NamedTuple):
    """What the checks of indexes need to know of a unit."""

    position: Position
    before: Offset
    """The last offset before the unit."""
    last_offset: Offset
    max_timestamp: TimestampMs


def check(directory: Directory) -> list[Finding]:
    """Everything that is wrong with the files of one partition. An empty list: nothing."""
    findings: list[Finding] = []
    end = NO_OFFSET
    for name in (name for name in directory.names() if names.is_segment_file(name, names.LOG)):
        base = _offset(name)
        if base <= end:
            findings.append(Finding(name, None, f"the segment before ends at {end}"))
        places, found = _check_log(name, directory.read_all(name), base)
        findings += found
        findings += _check_indexes(directory, base, places)
        end = max(base - 1, places[-1].last_offset if places else base - 1)
    return [*findings, *_check_snapshots(directory, end + 1), *_check_epochs(directory, end + 1)]


def _offset(name: str) -> Offset:
    offset = names.offset_of(name)
    assert offset is not None
    return offset


def _check_log(name: str, data: bytes, base: Offset) -> tuple[list[_Place], list[Finding]]:
    places: list[_Place] = []
    findings: list[Finding] = []
    end, last = 0, base - 1
    try:
        for unit in units_in_file(data):
            batch = view(data, unit)
            findings += (Finding(name, unit.position, what) for what in _faults(batch, last))
            places.append(_Place(unit.position, last, batch.last_offset, batch.max_timestamp))
            end, last = unit.position + unit.size, batch.last_offset
    except MalformedBytes as wrong:
        findings.append(Finding(name, end, str(wrong)))
    else:
        if end < len(data):
            findings.append(Finding(name, end, f"{len(data) - end} bytes that are no whole unit"))
    return places, findings


def _faults(batch: Batch, last: Offset) -> Iterator[str]:
    if not batch.crc_ok():
        yield "the checksum is wrong"
    if batch.last_offset <= last:
        yield f"offset {batch.last_offset} does not come after {last}"


def _check_indexes(directory: Directory, base: Offset, places: Sequence[_Place]) -> Iterator[Finding]:
    checks = {names.OFFSET_INDEX: _offset_faults, names.TIME_INDEX: _time_faults, names.TXN_INDEX: _txn_faults}
    for kind, faults in checks.items():
        name = names.of_offset(base, kind)
        if directory.exists(name):
            for position, what in faults(directory.read_all(name), base, places):
                yield Finding(name, position, what)


def _offset_faults(data: bytes, base: Offset, places: Sequence[_Place]) -> Iterator[tuple[Position, str]]:
    if len(data) % ENTRY_SIZE:
        yield len(data), f"{len(data)} bytes are no whole number of entries"
    index = OffsetIndex(base, len(data))
    index.load(_without_padding(data, ENTRY_SIZE))
    by_position = {place.position: place for place in places}
    previous = base - 1
    for number, (offset, position) in enumerate(index.entries()):
        place = by_position.get(position)
        if offset <= previous:
            yield number * ENTRY_SIZE, f"offset {offset} does not come after {previous}"
        if place is None:
            yield number * ENTRY_SIZE, f"no unit begins at {position}"
        elif offset <= place.before:
            yield number * ENTRY_SIZE, f"offset {offset} lies before the unit at {position}"
        previous = offset


def _time_faults(data: bytes, base: Offset, places: Sequence[_Place]) -> Iterator[tuple[Position, str]]:
    if len(data) % TIME_ENTRY_SIZE:
        yield len(data), f"{len(data)} bytes are no whole number of entries"
    index = TimeIndex(base, len(data))
    index.load(_without_padding(data, TIME_ENTRY_SIZE))
    previous = (-1, base)
    for number, (timestamp, offset) in enumerate(index.entries()):
        at = number * TIME_ENTRY_SIZE
        if timestamp <= previous[0] or offset < previous[1]:
            yield at, f"({timestamp}, {offset}) does not come after {previous}"
        if any(place.last_offset <= offset and place.max_timestamp > timestamp for place in places):
            yield at, f"there is something younger than {timestamp} up to offset {offset}"
        if not any(place.before < offset <= place.last_offset for place in places):
            yield at, f"no unit holds offset {offset}"
        previous = timestamp, offset


def _txn_faults(data: bytes, base: Offset, places: Sequence[_Place]) -> Iterator[tuple[Position, str]]:
    if len(data) % TXN_ENTRY_SIZE:
        yield len(data), f"{len(data)} bytes are no whole number of entries"
    index = TxnIndex()
    try:
        index.load(data)
    except MalformedBytes as wrong:
        yield 0, str(wrong)
    end = places[-1].last_offset if places else base - 1
    for number, entry in enumerate(index.entries):
        if not base <= entry.last_offset <= end:
            yield number * TXN_ENTRY_SIZE, f"the marker at {entry.last_offset} is not in this segment"


def _check_snapshots(directory: Directory, log_end: Offset) -> Iterator[Finding]:
    for name in (name for name in directory.names() if names.is_segment_file(name, names.SNAPSHOT)):
        try:
            entries = read_snapshot(directory.read_all(name))
        except MalformedBytes as wrong:
            yield Finding(name, None, str(wrong))
            continue
        if _offset(name) > log_end:
            yield Finding(name, None, f"the log ends at {log_end}")
        for entry in entries:
            if entry.last_offset >= _offset(name):
                yield Finding(name, None, f"producer {entry.producer_id} has a batch at {entry.last_offset}")


def _check_epochs(directory: Directory, log_end: Offset) -> Iterator[Finding]:
    if not directory.exists(names.LEADER_EPOCHS):
        return
    try:
        rows = [(int(epoch), int(start)) for epoch, start in checkpoint_rows(directory.read_all(names.LEADER_EPOCHS))]
    except (MalformedBytes, ValueError) as wrong:
        yield Finding(names.LEADER_EPOCHS, None, str(wrong))
        return
    for earlier, later in pairwise(rows):
        if later[0] <= earlier[0] or later[1] < earlier[1]:
            yield Finding(names.LEADER_EPOCHS, None, f"{later} does not come after {earlier}")
    if rows and rows[-1][1] > log_end:
        yield Finding(names.LEADER_EPOCHS, None, f"an epoch begins at {rows[-1][1]}, the log ends at {log_end}")


def _without_padding(data: bytes, entry_size: int) -> bytes:
    """The active segment's index has zeros behind its entries."""
    entries = len(data.rstrip(b"\0")) + entry_size - 1
    return data[: entries // entry_size * entry_size]
