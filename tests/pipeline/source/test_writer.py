"""Written segments are read back and checked by `fakekafka.log.check`; a refused write leaves nothing."""

from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka.log.check import check
from fakekafka.log.files import DiskDirectory
from fakekafka_spark import columns, in_one_line
from fakekafka_spark.source.writer import KafkalogWriter
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import lit

from tests.pipeline.logs import recorded


def partitioned(frame: DataFrame) -> DataFrame:
    return frame.repartition("topic", "partition").sortWithinPartitions("topic", "partition", "offset")


def findings(log_dir: Path) -> dict[str, list[str]]:
    """What is wrong with each partition."""
    found = {path.name: check(DiskDirectory(path)) for path in log_dir.iterdir()}
    return {name: [str(one) for one in some] for name, some in found.items() if some}


def some_records(spark: SparkSession, number: int = 300, partitions: int = 2) -> DataFrame:
    return spark.range(number * partitions).selectExpr(
        "'orders' topic", f"int(id % {partitions}) partition", f"id div {partitions} offset",
        "if(id % 5 = 0, null, cast('key' as binary)) key", "cast(repeat('v', int(id % 50)) as binary) value",
        "timestamp_millis(1600000000000 + id) timestamp",
        "if(id % 3 = 0, array(struct('h' key, cast('x' as binary) value)), null) headers",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("release", "format_", "codec"),
    [("0.8.2", "0", "snappy"), ("0.9.0", "0", "lz4"), ("0.10.2", "1", "gzip"), ("0.11.0", "2", "none"),
     ("2.3", "1", "lz4"), ("2.3", "2", "zstd"), ("4.3", "2", "snappy")],
)  # fmt: skip
def test_what_is_written_is_sound_and_reads_back(
    spark: SparkSession, tmp_path: Path, release: str, format_: str, codec: str
) -> None:
    recorded("2.3.1", tmp_path / "real")
    frame = spark.read.format("kafkalog").load(str(tmp_path / "real"))
    if format_ != "2":
        frame = frame.drop("headers")
    made = tmp_path / "made"
    options = {"release": release, "format": format_, "codec": codec, "batchRecords": "7", "indexIntervalBytes": "100"}
    partitioned(frame).write.format("kafkalog").options(**options).mode("append").save(str(made))
    assert findings(made) == {}
    names = ["topic", "partition", "offset", "key", "value"]
    names += {"0": [], "1": ["timestamp_ms"], "2": ["timestamp_ms", "headers"]}[format_]
    order = [(name, "ascending") for name in ("topic", "partition", "offset")]
    expected = columns.table(tmp_path / "real", columns=names).sort_by(order)
    assert columns.table(made, columns=names).sort_by(order).equals(expected)
    kinds = columns.table(made, "batches", columns="magic,codec").to_pylist()
    assert {tuple(kind.values()) for kind in kinds} == {(int(format_), codec)}


def test_append_times_are_kept_as_append_times(spark: SparkSession, tmp_path: Path) -> None:
    recorded("2.3.1", tmp_path / "real")
    frame = spark.read.format("kafkalog").option("topic", "logappend").load(str(tmp_path / "real"))
    partitioned(frame).write.format("kafkalog").mode("append").save(str(tmp_path / "made"))
    names = ["offset", "timestamp_ms", "timestampType"]
    real = columns.table(tmp_path / "real", topics=["logappend"], columns=names).to_pylist()
    assert columns.table(tmp_path / "made", columns=names).to_pylist() == real
    assert {row["timestampType"] for row in real} == {1}


def test_segments_roll_and_have_indexes(spark: SparkSession, tmp_path: Path) -> None:
    options = {"segmentBytes": "4000", "batchRecords": "10", "indexIntervalBytes": "1"}
    partitioned(some_records(spark)).write.format("kafkalog").options(**options).mode("append").save(str(tmp_path))
    assert findings(tmp_path) == {}
    assert len(list((tmp_path / "orders-0").glob("*.log"))) > 2
    assert columns.table(tmp_path, "index").num_rows > 10
    assert columns.table(tmp_path, "timeindex").num_rows > 10


def test_a_log_may_begin_anywhere_and_have_holes(spark: SparkSession, tmp_path: Path) -> None:
    frame = some_records(spark).where("offset > 17 and offset % 10 <> 3")
    partitioned(frame).write.format("kafkalog").mode("append").save(str(tmp_path))
    assert findings(tmp_path) == {}
    offsets = columns.table(tmp_path, partitions=[1])["offset"].to_pylist()
    assert offsets == [offset for offset in range(18, 300) if offset % 10 != 3]
    assert (tmp_path / "orders-1" / "00000000000000000018.log").exists()


def refused(frame: DataFrame, path: Path, match: str, mode: str = "append", **options: str) -> None:
    with pytest.raises(PySparkException, match=match):
        frame.write.format("kafkalog").options(**options).mode(mode).save(str(path))


def test_an_order_that_a_log_cannot_have_is_refused_and_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "made"
    backwards = some_records(spark, partitions=1).coalesce(1).orderBy("offset", ascending=False)
    refused(backwards.coalesce(1), path, "Offsets must grow")
    assert not path.exists()


def test_a_partition_from_two_tasks_is_refused_and_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "made"
    refused(some_records(spark, partitions=1).repartitionByRange(2, "offset"), path, "came from two tasks")
    assert not path.exists()


def test_an_existing_log_is_not_continued_but_may_be_replaced(spark: SparkSession, tmp_path: Path) -> None:
    first = partitioned(some_records(spark, 50))
    first.write.format("kafkalog").mode("append").save(str(tmp_path))
    refused(first, tmp_path, "cannot be continued")
    assert columns.table(tmp_path).num_rows == 100
    second = partitioned(some_records(spark, 20, partitions=1))
    second.write.format("kafkalog").mode("overwrite").save(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["orders-0"]
    assert columns.table(tmp_path).num_rows == 20


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"release": "0.10.2", "format": "2"}, "has no message format '2'"),
        ({"release": "2.0", "codec": "zstd"}, "has no zstd in message format 2"),
        ({"release": "2.3", "format": "1", "codec": "zstd"}, "has no zstd in message format 1"),
        ({"codec": "brotli"}, "no codec 'brotli'"),
        ({"batchByte": "3"}, "did you mean 'batchBytes'"),
    ],
)
def test_what_a_release_cannot_hold_is_refused(
    spark: SparkSession, tmp_path: Path, options: dict[str, str], match: str
) -> None:
    refused(some_records(spark), tmp_path, match, "append", **options)


def test_headers_are_refused_where_the_format_has_none(spark: SparkSession, tmp_path: Path) -> None:
    refused(partitioned(some_records(spark)), tmp_path / "made", "headers", release="0.10.2")
    assert not (tmp_path / "made").exists()


def test_a_task_that_begins_after_the_abort_leaves_nothing(spark: SparkSession, tmp_path: Path) -> None:
    frame = some_records(spark)
    writer = KafkalogWriter({"path": str(tmp_path / "made"), "release": "2.3"}, frame.schema, overwrite=False)
    writer.abort([])
    with pytest.raises(FileNotFoundError):
        writer.write(iter(frame.toArrow().to_batches()))
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("topic", ["../EVIL", "/EVIL", "a b", "t" * 250, None])
def test_a_name_that_kafka_refuses_is_refused_in_one_sentence_and_nothing_is_written(
    spark: SparkSession, tmp_path: Path, topic: str | None
) -> None:
    frame = some_records(spark, 5, 1).withColumn("topic", lit(topic).cast("string"))
    with pytest.raises(UsageError, match="topic") as refused, in_one_line():
        frame.write.format("kafkalog").mode("append").save(str(tmp_path / "target"))
    assert len(str(refused.value).splitlines()) == 1
    assert list(tmp_path.rglob("*")) == []


def test_columns_are_checked(spark: SparkSession, tmp_path: Path) -> None:
    frame = some_records(spark)
    refused(frame.withColumn("partition", lit(99_999_999_999)), tmp_path, "column partition must be int")
    refused(frame.drop("offset"), tmp_path, "the columns offset are needed")
    refused(frame.withColumn("price", lit(1)), tmp_path, "'price' cannot be written")
    refused(frame.withColumn("value", lit("text")), tmp_path, "value must be binary")
