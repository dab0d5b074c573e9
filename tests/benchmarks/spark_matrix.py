"""Ten million synthetic observations of the compatibility matrix, judged, with a fault planted in some cells."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from fakekafka_spark import read_observations, verdicts
from fakekafka_spark.observations import Cell, arrow_schema
from pyarrow import parquet

from tests.benchmarks.measuring import Row, alone
from tests.benchmarks.spark_cpu import cpu_seconds

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EACH = 10_000
"""Records of a cell; each is produced, stored and consumed."""
FAULTY_EVERY = 10


def judging(spark: "SparkSession", folder: Path, quick: bool) -> list[Row]:
    cells = 34 if quick else 334
    folder.mkdir()
    for number in range(cells):
        _write(folder, number)
    seconds, cpu = [], []
    for _ in range(2):
        started, used = time.perf_counter(), cpu_seconds()
        found = verdicts(read_observations(spark, folder)).collect()
        seconds.append(time.perf_counter() - started)
        cpu.append(cpu_seconds() - used)
        assert sum(row.lost for row in found) == len(range(0, cells, FAULTY_EVERY))
        assert {row.verdict for row in found} == {"ok", "differs"}
    what = f"{cells * (3 * EACH + 1) / 1e6:.1f} M observations judged"
    return [alone(f"{what}, wall", "s", [min(seconds)], at_most=30), alone(f"{what}, CPU", "s", [min(cpu)])]


def _write(folder: Path, number: int) -> None:
    cell = Cell.of(f"client{number}", "2.3", "", "", "none", "round trip")
    parts = [_rows(cell, 1, stage="cell", value="ran", amount=1.0)]
    uid = np.arange(EACH)
    chance = np.random.default_rng(number)
    same = {
        "uid": uid, "topic": "t", "partition": (uid % 4).astype(np.int32), "offset": uid // 4, "ordinal": uid,
        "key_hash": chance.integers(-(2**62), 2**62, EACH), "value_hash": chance.integers(-(2**62), 2**62, EACH),
        "headers_hash": 0, "timestamp": 1_600_000_000_000 + uid, "timestamp_type": 0, "magic": 2,
    }  # fmt: skip
    parts.append(_rows(cell, EACH, stage="produced", want="once", **same))
    parts.append(_rows(cell, EACH, stage="stored", **same))
    consumed = _rows(cell, EACH, stage="consumed", reader=0, **same)
    parts.append(consumed.slice(1) if number % FAULTY_EVERY == 0 else consumed)
    parquet.write_table(pa.concat_tables(parts), folder / f"{number}.parquet", compression="zstd")


def _rows(cell: Cell, number: int, **columns: object) -> pa.Table:
    given = cell._asdict() | columns

    def column(field: pa.Field) -> pa.Array:
        value = given.get(field.name)
        if isinstance(value, np.ndarray):
            return pa.array(value, field.type)
        return pa.repeat(pa.scalar(value, field.type), number)

    return pa.table([column(field) for field in arrow_schema()], schema=arrow_schema())
