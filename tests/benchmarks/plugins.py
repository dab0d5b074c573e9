"""KIP-984's own table: a producer at a steady rate, snappy built in against snappy as a plug-in, runs taking turns.

    python -m tests.benchmarks.plugins                      three runs each of 1,000,000 records, 10,000 a second
    python -m tests.benchmarks.plugins --records 50000      smaller ones

Columns and sizes are those of the document (1,034 bytes a record come to its 9.86 MB/s). The broker is in a process of
its own, the client is kafka-python. A pace without limit (`--rate 0`) shows the difference that a steady rate hides.
"""

import argparse
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
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
MEGABYTE: Final = 1 << 20


class Run(NamedTuple):
    """One line of the document's table."""

    records: int
    seconds: float
    latencies_ms: Sequence[float]
    """Of all records, ascending: from `send` to the acknowledgement."""

    @property
    def rate(self) -> float:
        return self.records / self.seconds

    def cells(self) -> list[str]:
        found = self.latencies_ms
        percentiles = [found[min(len(found) - 1, int(len(found) * part))] for part in (0.5, 0.95, 0.99, 0.999)]
        times = [percentiles[0], mean(found), *percentiles[1:], found[-1]]
        rates = f"{self.rate:,.2f}", f"{self.rate * RECORD_BYTES / MEGABYTE:.2f}"
        return [f"{self.records:,}", *rates, *(f"{each:.2f}" for each in times)]


@contextmanager
def broker() -> Iterator[str]:
    """The address of a broker in a process of its own, with a topic for each side."""
    topics = chain.from_iterable(("--topic", side) for side in SIDES)
    command = [sys.executable, "-m", "fakekafka", "serve", "--release", "3.9", "--draft", "KIP-984", "--port", "0"]
    with subprocess.Popen([*command, *topics], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = re.match(r"\S+", process.stdout.readline())
        assert address is not None
        try:
            yield address[0]
        finally:
            process.terminate()


def produce(address: str, codec: str, records: int, rate: float) -> Run:
    """Send records at a rate; 0: as fast as it goes."""
    producer = KafkaProducer(bootstrap_servers=address, compression_type=codec, acks=1, batch_size=16384)
    random = Random(1)
    values = [bytes(random.choices(b"abcdefghijklmnop", k=RECORD_BYTES)) for _ in range(100)]
    latencies: list[float] = []
    clock = time.perf_counter

    def noted(sent_at: float) -> None:
        latencies.append((clock() - sent_at) * 1000)

    began = clock()
    for n in range(records):
        if rate and (ahead := n / rate - (clock() - began)) > 0:
            time.sleep(ahead)
        sent_at = clock()
        producer.send(codec, values[n % len(values)]).add_callback(lambda _, sent_at=sent_at: noted(sent_at))
    producer.flush()
    seconds = clock() - began
    producer.close()
    return Run(records, seconds, sorted(latencies))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rate", type=float, default=10_000, help="records a second; 0: no limit")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    found: dict[str, list[Run]] = {side: [] for side in SIDES}
    with broker() as address, fakekafka.plugins.kafka_python.install(address):
        write_entries(address, plan(Wanted(ALIAS), read_registered(address), installed()[ALIAS]))
        for side in SIDES:
            produce(address, side, 1000, 0)  # warm
        for _ in range(options.runs):
            for side in SIDES:
                found[side].append(produce(address, side, options.records, options.rate))
    for side in SIDES:
        print(f"\n| {side} | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}")
        for n, run in enumerate(found[side], 1):
            print(f"| run{n} | {' | '.join(run.cells())} |")
    plugin, built_in = (median(run.rate for run in found[side]) for side in reversed(SIDES))
    print(f"\nthe plug-in's rate is {plugin / built_in:.2f} of the built-in codec's")


if __name__ == "__main__":
    main()
