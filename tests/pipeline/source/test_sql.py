"""The source in Spark SQL: tables of the catalog, temporary views, and more than one schema."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakekafka.records import v1
from fakekafka_spark import in_one_line
from fakekafka_spark.jobs.failures import WorkerFailed, failure_of
from fakekafka_spark.wanted import DamagedLog
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, records, write_segment


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


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO kept SELECT * FROM seen",
        "INSERT OVERWRITE kept SELECT * FROM seen",
        "INSERT INTO kept VALUES (null, null, 'u', 0, 0, null, 0, null)",
    ],
)
def test_an_insert_is_refused_and_says_what_to_do(spark: SparkSession, logs: Path, statement: str) -> None:
    """Spark does not tell the source where the table lies; otherwise it might write into what is read."""
    write_segment(logs / "other" / "t-0", batches(1))
    spark.sql(f"CREATE TABLE kept USING kafkalog OPTIONS (path '{logs / 'other'}')")
    spark.sql(f"CREATE TEMPORARY VIEW seen USING kafkalog OPTIONS (path '{logs / 't-0'}')")
    before = sorted(path for path in logs.rglob("*"))
    with pytest.raises(PySparkException, match=r"write with df\.write\.format"):
        spark.sql(statement)
    assert sorted(path for path in logs.rglob("*")) == before


def test_a_table_takes_columns_that_are_added_later(spark: SparkSession, logs: Path) -> None:
    spark.sql(f"CREATE TABLE kept USING kafkalog OPTIONS (path '{logs}', columns 'topic,offset')")
    spark.sql("ALTER TABLE kept ADD COLUMNS (magic int, codec string)")
    spark.sql("REFRESH TABLE kept")
    assert spark.table("kept").columns == ["topic", "offset", "magic", "codec"]
    assert spark.sql("SELECT DISTINCT magic, codec FROM kept").collect() == [(2, "none")]


def test_a_table_shows_what_was_appended_and_what_formats_came_later(spark: SparkSession, logs: Path) -> None:
    spark.sql(f"CREATE TABLE kept USING kafkalog OPTIONS (path '{logs}', columns 'offset,magic')")
    assert spark.table("kept").count() == 30
    write_segment(logs / "t-0", [*batches(3), v1.build(records(5, 30))])
    assert spark.table("kept").groupBy("magic").count().orderBy("magic").collect() == [(1, 5), (2, 30)]


def test_what_fails_in_a_worker_is_one_line_with_file_and_position(spark: SparkSession, logs: Path) -> None:
    unit, other = batches(2)
    log = write_segment(logs / "t-0", [unit, other[:-3] + b"?" + other[-2:]])
    with pytest.raises(DamagedLog) as failed, in_one_line():
        spark.read.format("kafkalog").load(str(logs)).count()
    assert str(failed.value) == f"{log}: the unit at {len(unit)}: the checksum is wrong"


def test_what_python_raises_in_a_worker_is_also_one_line(spark: SparkSession, logs: Path) -> None:
    """A segment vanishes after it was planned: Spark up to 4.3 plans a frame once."""
    frame = spark.read.format("kafkalog").load(str(logs))
    assert frame.count() == 30
    (log,) = (logs / "t-0").glob("*.log")
    log.unlink()
    with pytest.raises(WorkerFailed, match=rf"^FileNotFoundError: .*'{log}'") as failed, in_one_line():
        frame.count()
    assert len(str(failed.value).splitlines()) == 1


def test_foreign_files_are_recognised_by_their_first_line() -> None:
    found = failure_of("\n[PATH_NOT_FOUND] there is no such path\n at x\n at y")
    assert isinstance(found, WorkerFailed)
    assert str(found) == "[PATH_NOT_FOUND] there is no such path"
