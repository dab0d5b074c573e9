"""The source in Spark: what only Spark can show. The rows themselves are tested without it, in `test_columns.py`."""

from pathlib import Path

import pytest
from fakekafka_spark import columns
from fakekafka_spark.source.filters import KEPT_WITH_SCAN
from fakekafka_spark.views import VIEWS, View, arrow_schema, ddl
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from tests.pipeline.logs import batches, recorded, records, write_index, write_segment


@pytest.fixture
def log_dir(tmp_path: Path) -> Path:
    recorded("2.3.1", tmp_path)
    return tmp_path


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_has_the_same_rows_as_without_spark(spark: SparkSession, log_dir: Path, view: str) -> None:
    frame = spark.read.format("kafkalog").option("view", view).option("columns", "all").load(str(log_dir))
    expected = columns.table(log_dir, view, columns="all")
    assert frame.toArrow().select(expected.column_names).sort_by(_order(view)).equals(expected.sort_by(_order(view)))


def _order(view: str) -> list[tuple[str, str]]:
    last = {"records": "offset", "batches": "position"}.get(view, "entry")
    return [(name, "ascending") for name in ("topic", "partition", "segment", last)]


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_the_arrow_schema_is_the_one_of_sparks_schema(spark: SparkSession, view: View) -> None:
    declared = StructType.fromDDL(ddl(view, list(view.columns)))
    assert from_arrow_schema(arrow_schema(view, list(view.columns)), prefer_timestamp_ntz=False) == declared


def test_the_first_columns_are_those_of_sparks_kafka_connector(spark: SparkSession, log_dir: Path) -> None:
    frame = spark.read.format("kafkalog").load(str(log_dir))
    assert [(f.name, f.dataType.simpleString()) for f in frame.schema.fields] == [
        ("key", "binary"), ("value", "binary"), ("topic", "string"), ("partition", "int"), ("offset", "bigint"),
        ("timestamp", "timestamp"), ("timestampType", "int"), ("headers", "array<struct<key:string,value:binary>>"),
    ]  # fmt: skip


def test_a_schema_given_by_the_user_is_what_is_read(spark: SparkSession, log_dir: Path) -> None:
    frame = spark.read.format("kafkalog").schema("offset long, topic string").load(str(log_dir))
    assert frame.columns == ["offset", "topic"]
    assert frame.where("topic = 'plain2'").count() == columns.table(log_dir, topics=["plain2"]).num_rows


def test_a_schema_with_a_wrong_type_is_refused(spark: SparkSession, log_dir: Path) -> None:
    with pytest.raises(PySparkException, match="cast it after loading"):
        spark.read.format("kafkalog").schema("offset int").load(str(log_dir)).collect()


def test_a_filter_is_true_of_every_row_and_loses_none(spark: SparkSession, tmp_path: Path) -> None:
    made = batches(50)
    write_segment(tmp_path / "t-0", made)
    write_index(tmp_path / "t-0", made, every=3)
    write_segment(tmp_path / "t-1", made)
    frame = spark.read.format("kafkalog").option("pushdown", "true").load(str(tmp_path))
    rows = frame.where("topic = 't' and partition = 1 and offset between 123 and 321").collect()
    assert [(row.partition, row.offset) for row in rows] == [(1, offset) for offset in range(123, 322)]


@pytest.fixture
def two_topics(tmp_path: Path) -> Path:
    """Two topics of fifty records each."""
    for topic in "tu":
        write_segment(tmp_path / f"{topic}-0", batches(5))
    return tmp_path


def counts(frame: DataFrame) -> dict[str, int]:
    return {row.topic: row["count"] for row in frame.groupBy("topic").count().collect()}


def three_ways(frame: DataFrame) -> list[dict[str, int]]:
    """The counts of a filtered query of a frame, of the frame afterwards, and of two filters in one query."""
    filtered = frame.where("topic = 't'")
    one = counts(filtered)
    return [one, counts(frame), counts(filtered.union(frame.where("topic = 'u'")))]


def test_queries_of_one_frame_do_not_see_each_others_filters(spark: SparkSession, two_topics: Path) -> None:
    both = {"t": 50, "u": 50}
    assert three_ways(spark.read.format("kafkalog").load(str(two_topics))) == [{"t": 50}, both, both]


@pytest.mark.skipif(KEPT_WITH_SCAN, reason="this Spark keeps filters with the scan")
def test_filters_are_taken_only_on_request_because_this_spark_keeps_them_with_the_frame(
    spark: SparkSession, two_topics: Path
) -> None:
    """If this fails, Spark has learned to keep a filter with its scan, and KEPT_WITH_SCAN should know."""
    frame = spark.read.format("kafkalog").option("pushdown", "true").load(str(two_topics))
    assert three_ways(frame) == [{"t": 50}, {"t": 50}, {"u": 50}]


@pytest.mark.parametrize("view", VIEWS)
def test_what_options_choose_is_what_a_filter_would(spark: SparkSession, log_dir: Path, view: str) -> None:
    """Options save reading and are right for every query of the frame."""
    reader = spark.read.format("kafkalog").option("view", view)
    chosen = reader.option("topic", "plain2").load(str(log_dir))
    everything = spark.read.format("kafkalog").option("view", view).load(str(log_dir))
    assert chosen.count() == everything.where("topic = 'plain2'").count()
    assert chosen.where("topic <> 'plain2'").count() == 0


def test_several_paths_are_read_as_one(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "a" / "t-0", batches(2))
    write_segment(tmp_path / "b" / "t-1", batches(3))
    frame = spark.read.format("kafkalog").load([str(tmp_path / "a"), str(tmp_path / "b")])
    assert frame.count() == 50


def test_failfast_names_the_place_of_the_damage(spark: SparkSession, tmp_path: Path) -> None:
    made = batches(3)
    broken = bytearray(made[1])
    broken[-5] ^= 1  # in the last value
    write_segment(tmp_path / "t-0", [made[0], bytes(broken), made[2]])
    reader = spark.read.format("kafkalog")
    with pytest.raises(PySparkException, match=r"t-0/0{20}\.log: the unit at \d+: the checksum is wrong"):
        reader.load(str(tmp_path)).collect()
    assert reader.option("mode", "DROPMALFORMED").load(str(tmp_path)).count() == 20
    permissive = reader.option("mode", "PERMISSIVE").load(str(tmp_path))
    assert permissive.where("_corrupt_record is null").count() == 20
    assert {row.offset for row in permissive.where("_corrupt_record is not null").collect()} == set(range(10, 20))


def test_an_unknown_option_is_refused_with_a_hint(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    with pytest.raises(PySparkException, match="did you mean 'splitBytes'"):
        spark.read.format("kafkalog").option("splitByte", "1").load(str(tmp_path)).count()


def test_a_big_segment_is_read_by_several_tasks(spark: SparkSession, tmp_path: Path) -> None:
    made = batches(40)
    write_segment(tmp_path / "t-0", made)
    write_index(tmp_path / "t-0", made)
    frame = spark.read.format("kafkalog").option("splitBytes", str(len(made[0]) * 10)).load(str(tmp_path))
    assert frame.rdd.getNumPartitions() in (4, 5)
    assert [row.offset for row in frame.select("offset").collect()] == [r.offset for r in records(400)]
