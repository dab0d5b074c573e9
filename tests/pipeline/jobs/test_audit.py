"""What an audit finds, on recorded logs and on damaged ones; where both look, it agrees with `fakekafka.log.check`."""

from pathlib import Path

import pytest
from fakekafka.log.check import check
from fakekafka.log.files import DiskDirectory
from fakekafka_spark import audit
from fakekafka_spark.jobs.audit import FAULTS
from pyspark.sql import Row, SparkSession

from tests.pipeline.logs import batches, recorded, write_index, write_segment


def only_row(spark: SparkSession, path: Path) -> Row:
    (row,) = audit(spark, path).collect()
    return row


@pytest.mark.parametrize("release", ["0.11.0.3", "4.3.1"])
def test_logs_of_real_brokers_have_no_faults(spark: SparkSession, tmp_path: Path, release: str) -> None:
    recorded(release, tmp_path)
    rows = audit(spark, tmp_path).collect()
    assert len(rows) > 10
    assert {name: sum(row[name] for row in rows) for name in FAULTS} == dict.fromkeys(FAULTS, 0)


def test_who_would_be_down_converted(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [*batches(2), *batches(1, codec=4, start=20)])
    row = only_row(spark, tmp_path)
    assert (row.formats, row.codecs, row.units, row.records) == ([2], ["none", "zstd"], 3, 30)
    assert row.bytes_converted_below_fetch_4 == row.bytes_converted_below_fetch_2 == row.bytes
    assert 0 < row.bytes_refused_below_fetch_10 < row.bytes


def test_each_kind_of_fault_is_counted(spark: SparkSession, tmp_path: Path) -> None:
    made = batches(6)
    broken = bytearray(made[2])
    broken[-5] ^= 1
    folder = tmp_path / "t-0"
    write_segment(folder, [*made[:2], bytes(broken), *made[3:], made[1]])
    index = write_index(folder, made)
    index.write_bytes(index.read_bytes()[:-8] + (55).to_bytes(4, "big") + (1234).to_bytes(4, "big"))
    too_early = (1_600_000_000_000).to_bytes(8, "big") + (29).to_bytes(4, "big")
    beyond = (1_700_000_000_000).to_bytes(8, "big") + (777).to_bytes(4, "big")
    (folder / "00000000000000000000.timeindex").write_bytes(too_early + beyond)
    row = only_row(spark, tmp_path)
    assert {name: row[name] for name in FAULTS} == {
        "damaged": 1, "offset_disorder": 1, "index_wrong": 1, "timeindex_wrong": 2,
    }  # fmt: skip
    assert row.faults == 5
    assert check(DiskDirectory(folder))


def test_bytes_that_are_no_units_are_damage(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "t-0"
    write_segment(folder, batches(2), tail=b"\xff" * 50)
    write_segment(folder, batches(2, start=20), base=20)
    assert [row.damaged for row in audit(spark, tmp_path).collect()] == [1, 0]


def test_younger_batches_before_older_ones_are_told_but_no_fault(spark: SparkSession, tmp_path: Path) -> None:
    late, early = batches(2)
    moved = (10).to_bytes(8, "big") + late[8:]
    write_segment(tmp_path / "t-0", [(0).to_bytes(8, "big") + early[8:], moved])
    row = only_row(spark, tmp_path)
    assert (row.timestamp_disorder, row.faults) == (1, 0)
