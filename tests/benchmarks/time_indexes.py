"""KIP-33's chosen index against its rejected options: size on disk, cost of an append and of a look-up, precision.

    python -m tests.benchmarks.time_indexes             20,000 sets of 10 records, some 40 of them a minute

Two workloads: timestamps that ascend, and timestamps that are late by up to ten minutes. "scanned" is how many records
a look-up reads before it finds the right one: the precision of the index. Option 1 looks by LogAppendTime, so it cannot
be asked for CreateTime at all. The 16-byte offset index is reckoned: twice the bytes of the offset index.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean
from typing import Final, NamedTuple

from fakekafka import FakeKafka, ManualClock
from fakekafka.log.offset_lookup import offset_for_timestamp
from fakekafka.log.segment import Segment
from fakekafka.records import v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.storage.partition import Partition

START: Final = 1_600_000_000_000 // 60_000 * 60_000
MINUTE_MS: Final = 60_000
SETS_A_MINUTE: Final = 40
LATE_MS: Final = 10 * MINUTE_MS
SHIPPED: Final = "as shipped"
SIDES: Final = (SHIPPED, "KIP-33-option-1", "KIP-33-option-2")
SUFFIXES: Final = {SHIPPED: ".timeindex", "KIP-33-option-1": ".time.index", "KIP-33-option-2": ".time.index"}
LOOKUPS: Final = 200


class Row(NamedTuple):
    """What one index costs, and what it gives."""

    index_bytes: int
    wide_bytes: int
    """How many bytes an offset index with timestamps would have more than one without."""
    append_us: float
    lookup_us: float
    scanned: float


def sets(count: int, late: bool) -> Iterator[tuple[int, bytes]]:
    """Each set with the time at which it is appended."""
    random = Random(1)
    for n in range(count):
        now = START + n * MINUTE_MS // SETS_A_MINUTE
        times = sorted(now - (random.randrange(LATE_MS) if late else 0) for _ in range(10))
        yield now, v2.build([Record(at, stamp, 0, b"key", b"v" * 100) for at, stamp in enumerate(times)])


def measured(side: str, count: int, late: bool) -> Row:
    drafts = [] if side == SHIPPED else [side]
    kafka = FakeKafka("2.3", drafts=drafts, clock=ManualClock(START)).boot()
    by_append = side == "KIP-33-option-1"
    kafka.create_topic("t", config={"message.timestamp.type": "LogAppendTime"} if by_append else {})
    broker = kafka.connect().core.cluster.brokers[0]
    partition = broker.partitions["t", 0]
    spent = 0.0
    for now, data in sets(count, late):
        began = time.perf_counter()
        partition.append(bytearray(data), now)
        spent += time.perf_counter() - began
    (segment,) = partition.log.segments
    asked = [START + n * count * MINUTE_MS // SETS_A_MINUTE // LOOKUPS for n in range(LOOKUPS)]
    lookup_us = timed_lookups(partition, asked)
    name = segment.name(SUFFIXES[side])
    size = len(segment.load_time_index()) * 12 if side == SHIPPED else segment._directory.size_of(name)
    wide = 8 * len(segment.load_offset_index())
    return Row(size, wide, spent / count * 1e6, lookup_us, scanned(partition, asked))


def timed_lookups(partition: Partition, asked: Sequence[int]) -> float:
    rules = partition.log._rules
    began = time.perf_counter()
    for timestamp in asked:
        offset_for_timestamp(partition.log, rules, timestamp)
    return (time.perf_counter() - began) / len(asked) * 1e6


def scanned(partition: Partition, asked: Sequence[int]) -> float:
    """How many records lie between where a look-up begins and what it finds, on average."""
    seen: list[int] = []
    whole = Segment.batches

    def noted(self: Segment, position: int = 0) -> Iterator[Batch]:
        for batch in whole(self, position):
            seen.append(batch.count)
            yield batch

    Segment.batches = noted  # type: ignore[method-assign]
    try:
        counts = []
        for timestamp in asked:
            seen.clear()
            offset_for_timestamp(partition.log, partition.log._rules, timestamp)
            counts.append(sum(seen))
    finally:
        Segment.batches = whole  # type: ignore[method-assign]
    return mean(counts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=20_000)
    options = parser.parse_args()
    for late in (False, True):
        print(f"\n{'late by up to ten minutes' if late else 'in order'}\n")
        print("| index | bytes | append, µs a set | look-up, µs | records scanned |\n|---|--:|--:|--:|--:|")
        for side in SIDES:
            row = measured(side, options.sets, late)
            print(f"| {side} | {row.index_bytes:,} | {row.append_us:.1f} | {row.lookup_us:.0f} | {row.scanned:.0f} |")
        print(f"\n16-byte offset entries: {row.wide_bytes:,} bytes more")


if __name__ == "__main__":
    main()
