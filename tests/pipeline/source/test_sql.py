"""The source as Spark's SQL uses it: tables of the catalog, temporary views, more than one schema."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka_spark.jobs.failures import WorkerFailed, failure_of, in_one_line
from fakekafka_spark.wanted import DamagedLog
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment


@pytest.fixture
def logs(tmp_path: Path, spark: SparkSession) -> Iterator[Path]:
    write_segment(tmp_path / "t-0", batches(3))
    yield tmp_path
    spark.sql("DROP TABLE IF EXISTS kept")
    spark.sql("DROP VIEW IF EXISTS seen")


@pytest.mark.parametrize("where", ["OPTIONS (path '{}')", "LOCATION '{}'", "OPTIONS (view 'batches') LOCATION '{}'",
    "OPTIONS (path '{}', columns 'offset') COMMENT 'ours' TBLPROPERTIES ('team' = 'a')"])  # fmt: skip
def test_a_table_of_the_catalog_may_lie_over_logs(spark: SparkSession, logs: Path, where: str) -> None:
    spark.sql(f"CREATE TABLE kept USING kafkalog {where.format(logs)}")
    expected = 3 if "batches" in where else 30
    assert spark.sql("SELECT count(*) n FROM kept").collect()[0].n == expected
    assert spark.table("kept").count() == expected


def test_a_temporary_view_may_lie_over_logs(spark: SparkSession, logs: Path) -> None:
    spark.sql(f"CREATE TEMPORARY VIEW seen USING kafkalog OPTIONS (path '{logs}', columns 'offset,magic')")
    assert spark.sql("SELECT max(offset) n FROM seen WHERE magic = 2").collect()[0].n == 29


def test_what_fails_in_a_worker_is_one_line_with_file_and_position(spark: SparkSession, logs: Path) -> None:
    unit, other = batches(2)
    log = write_segment(logs / "t-0", [unit, other[:-3] + b"?" + other[-2:]])
    with pytest.raises(DamagedLog) as failed, in_one_line():
        spark.read.format("kafkalog").load(str(logs)).count()
    assert str(failed.value) == f"{log}: the unit at {len(unit)}: the checksum is wrong"


def test_what_is_not_ours_is_told_by_its_first_line() -> None:
    found = failure_of("\n[PATH_NOT_FOUND] there is no such path\n at x\n at y")
    assert isinstance(found, WorkerFailed)
    assert str(found) == "[PATH_NOT_FOUND] there is no such path"
