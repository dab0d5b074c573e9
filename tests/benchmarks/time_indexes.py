"""KIP-33's chosen index against its rejected ones: size on disk, cost of an append and of a look-up, precision.

    python -m tests.benchmarks.time_indexes                       8,000 sets of 10 records, 40 of them a minute
    python -m tests.benchmarks.time_indexes --plots docs/images   the same, and two plots (needs the group "bench")

Three workloads: timestamps that ascend; timestamps that are late by up to ten minutes; and timestamps of which some,
one set in fifty, lie a day ahead. "scanned" is how many records a look-up reads before it finds the right one: it
measures the index's precision. Option 1 knows append times only, so it is searched for those, whatever the workload.
Times are CPU times.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
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
RECORDS_A_SET: Final = 10
SETS_A_MINUTE: Final = 40
LATE_MS: Final = 10 * MINUTE_MS
AHEAD_MS: Final = 24 * 60 * MINUTE_MS
AHEAD_EVERY: Final = 50
SHIPPED: Final = "as shipped"
BY_APPEND_TIME: Final = "KIP-33-option-1"
SIDES: Final = (SHIPPED, BY_APPEND_TIME, "KIP-33-option-2", "KIP-33-16-byte-entries")
WORKLOADS: Final = ("in order", "late", "ahead")
RATES: Final = (1, 4, 16, 64)
"""Sets per minute, in the plot of sizes."""
LOOKUPS: Final = 200


class Row(NamedTuple):
    """What one index costs, and how precise it is."""

    index_bytes: int
    """Bytes of all index files: the offset index, which every side has, and the index of times."""
    append_us: float
    lookup_us: float
    scanned: float

    def cells(self) -> list[str]:
        return [f"{self.index_bytes:,}", f"{self.append_us:.0f}", f"{self.lookup_us:.0f}", f"{self.scanned:.0f}"]


def sets(count: int, workload: str, a_minute: int) -> Iterator[tuple[int, bytes]]:
    """Each set with the time at which it is appended."""
    random = Random(1)
    for n in range(count):
        now = START + n * MINUTE_MS // a_minute
        ahead = AHEAD_MS if workload == "ahead" and n % AHEAD_EVERY == AHEAD_EVERY - 1 else 0
        late = [random.randrange(LATE_MS) if workload == "late" else 0 for _ in range(RECORDS_A_SET)]
        times = sorted(now + ahead - each for each in late)
        yield now, v2.build([Record(at, stamp, 0, b"key", b"v" * 100) for at, stamp in enumerate(times)])


def measured(side: str, count: int, workload: str, a_minute: int = SETS_A_MINUTE) -> Row:
    """Append the sets of a workload to a log with that index, and look up times spread over it."""
    drafts = [] if side == SHIPPED else [side]
    kafka = FakeKafka("2.3", drafts=drafts, clock=ManualClock(START)).boot()
    kafka.create_topic("t", config={"message.timestamp.type": "LogAppendTime"} if side == BY_APPEND_TIME else {})
    partition = kafka.connect().core.cluster.brokers[0].partitions["t", 0]
    assert partition is not None
    spent = 0.0
    for now, data in sets(count, workload, a_minute):
        began = time.process_time()
        partition.append(bytearray(data), now)
        spent += time.process_time() - began
    asked = [START + n * count * MINUTE_MS // a_minute // LOOKUPS for n in range(LOOKUPS)]
    lookup_us = timed_lookups(partition, asked)
    return Row(index_bytes(partition), spent / count * 1e6, lookup_us, scanned(partition, asked))


def index_bytes(partition: Partition) -> int:
    """The bytes of the indexes, without the zeros after their entries."""
    (segment,) = partition.log.segments
    segment.flush()
    data = [segment._directory.read_all(name) for name in segment._directory.names() if name.endswith("index")]
    return sum(len(each.rstrip(b"\0")) for each in data)


def timed_lookups(partition: Partition, asked: Sequence[int]) -> float:
    rules = partition.log._rules
    began = time.process_time()
    for timestamp in asked:
        offset_for_timestamp(partition.log, rules, timestamp)
    return (time.process_time() - began) / len(asked) * 1e6


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


def print_table(workload: str, rows: Sequence[Row]) -> None:
    print(f"\n{workload}\n")
    print("| index | bytes | append, µs a set | look-up, µs | records scanned |\n|---|--:|--:|--:|--:|")
    for side, row in zip(SIDES, rows):
        print(f"| {side} | {' | '.join(row.cells())} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=8000)
    parser.add_argument("--plots", type=Path, help="the folder into which plots are written, as SVG")
    options = parser.parse_args()
    found = {workload: [measured(side, options.sets, workload) for side in SIDES] for workload in WORKLOADS}
    for workload, rows in found.items():
        print_table(workload, rows)
    if options.plots is not None:
        from tests.benchmarks.time_index_plots import plot_costs, plot_sizes

        options.plots.mkdir(parents=True, exist_ok=True)
        plot_costs(options.plots / "time_indexes_costs.svg", SIDES, found)
        sizes = {side: [measured(side, options.sets // 4, "in order", rate).index_bytes for rate in RATES]
                 for side in SIDES}  # fmt: skip
        plot_sizes(options.plots / "time_indexes_sizes.svg", RATES, sizes, options.sets // 4)


if __name__ == "__main__":
    main()
