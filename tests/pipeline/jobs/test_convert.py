"""Conversions keep every record, count what they lose, and make logs that are sound."""

from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka.log.check import check
from fakekafka.log.files import DiskDirectory
from fakekafka_spark import columns, convert
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, recorded, records, write_segment


def contents(path: Path, *names: str, **how: str) -> list[tuple[object, ...]]:
    table = columns.table(path, columns=["topic", "partition", "offset", *names], **how)
    return sorted(tuple(row.values()) for row in table.to_pylist())


@pytest.mark.parametrize(("release", "magic"), [("0.9.0", 0), ("3.9", 2)])
def test_a_real_log_is_converted_without_losing_a_record(
    spark: SparkSession, tmp_path: Path, release: str, magic: int
) -> None:
    recorded("2.3.1", tmp_path / "real")
    losses = convert(spark, tmp_path / "real", tmp_path / "made", release=release, codec="gzip").collect()
    made = tmp_path / "made"
    assert contents(made, "key", "value") == contents(tmp_path / "real", "key", "value")
    assert all(check(DiskDirectory(path)) == [] for path in made.iterdir())
    assert set(columns.table(made, "batches", columns="magic")["magic"].to_pylist()) == {magic}
    assert sum(row.records for row in losses) == len(contents(made))
    by_topic = {row.topic: row for row in losses}
    assert by_topic["tx"].control_lost == 3
    assert by_topic["tx"].producers_lost == 7
    assert (by_topic["plain2"].headers_lost > 0) is (magic < 2)
    assert (by_topic["plain2"].timestamps_lost > 0) is (magic == 0)
    assert (by_topic["plain0"].timestamps_missing > 0) is (magic > 0)


def test_aborted_records_are_left_out_by_request(spark: SparkSession, tmp_path: Path) -> None:
    recorded("2.3.1", tmp_path / "real")
    convert(spark, tmp_path / "real" / "tx-0", tmp_path / "made", isolation="read_committed")
    assert contents(tmp_path / "made") == contents(tmp_path / "real" / "tx-0", isolation="read_committed")
    assert len(contents(tmp_path / "made")) < len(contents(tmp_path / "real" / "tx-0"))


def test_there_and_back_again_is_the_same(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row for row in records(200) if row.offset % 7]
    from fakekafka.records import v2

    write_segment(tmp_path / "first" / "t-0", [v2.build(rows[:100]), v2.build(rows[100:])])
    convert(spark, tmp_path / "first", tmp_path / "old", release="0.10.2", codec="snappy")
    convert(spark, tmp_path / "old", tmp_path / "new", release="4.3", codec="zstd")
    names = ("key", "value", "timestamp_ms", "timestampType")
    assert contents(tmp_path / "new", *names) == contents(tmp_path / "first", *names)


def test_what_cannot_be_is_refused_before_anything_is_read(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Kafka 0\.9\.0\.\d has no message format '2'"):
        convert(spark, tmp_path / "nothing", tmp_path / "made", release="0.9.0", magic=2)


def test_relative_paths_are_those_of_the_caller(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spark's workers stay where Spark was started."""
    write_segment(tmp_path / "logs" / "t-0", batches(2))
    monkeypatch.chdir(tmp_path)
    convert(spark, "logs", "made", codec="gzip")
    assert columns.table(tmp_path / "made").num_rows == 20
