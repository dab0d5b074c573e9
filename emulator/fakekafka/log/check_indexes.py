"""Check the entries of a segment's indexes against its log.

An index that is not trimmed yet may hold remnants: what a truncation or a recovery has dropped stays in the file behind
its entries (`stored_index.py`). A wrong entry is told from a remnant by right entries behind it. If there are none, it
does not count as a fault: the broker was not stopped, and builds such an index again when it starts.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_TIMESTAMP, Position
from fakekafka.log import names, time_index, txn_index
from fakekafka.log.drafts.wide_index import WideIndex
from fakekafka.log.findings import Places
from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.time_index import TimeIndex
from fakekafka.log.txn_index import TxnIndex

Faults: TypeAlias = Iterator[tuple[Position, str]]
"""A fault: its position in the index, and a description."""
Entries: TypeAlias = Iterator[tuple[Sequence[str], Sequence[str]]]
"""For each entry, what is wrong with its order, and what else is."""

RIGHT: Final[tuple[Sequence[str], Sequence[str]]] = (), ()
"""An entry without faults."""
RIGHT_BEHIND: Final = 2
"""The right entries in a row that no remnants can be: entries are `index.interval.bytes` apart, and the last one before
remnants lies no further from the end of the log, but for large appends.
"""


def offset_faults(data: bytes, places: Places) -> Faults:
    """Offsets ascend, and each entry points at the beginning of a unit, at whose end or later its offset lies, in this
    segment. A start looks for the end of a log behind the last entry, so one beyond the end would move it (LogSegment).
    """
    yield from _offset_faults(data, places, OffsetIndex(places.base, len(data)))


def wide_faults(data: bytes, places: Places) -> Faults:
    """Also, in a draft's entries with timestamps: these do not descend, and no record up to there has a later one."""
    index = WideIndex(places.base, len(data))
    yield from _offset_faults(data, places, index)
    yield from _faults(_timed_entries(index, places), index.entry_size, _is_trimmed(data, index.entry_size, places))


def _offset_faults(data: bytes, places: Places, index: OffsetIndex) -> Faults:
    """The faults of entries, which are loaded into `index`."""
    trimmed = _is_trimmed(data, index.entry_size, places)
    index.load(data if trimmed else without_padding(data, index.entry_size))
    yield from _cut(data, index.entry_size)
    yield from _faults(_offset_entries(index, places), index.entry_size, trimmed)


def _offset_entries(index: OffsetIndex, places: Places) -> Entries:
    previous, last = places.base - 1, places.last_offset
    for offset, position in index.entries():
        before = places.before(position)
        if before is not None and previous < offset and before < offset <= last:
            previous = offset
            yield RIGHT  # nearly all are
            continue
        disorder, wrong = [], []
        if offset <= previous:
            disorder.append(f"offset {offset} does not come after {previous}")
        if before is None:
            wrong.append(f"no unit begins at {position}")
        elif offset <= before:
            wrong.append(f"offset {offset} lies before the unit at {position}")
        elif offset > last:
            wrong.append(f"no unit holds offset {offset}")
        yield disorder, wrong
        previous = previous if disorder or wrong else offset


def _timed_entries(index: WideIndex, places: Places) -> Entries:
    previous = NO_TIMESTAMP
    for offset, _, timestamp in index.timed_entries():
        disorder, wrong = [], []
        if timestamp < previous:
            disorder.append(f"timestamp {timestamp} lies before {previous}")
        if places.youngest_up_to(offset) > timestamp:
            wrong.append(f"there is something younger than {timestamp} up to offset {offset}")
        yield disorder, wrong
        previous = previous if disorder or wrong else timestamp


def time_faults(data: bytes, places: Places) -> Faults:
    """Timestamps ascend, and an entry's is the largest up to its offset. The last entry of a segment that is closed has
    its largest timestamp, by which retention decides (KIP-33; LogSegment.onBecomeInactiveSegment). Up to 1.1 brokers
    that convert to format 0, which has no timestamps, index those that came (recorded from 0.10.2.2, 0.11.0.3 and
    1.1.1).
    """
    index, trimmed = TimeIndex(places.base, len(data)), _is_trimmed(data, time_index.ENTRY_SIZE, places)
    index.load(data if trimmed else without_padding(data, time_index.ENTRY_SIZE))
    yield from _cut(data, time_index.ENTRY_SIZE)
    yield from _faults(_time_entries(index, places), time_index.ENTRY_SIZE, trimmed)
    last = index.entries()[-1:]
    if not places.is_newest and any(0 <= timestamp < places.youngest for timestamp, _ in last):
        yield len(data), f"it ends with timestamp {last[0][0]}, the segment has {places.youngest}"


def _time_entries(index: TimeIndex, places: Places) -> Entries:
    previous = -1, places.base
    for timestamp, offset in index.entries():
        disorder, wrong = [], []
        if timestamp <= previous[0] or offset < previous[1]:
            disorder.append(f"({timestamp}, {offset}) does not come after {previous}")
        if places.youngest_up_to(offset) > timestamp:
            wrong.append(f"there is something younger than {timestamp} up to offset {offset}")
        if not places.holds(offset):
            wrong.append(f"no unit holds offset {offset}")
        elif timestamp > places.youngest_with(offset) > NO_TIMESTAMP:
            wrong.append(f"nothing up to offset {offset} is as young as {timestamp}")
        yield disorder, wrong
        previous = previous if disorder or wrong else (timestamp, offset)


def txn_faults(data: bytes, places: Places) -> Faults:
    """Entries can be read, and their markers are in the segment."""
    yield from _cut(data, txn_index.ENTRY_SIZE)
    index = TxnIndex()
    try:
        index.load(data)
    except MalformedBytes as wrong:
        yield 0, str(wrong)
    for number, entry in enumerate(index.entries):
        if not places.base <= entry.last_offset <= places.last_offset:
            yield number * txn_index.ENTRY_SIZE, f"the marker at {entry.last_offset} is not in this segment"


INDEX_CHECKS: Final[Mapping[str, Callable[[bytes, Places], Faults]]] = {
    names.OFFSET_INDEX: offset_faults,
    names.TIME_INDEX: time_faults,
    names.TXN_INDEX: txn_faults,
}
"""The checks of indexes, by the suffix of their files."""
WIDE_CHECKS: Final[Mapping[str, Callable[[bytes, Places], Faults]]] = {**INDEX_CHECKS, names.OFFSET_INDEX: wide_faults}
"""The checks in logs of the draft with timestamps in the offset index."""


def _faults(checked: Entries, entry_size: int, trimmed: bool) -> Faults:
    """The faults of entries. `trimmed`: whether none can be a remnant; one in disorder may be."""
    doubtful: list[tuple[Position, str]] = []
    right = 0
    for number, (disorder, wrong) in enumerate(checked):
        if disorder or wrong:
            doubtful += ((number * entry_size, what) for what in (*(disorder if trimmed else ()), *wrong))
            right = 0
        else:
            right += 1
        if doubtful and (trimmed or right == RIGHT_BEHIND):
            yield from doubtful
            doubtful.clear()


def _cut(data: bytes, entry_size: int) -> Faults:
    if len(data) % entry_size:
        yield len(data), f"{len(data)} bytes are not a whole number of entries"


def _is_trimmed(data: bytes, entry_size: int, places: Places) -> bool:
    """Whether an index holds nothing but entries, or should. Brokers cut off the room for more at a roll
    (AbstractIndex.trimToValidSize), and take zeros in older segments for entries: killed 0.9.0.1 and 1.1.1 find such an
    index corrupt, 2.0.1 uses them. Releases that make a missing index without filling it leave such zeros until they
    stop, 0.10.1 also later (KAFKA-4734; `LogBehaviour.missing_index`, `missing_time_index`).
    """
    return not places.is_newest or len(without_padding(data, entry_size)) == len(data)


def without_padding(data: bytes, entry_size: int) -> bytes:
    """The entries of an index, without the zeros that follow them while its segment is active."""
    entries = len(data.rstrip(b"\0")) + entry_size - 1
    return data[: entries // entry_size * entry_size]
