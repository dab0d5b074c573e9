"""The unending audit, for half an hour, on logs that grow, roll and are cut off at their beginning.

    python tests/benchmarks/spark_watch.py --minutes 30

Drifts are planted again and again; each must be reported once. Memory of the JVM, whose heap is taken at once, and of
the largest Python worker must not grow any more after the first third, counted from when every step has its workers.
The exit status is 1 if one of these fails.
"""

import argparse
import sys
import time
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Any, Final, NamedTuple

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])  # not the script's folder: imports begin at the root

from fakekafka.clock import SystemClock
from fakekafka.log import names
from fakekafka.records import v1, v2
from fakekafka.records.record import Record
from fakekafka_spark import session, watch

from tests.benchmarks.spark_cpu import memory_mb

EACH: Final = 100
"""Records in a batch."""
BATCHES_A_TICK: Final = 40
TICK_SECONDS: Final = 0.2
SEGMENT_BYTES: Final = 4 << 20
KEPT_SEGMENTS: Final = 40
PLANTED_EVERY_SECONDS: Final = 5
DAY_MS: Final = 86_400_000
MAY_GROW: Final = 1.1
"""The growth of memory allowed after the first third; less than SLACK_MB is noise."""
SLACK_MB: Final = 24
WARM_UP_TRIGGERS: Final = 5
"""Until then, the workers of some steps have not been started, and others have not loaded what they need."""
KINDS: Final = ("damage", "timestamps back", "timestamps ahead", "codec", "format")


class Planted(NamedTuple):
    """A drift: where, and what it is."""

    offset: int
    kind: str


class Writer:
    """Writes a partition's segments, and deletes the oldest ones."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.folder = folder
        self.end = 0
        self.planted: list[Planted] = []
        self.stop = Event()
        self._segments: deque[Path] = deque()
        self._plain = bytearray(self._batch(0))
        self._kinds = self._rotation()

    def run(self) -> None:
        """Append until `stop` is set."""
        due = 0.0
        while not self.stop.wait(TICK_SECONDS):
            self._append(b"".join(self._plain_ones()))
            if time.monotonic() > due:
                self._plant(next(self._kinds))
                due = time.monotonic() + PLANTED_EVERY_SECONDS

    def _plain_ones(self) -> Iterator[bytes]:
        for _ in range(BATCHES_A_TICK):
            v2.set_base_offset(self._plain, self.end)
            self.end += EACH
            yield bytes(self._plain)

    def _rotation(self) -> Iterator[str]:
        yield from KINDS
        while True:
            yield from KINDS[:3]  # another codec or format is new only once

    def _plant(self, kind: str) -> None:
        shifts = {"timestamps back": -DAY_MS, "timestamps ahead": DAY_MS}
        made = bytearray(self._batch(shifts.get(kind, 0), codec=4 if kind == "codec" else 0))
        if kind == "format":
            made = bytearray(v1.build([Record(self.end, SystemClock().now_ms, 0, None, b"old")]))
        if kind == "damage":
            made[-3] ^= 1
        v2.set_base_offset(made, self.end)
        self.end += 1 if kind == "format" else EACH
        self.planted.append(Planted(self.end - 1, kind))
        self._append(bytes(made) + b"".join(self._plain_ones()))

    def _batch(self, shift_ms: int, codec: int = 0) -> bytes:
        now = SystemClock().now_ms + shift_ms
        return v2.build([Record(n, now, 0, b"key", b"v" * 50) for n in range(EACH)], codec=codec)

    def _append(self, data: bytes) -> None:
        if not self._segments or self._segments[-1].stat().st_size > SEGMENT_BYTES:
            first = v2.RecordBatch(data).base_offset if data[16] == 2 else int.from_bytes(data[:8], "big")
            self._segments.append(self.folder / names.of_offset(first, names.LOG))
            if len(self._segments) > KEPT_SEGMENTS:
                self._segments.popleft().unlink()
        with self._segments[-1].open("ab") as file:
            file.write(data)


def main() -> int:
    parser = argparse.ArgumentParser("spark-watch", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--minutes", type=float, default=30)
    seconds = parser.parse_args().minutes * 60
    with TemporaryDirectory(prefix="spark-watch-") as name:
        logs = Path(name) / "logs"
        writer = Writer(logs / "t-0")
        thread = Thread(target=writer.run)
        thread.start()
        try:
            told, memory = _watched(logs, Path(name), seconds, writer, thread)
        finally:
            writer.stop.set()
            thread.join()
    return _judged(writer, told, memory)


def _watched(
    logs: Path, folder: Path, seconds: float, writer: Writer, thread: Thread
) -> tuple[list[Planted], list[tuple[float, float]]]:
    """The alerts, and memory every second, of a watch that lasts this long."""
    heap = "-Xms1g -XX:+AlwaysPreTouch -XX:+UseSerialGC"
    spark = session("local[2]", {"spark.driver.memory": "1g", "spark.driver.extraJavaOptions": heap,
                                 "spark.sql.shuffle.partitions": "2", "spark.log.level": "ERROR",
                                 "spark.local.dir": str(folder), "spark.ui.showConsoleProgress": "false"})  # fmt: skip
    told: list[Planted] = []

    def tell(alerts: Any, _: int) -> None:
        told.extend(Planted(row.offset, row.kind) for row in alerts.collect())

    while not any(logs.rglob("*.log")):
        time.sleep(TICK_SECONDS)
    stream = watch(spark, logs).writeStream.option("checkpointLocation", str(folder / "seen"))
    query = stream.trigger(processingTime="2 seconds").foreachBatch(tell).start()
    while query.isActive and len(query.recentProgress) < WARM_UP_TRIGGERS:
        time.sleep(1)
    memory, started = [], time.monotonic()
    while time.monotonic() - started < seconds and query.isActive:
        time.sleep(1)
        memory.append(memory_mb())
    writer.stop.set()
    thread.join()
    if query.isActive:
        query.processAllAvailable()
    if query.exception() is not None:
        print(query.exception())
    query.stop()
    spark.stop()
    return told, memory


def _judged(writer: Writer, told: list[Planted], memory: list[tuple[float, float]]) -> int:
    """Print what was found; 1 if something is wrong, otherwise 0."""
    wrong = sorted(set(writer.planted) ^ set(told)) + [one for one in told if told.count(one) > 1]
    print(f"{writer.end:,} records, {len(writer.planted)} drifts planted, {len(told)} alerts, {len(wrong)} wrong")
    for one in wrong[:20]:
        print(f"  {'not told' if one in writer.planted else 'told wrongly'}, or twice: {one}")
    third = len(memory) // 3
    grown = False
    for what, column in zip(("JVM", "largest Python process"), zip(*memory)):
        early, late = max(column[:third], default=0.0), max(column[third:], default=0.0)
        grown |= late > max(early * MAY_GROW, early + SLACK_MB)
        print(f"{what:24} first third {early:7.0f} MB, later {late:7.0f} MB")
    print("ok" if not wrong and not grown else "FAILED")
    return int(bool(wrong) or grown)


if __name__ == "__main__":
    sys.exit(main())
