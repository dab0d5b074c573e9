"""KIP-984's own table: a producer at a steady rate, snappy built in against snappy as a plug-in, runs taking turns.

    python -m tests.benchmarks.plugins                      three runs each of 1,000,000 records, 10,000 a second
    python -m tests.benchmarks.plugins --records 50000      smaller ones

Columns and sizes are those of the document (1,034 bytes a record come to its 9.86 MB/s). Each round has a new broker in
a separate process, and every other round begins with the other side; the client is kafka-python. A second table has
the CPU seconds of client and broker, which other work on the machine disturbs least. A pace without limit (`--rate 0`)
shows the difference that a steady rate hides.

The rule of the verdict is fixed before a run and the same for every run. "Virtually the same" is confirmed if both
hold:

1. rate: the plug-in's best run reaches at least 95 % of the records a second of the built-in codec's best run. The best
   runs, since both sides are asked for the same rate: whatever else the machine does can only keep a run below it.
2. cost: the median of the rounds' ratios of CPU seconds (client and broker, plug-in over built-in) is at most 1.05. The
   ratio within a round, since the machine's speed changes between rounds; the median, so that no single round decides.

Both are limits on being worse. The document asks whether there is a "loss of performance", so a plug-in that is faster
or cheaper by any margin does not refute it. 5 %, since the document's own runs of one side differ by more than that
from each other in their mean latency (3.41 to 3.93 ms). Latencies are printed and not judged: from the first record
that the machine is late with, they measure the queue in the client and no longer the codec. If no run of either side
reaches 99 % of the rate that was asked for, the machine was too slow or too busy, and there is no verdict.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Final, NamedTuple

import fakekafka.plugins.kafka_python
from fakekafka.plugins.installed import installed
from fakekafka.plugins.registration import Wanted, plan
from fakekafka.plugins.remote import read_registered, write_entries
from kafka import KafkaProducer

RECORD_BYTES: Final = 1034
ALIAS: Final = "snappyPlugin"
SIDES: Final = ("snappy", ALIAS)
COLUMNS: Final = (
    "records sent", "record/sec", "MB/s", "50th % (ms)", "mean (ms)", "95th % (ms)", "99th % (ms)", "99.9th % (ms)",
    "max (ms)",
)  # fmt: skip
CPU_COLUMNS: Final = ("wall (s)", "client CPU (s)", "broker CPU (s)", "CPU µs a record")
MEGABYTE: Final = 1 << 20
SAME: Final = 0.05
"""The plug-in counts as equal if it is worse by no more than this, in records a second and in CPU seconds."""
REACHED: Final = 0.99
"""The part of the asked rate that some run must reach; otherwise there is no verdict."""


class Run(NamedTuple):
    """One line of the document's table."""

    records: int
    seconds: float
    latencies_ms: Sequence[float]
    """The latencies of all records, ascending: from `send` to the acknowledgement."""
    client_cpu: float
    broker_cpu: float
    """CPU seconds, in user and system mode."""

    @property
    def rate(self) -> float:
        return self.records / self.seconds

    @property
    def cpu(self) -> float:
        return self.client_cpu + self.broker_cpu

    def cpu_cells(self) -> list[str]:
        each = self.seconds, self.client_cpu, self.broker_cpu, self.cpu / self.records * 1e6
        return [f"{value:.2f}" for value in each]

    def cells(self) -> list[str]:
        found = self.latencies_ms
        percentiles = [found[min(len(found) - 1, int(len(found) * part))] for part in (0.5, 0.95, 0.99, 0.999)]
        times = [percentiles[0], mean(found), *percentiles[1:], found[-1]]
        rates = f"{self.rate:,.2f}", f"{self.rate * RECORD_BYTES / MEGABYTE:.2f}"
        return [f"{self.records:,}", *rates, *(f"{each:.2f}" for each in times)]


class Broker(NamedTuple):
    """A broker in a separate process."""

    address: str
    pid: int

    def cpu_seconds(self) -> float:
        """CPU time used so far; 0 where the system does not report it (only Linux does)."""
        stat = Path(f"/proc/{self.pid}/stat")
        if not stat.exists():
            return 0.0
        user, system = stat.read_text("utf-8").rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


@contextmanager
def broker() -> Iterator[Broker]:
    """A broker with a topic for each side, and the plug-in registered."""
    topics = chain.from_iterable(("--topic", side) for side in SIDES)
    command = [sys.executable, "-m", "fakekafka", "serve", "--release", "3.9", "--draft", "KIP-984", "--port", "0"]
    with subprocess.Popen([*command, *topics], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.match(r"\S+", process.stdout.readline())
        assert address is not None
        try:
            register(address[0])
            yield Broker(address[0], process.pid)
        finally:
            process.terminate()


def register(address: str) -> None:
    write_entries(address, plan(Wanted(ALIAS), read_registered(address), installed()[ALIAS]))


def produce(to: Broker, codec: str, records: int, rate: float) -> Run:
    """Send records at a rate; 0 is as fast as possible."""
    producer = KafkaProducer(bootstrap_servers=to.address, compression_type=codec, acks=1, batch_size=16384)
    random = Random(1)
    values = [bytes(random.choices(b"abcdefghijklmnop", k=RECORD_BYTES)) for _ in range(100)]
    latencies: list[float] = []
    clock = time.perf_counter

    def noted(sent_at: float) -> None:
        latencies.append((clock() - sent_at) * 1000)

    client_cpu, broker_cpu, began = time.process_time(), to.cpu_seconds(), clock()
    for n in range(records):
        if rate and (ahead := n / rate - (clock() - began)) > 0:
            time.sleep(ahead)
        sent_at = clock()
        producer.send(codec, values[n % len(values)]).add_callback(lambda _, sent_at=sent_at: noted(sent_at))
    producer.flush()
    seconds = clock() - began
    client_cpu, broker_cpu = time.process_time() - client_cpu, to.cpu_seconds() - broker_cpu
    producer.close()
    return Run(records, seconds, sorted(latencies), client_cpu, broker_cpu)


def rounds(count: int, records: int, rate: float) -> Iterator[tuple[str, Run]]:
    """The runs of both sides, taking turns, on a new broker for each round."""
    for n in range(count):
        with broker() as to, fakekafka.plugins.kafka_python.install(to.address):
            for side in SIDES:
                produce(to, side, 1000, 0)  # to warm up
            for side in SIDES[:: -1 if n % 2 else 1]:
                yield side, produce(to, side, records, rate)


def print_table(side: str, columns: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    print(f"\n| {side} | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for n, cells in enumerate(lines, 1):
        print(f"| run{n} | {' | '.join(cells)} |")


def verdict(found: Mapping[str, Sequence[Run]], asked_rate: float) -> str:
    """Whether the document's "virtually the same" holds, by the rule at the top. `asked_rate`: 0 if there was none."""
    built_in, plugin = (found[side] for side in SIDES)
    best = {side: max(run.rate for run in found[side]) for side in SIDES}
    if max(best.values()) < REACHED * asked_rate:
        return f"no verdict: the best rate is {max(best.values()):,.0f} of the {asked_rate:,.0f} that were asked for"
    rate = best[ALIAS] / best["snappy"]
    cpu = median(theirs.cpu / ours.cpu for theirs, ours in zip(plugin, built_in))
    word = "confirmed" if rate >= 1 - SAME and cpu <= 1 + SAME else "refuted"
    return (
        f"the plug-in's best rate is {rate:.3f} of the built-in codec's, its CPU time {cpu:.3f}: "
        f'"virtually the same" is {word} (at most {SAME:.0%} worse)'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=10_000, help="records a second; 0: no limit")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    found: dict[str, list[Run]] = {side: [] for side in SIDES}
    for side, run in rounds(options.runs, options.records, options.rate):
        found[side].append(run)
        print(f"{side}: {run.rate:,.0f} records a second, {run.cpu:.1f} s of CPU time", file=sys.stderr, flush=True)
    for side in SIDES:
        print_table(side, COLUMNS, [run.cells() for run in found[side]])
        print_table(side, CPU_COLUMNS, [run.cpu_cells() for run in found[side]])
    print(f"\n{verdict(found, options.rate)}")


if __name__ == "__main__":
    main()
