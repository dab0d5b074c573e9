"""The jobs take archives by any name; the tests in `files/` show that everything in them is found."""

from pathlib import Path
from urllib.parse import quote

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import audit, census, convert, replicas, watch
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A log in a folder with a difficult name, inside a folder with a date."""
    folder = tmp_path / "ä b%20c" / "2024-01"
    write_segment(folder / "broker-1" / "t-0", batches(1))
    return folder


def named(archive: Path) -> list[str | list[str]]:
    """Several names of that archive."""
    path, url = str(archive), quote(str(archive))
    return [path, f"file:{url}", f"file://{url}", f"{archive.parent}/2024-*", f"{archive.parents[1]}/ä*/*/broker-?",
            [path, f"{path}/broker-1/t-0"]]  # fmt: skip


def test_jobs_take_an_archive_by_any_name(spark: SparkSession, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for path in named(archive):
        assert [row.units for row in audit(spark, path).collect()] == [1]
        assert [row.records for row in census(spark, path).collect()] == [10]
    for path in ("2024-01", "file:2024-01"):
        monkeypatch.chdir(archive.parent)
        assert [row.verdict for row in replicas(spark, path).collect()] == ["only copy"]


def test_a_conversion_and_a_watch_take_an_archive_by_any_name(
    spark: SparkSession, archive: Path, tmp_path: Path
) -> None:
    *_, several = named(archive)
    target = tmp_path / "made of it"
    assert [row.records for row in convert(spark, several, target.as_uri()).collect()] == [10]
    assert [path.name for path in target.glob("*-0")] == ["t-0"]
    stream = watch(spark, several).writeStream.format("memory").queryName("told").trigger(availableNow=True)
    stream.option("checkpointLocation", str(tmp_path / "seen")).start().awaitTermination()
    assert spark.table("told").count() == 0


def test_a_missing_topic_is_an_error_in_every_query(spark: SparkSession, archive: Path) -> None:
    frame = spark.read.format("kafkalog").option("topic", "other").load(str(archive))
    with pytest.raises(PySparkException, match="there is no topic other here: there are t"):
        frame.count()
    with pytest.raises(UsageError, match="nothing matches"):
        audit(spark, f"{archive}/2025-*")
