from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka.records import v0, v1, v2
from fakekafka_spark import census
from pyspark.sql import SparkSession

from tests.pipeline.logs import records, write_segment


def test_formats_and_codecs_are_counted_by_day(spark: SparkSession, tmp_path: Path) -> None:
    """The first two batches fall on 13 September 2020, the last one ten days later."""
    much_later = [row._replace(timestamp=row.timestamp + 864_000_000) for row in records(5, start=20)]
    units = [v1.build(records(3), codec=1), v2.build(records(5, start=10)), v2.build(much_later)]
    write_segment(tmp_path / "t-0", units)
    rows = census(spark, tmp_path).collect()
    assert [(str(row.day)[:10], row.format, row.codec, row.batches, row.records, row.bytes) for row in rows] == [
        ("2020-09-13", 1, "gzip", 1, 3, len(units[0])),
        ("2020-09-13", 2, "none", 1, 5, len(units[1])),
        ("2020-09-23", 2, "none", 1, 5, len(units[2])),
    ]


def test_messages_without_timestamps_have_no_day(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [v0.build([row._replace(timestamp=-1, timestamp_type=-1) for row in records(4)])])
    (row,) = census(spark, tmp_path, every="month").collect()
    assert (row.month, row.batches, row.records) == (None, 4, 4)


def test_an_unknown_span_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="every is one of hour, day"):
        census(spark, tmp_path, every="fortnight")
