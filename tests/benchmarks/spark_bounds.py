"""What the pipeline promises to stay within; the exit status is 1 if it does not: `make bench-spark-bounds`.

memory of a worker    a batch of 22 kB that inflates to 38 million records, a wrapper of ten million messages, batches
                      of one value of 250 MB each
planning              100,000 segments, small ones and ones of a gigabyte
spread                5.5 million plain messages of format 0 in one partition, and the same bytes in eight
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from struct import pack
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final
from zlib import MAX_WBITS, compressobj

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[2])  # not the script's folder: imports begin at the root

from fakekafka.binary import crc32c
from fakekafka.log import names
from fakekafka.records import hot, v0, v2
from fakekafka.records.compression import ZSTD, compress
from fakekafka.records.record import Record
from fakekafka_spark import audit, session
from fakekafka_spark.query import Query
from fakekafka_spark.source.parts import PartsReader
from fakekafka_spark.source.reader import KafkalogReader

from tests.benchmarks.measuring import Row, print_rows
from tests.benchmarks.measuring import alone as limited
from tests.benchmarks.spark_cpu import cpu_seconds, processes
from tests.benchmarks.spark_reading import to_nowhere

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BOMB_RECORDS: Final = 38_000_000
BOMB_MESSAGES: Final = 10_000_000
LARGE_VALUE: Final = 250_000_000
MOST_WORKER_MB: Final = 512
SEGMENTS: Final = 100_000
MOST_PLANNING_SECONDS: Final = 10
MESSAGES: Final = 5_500_000
PARTITIONS: Final = 8
MOST_TIMES: Final = 1.3
GIGABYTE: Final = 1 << 30


# ---- memory of a worker


def bombs(folder: Path) -> dict[str, tuple[Path, Sequence[str]]]:
    """Logs of small units, which inflate to as much as a reader allows, and the columns to ask for.

    A value of 250 MB is in memory twice in any case, in its batch and in its row: so it is not asked for.
    """
    return {
        "38 M records": (_log(folder / "a", batch_of(BOMB_RECORDS)), ("offset", "key,value,offset")),
        "10 M messages in a wrapper": (_log(folder / "b", wrapper_of(BOMB_MESSAGES)), ("offset", "key,value,offset")),
        "six values of 250 MB": (_log(folder / "c", *_large_values()), ("offset",)),
    }


def _log(root: Path, *units: bytes) -> Path:
    (root / "t-0").mkdir(parents=True)
    (root / "t-0" / names.of_offset(0, names.LOG)).write_bytes(b"".join(units))
    return root


def batch_of(number: int) -> bytes:
    """A batch compressed with zstd, of identical records of seven bytes."""
    record = bytes([12, 0, 0, 0, 1, 1, 0])
    made = bytearray(v2.build([Record(0, 1000, 0, None, None)], codec=ZSTD)[: v2.HEADER_BYTES])
    made += compress(ZSTD, record * number)
    made[8:12] = pack(">i", len(made) - 12)
    made[v2.LAST_OFFSET_DELTA_AT : v2.LAST_OFFSET_DELTA_AT + 4] = pack(">i", number - 1)
    made[v2.HEADER_BYTES - 4 : v2.HEADER_BYTES] = pack(">i", number)
    made[v2.CRC_AT : v2.CRC_AT + 4] = crc32c(bytes(made[v2.ATTRIBUTES_AT :])).to_bytes(4, "big")
    return bytes(made)


def wrapper_of(number: int) -> bytes:
    """A wrapper of gzip around empty messages, a round number of them."""
    empty, stream = v0.message(0, None, None), compressobj(6, wbits=MAX_WBITS | 16)
    packed = b"".join(stream.compress(empty * 100_000) for _ in range(number // 100_000)) + stream.flush()
    return hot.message(0, number - 1, -1, 1, None, packed)


def _large_values() -> Iterator[bytes]:
    """Batches of one record each."""
    made = bytearray(v2.build([Record(0, 1000, 0, None, bytes(LARGE_VALUE))], codec=ZSTD))
    for offset in range(6):
        v2.set_base_offset(made, offset)
        yield bytes(made)


def memory_of_workers(spark: "SparkSession", folder: Path) -> list[Row]:
    """The peak memory of any Python worker that Spark has started so far."""
    rows = []
    for what, (path, asked_for) in bombs(folder).items():
        for columns in asked_for:
            to_nowhere(spark.read.format("kafkalog").option("columns", columns).load(str(path)))
            rows.append(limited(f"{what}: {columns}", "MB", [_highest_mb()], at_most=MOST_WORKER_MB))
        to_nowhere(audit(spark, path))
        rows.append(limited(f"{what}: audit", "MB", [_highest_mb()], at_most=MOST_WORKER_MB))
    return rows


def _highest_mb() -> float:
    """The peak memory of the largest Python process below this one, in MB."""
    workers = (pid for pid, one in processes().items() if one.name.startswith("python") and pid != os.getpid())
    return max(map(_peak_mb, workers), default=0.0)


def _peak_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text("utf-8").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


# ---- planning


def planning(folder: Path) -> list[Row]:
    """How long planning takes, from a path to the tasks, as Spark's driver does it; files and indexes are sparse."""
    rows = []
    for what, size in (("50 kB each", 50_000), ("1 GiB each", GIGABYTE)):
        root = folder / what.replace(" ", "-")
        _segments(root, size)
        given = {"path": str(root)}
        sides: dict[str, Callable[[], object]] = {
            "reading": KafkalogReader(given, Query.of({})).partitions,
            "audit": PartsReader(given).partitions,
        }
        for side, plan in sides.items():
            started = time.perf_counter()
            plan()
            spent = time.perf_counter() - started
            rows.append(limited(f"{SEGMENTS:,} of {what}: {side}", "s", [spent], at_most=MOST_PLANNING_SECONDS))
    return rows


def _segments(root: Path, size: int) -> None:
    for partition in range(SEGMENTS // 100):
        folder = root / f"t-{partition}"
        folder.mkdir(parents=True)
        for number in range(100):
            for kind, length in ((names.LOG, size), (names.OFFSET_INDEX, size // 512 // 8 * 8), (names.TIME_INDEX, 0)):
                path = folder / names.of_offset(number * 1_000_000, kind)
                path.touch()
                os.truncate(path, length)


# ---- spread


def spread(spark: "SparkSession", folder: Path) -> list[Row]:
    """Wall and CPU time of audits of one partition and of eight, warmed up; and the memory of the largest worker."""
    one, eight = folder / "one", folder / "eight"
    _plain_messages(one, 1)
    _plain_messages(eight, PARTITIONS)
    rows: list[Row] = []
    taken: dict[str, tuple[float, float]] = {}
    for name, path in (("warm", eight), ("eight", eight), ("one", one), ("eight again", eight), ("one again", one)):
        started, used = time.perf_counter(), cpu_seconds()
        to_nowhere(audit(spark, path))
        taken[name] = time.perf_counter() - started, cpu_seconds() - used
    for number, what in enumerate(("wall", "CPU")):
        together, apart = (min(taken[name][number], taken[f"{name} again"][number]) for name in ("one", "eight"))
        ratio = together / apart
        row = Row(f"{MESSAGES / 1e6:.1f} M in one partition / in {PARTITIONS}: {what}", "s", together, apart, ratio)
        rows.append(row._replace(goal=f"at most {MOST_TIMES:g}x", reached=ratio <= MOST_TIMES))
    rows.append(limited("largest worker", "MB", [_highest_mb()], at_most=MOST_WORKER_MB))
    return rows


def _plain_messages(root: Path, partitions: int) -> None:
    """Messages of format 0 of about ninety bytes, with an index entry for every four kilobytes."""
    for partition in range(partitions):
        folder = root / f"t-{partition}"
        folder.mkdir(parents=True)
        index = bytearray()
        with (folder / names.of_offset(0, names.LOG)).open("wb") as log:
            for offset, unit in _units(MESSAGES // partitions):
                at = log.tell()
                if at // 4096 > (at - len(unit)) // 4096:
                    index += pack(">ii", offset, at)
                log.write(unit)
        (folder / names.of_offset(0, names.OFFSET_INDEX)).write_bytes(index)


def _units(number: int) -> Iterator[tuple[int, bytes]]:
    body = v0.message(0, b"key-0001", b"v" * 56)[8:]
    return ((offset, pack(">q", offset) + body) for offset in range(number))


# ---- all of it

PARTS: Final = ("workers", "planning", "spread")


def main() -> int:
    parser = argparse.ArgumentParser("spark-bounds", description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("part", nargs="*", help=f"only these: {', '.join(PARTS)}")
    chosen = parser.parse_args().part or PARTS
    rows: list[Row] = []
    with TemporaryDirectory(prefix="spark-bounds-") as name:
        folder = Path(name)
        if "planning" in chosen:
            rows += planning(folder / "planning")
        if {"workers", "spread"} & set(chosen):
            spark = session("local[2]", {"spark.driver.memory": "1g", "spark.sql.shuffle.partitions": "4",
                                         "spark.log.level": "ERROR", "spark.local.dir": name,
                                         "spark.ui.showConsoleProgress": "false"})  # fmt: skip
            rows += spread(spark, folder / "spread") if "spread" in chosen else []
            rows += memory_of_workers(spark, folder / "bombs") if "workers" in chosen else []
            spark.stop()
    print_rows("within bounds", rows)
    return int(any(row.reached is False for row in rows))


if __name__ == "__main__":
    sys.exit(main())
