"""How much memory an index takes while its segment is open, beside the size of its file."""

import tracemalloc
from collections.abc import Callable

from fakekafka.log.offset_index import OffsetIndex
from fakekafka.log.time_index import TimeIndex

from tests.benchmarks.measuring import Row

MAX_BYTES = 1 << 30


def storage_memory(quick: bool = False) -> list[Row]:
    entries = 10_000 if quick else 500_000
    return [_row("offset index", _offset_index, entries), _row("time index", _time_index, entries)]


def _row(what: str, make: Callable[[int], OffsetIndex | TimeIndex], entries: int) -> Row:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    index = make(entries)
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    size = index.entry_size * entries
    ratio = taken / size
    row = Row(f"memory of the {what} of {entries:,} entries", "KiB", taken / 1024, size / 1024, ratio)
    return row._replace(goal="at most 1.2x", reached=ratio <= 1.2)


def _offset_index(entries: int) -> OffsetIndex:
    index = OffsetIndex(0, MAX_BYTES)
    for n in range(entries):
        index.append(n + 1, n)
    return index


def _time_index(entries: int) -> TimeIndex:
    index = TimeIndex(0, MAX_BYTES)
    for n in range(entries):
        index.maybe_append(n + 1, n)
    return index
