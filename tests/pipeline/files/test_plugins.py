"""The pipeline reads batches of compression plug-ins, by the registry beside them, or says which one is missing."""

from pathlib import Path

import pytest
from fakekafka import FakeKafka
from fakekafka.plugins.installed import installed
from fakekafka_spark import columns, convert
from fakekafka_spark.wanted import DamagedLog
from pyspark.sql import SparkSession


@pytest.fixture
def log_dir(tmp_path: Path) -> Path:
    with FakeKafka("3.9", drafts=["KIP-984"], log_dir=tmp_path / "logs").boot() as kafka:
        kafka.plugins.register("snappyPlugin")
        kafka.create_topic("t", config={"compression.type": "snappyPlugin"})
        for n in range(3):
            kafka.send("t", b"value %d" % n * 9, key=b"k")
    return tmp_path / "logs"


def values(log_dir: Path) -> list[bytes]:
    table = columns.table(log_dir, topics=["t"], columns=["offset", "value"])
    return [row["value"] for row in sorted(table.to_pylist(), key=lambda row: row["offset"])]


@pytest.mark.statement("S3-27")
def test_records_of_a_plugin_are_read(log_dir: Path) -> None:
    assert values(log_dir) == [b"value %d" % n * 9 for n in range(3)]
    found = columns.table(log_dir, "batches", topics=["t"], columns=["codec"])
    assert set(found["codec"].to_pylist()) == {"5"}


@pytest.mark.statement("S3-28")
def test_a_plugin_that_is_not_installed_is_named(log_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka.plugins.known.installed", lambda: {"lzmaPlugin": installed()["lzmaPlugin"]})
    with pytest.raises(DamagedLog, match="Unknown compression name: snappyPlugin is not installed here"):
        values(log_dir)


def test_a_log_of_a_plugin_is_converted_into_a_codec_of_kafkas(
    spark: SparkSession, log_dir: Path, tmp_path: Path
) -> None:
    expected = values(log_dir)
    convert(spark, log_dir, tmp_path / "made", release="2.3", codec="gzip").collect()
    assert values(tmp_path / "made") == expected
    found = columns.table(tmp_path / "made", "batches", topics=["t"], columns=["codec"])
    assert set(found["codec"].to_pylist()) == {"gzip"}
