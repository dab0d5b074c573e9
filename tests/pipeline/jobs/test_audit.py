"""The audit in Spark: its rows. What it finds is held against `fakekafka check` in `tests/pipeline/soundness`."""

from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka.records import v2
from fakekafka_spark import audit
from fakekafka_spark.jobs.audit import text
from pyspark.sql import Row, SparkSession

from tests.pipeline.logs import batches, recorded, write_segment
from tests.pipeline.soundness.sound_logs import write_log
from tests.pipeline.soundness.test_audit_equals_check import repaired
from tests.pipeline.transactions import write_transactions
from tests.support.rows_without_spark import audit_rows


def only_row(spark: SparkSession, path: Path) -> Row:
    (row,) = audit(spark, path).collect()
    return row


def test_logs_of_a_real_broker_have_no_faults(spark: SparkSession, tmp_path: Path) -> None:
    recorded("4.3.1", tmp_path)
    rows = audit(spark, tmp_path).collect()
    assert len(rows) > 10
    assert {kind for row in rows for kind in row.kinds} == {"leftover .deleted"}


def test_bytes_that_old_clients_would_have_converted_are_counted(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [*batches(2), *batches(1, codec=4, start=20)])
    row = only_row(spark, tmp_path)
    assert (row.formats, row.codecs, row.units, row.records) == ([2], ["none", "zstd"], 3, 30)
    assert row.bytes_converted_below_fetch_4 == row.bytes_converted_below_fetch_2 == row.bytes
    assert 0 < row.bytes_refused_below_fetch_10 < row.bytes


def test_younger_batches_before_older_ones_are_reported_but_are_not_a_fault(
    spark: SparkSession, tmp_path: Path
) -> None:
    late, early = batches(2)
    moved = (10).to_bytes(8, "big") + late[8:]
    write_segment(tmp_path / "t-0", [(0).to_bytes(8, "big") + early[8:], moved])
    row = only_row(spark, tmp_path)
    assert (row.timestamp_disorder, row.faults) == (1, 0)


def test_spark_finds_what_is_found_without_it(spark: SparkSession, tmp_path: Path) -> None:
    """Every segment has a row, even an empty one, and every other fault has one as well."""
    write_log(tmp_path / "a-0", "1 snappy")
    write_transactions(tmp_path / "tx-0", rounds=2)
    sorted((tmp_path / "a-0").glob("*.log"))[1].write_bytes(b"")
    next((tmp_path / "tx-0").glob("*.txnindex")).unlink()
    next((tmp_path / "tx-0").glob("*.snapshot")).write_bytes(b"x")
    (tmp_path / "recovery-point-offset-checkpoint").write_text("0\n7\n", "utf-8")
    found = {
        (row.topic, row.segment): (row.faults, row.findings, row.units)
        for row in audit(spark, tmp_path, {"splitBytes": "200"}).collect()
    }
    expected = {
        (row.topic, row.segment): (len(row.findings), [text(one) for one in row.findings], row.contents.units)
        for row in audit_rows(tmp_path)
    }
    assert found == expected
    assert {("a", 9), ("tx", None), (None, None)} <= found.keys()


def test_an_audit_leaves_nothing_cached(spark: SparkSession, tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(2))
    kept = spark.sparkContext._jsc.sc().getPersistentRDDs().size()
    assert only_row(spark, tmp_path).units == 2
    assert spark.sparkContext._jsc.sc().getPersistentRDDs().size() == kept
    frame = audit(spark, tmp_path)
    write_segment(tmp_path / "t-0", batches(3))
    assert only_row(spark, tmp_path).units == 3
    assert frame.collect()[0].units == 3


def test_records_are_counted_whatever_a_header_claims(spark: SparkSession, tmp_path: Path) -> None:
    """A header claims five million, under a right checksum."""
    unit = bytearray(batches(1)[0])
    unit[v2.HEADER_BYTES - 4 : v2.HEADER_BYTES] = (5_000_000).to_bytes(4, "big")
    write_segment(tmp_path / "t-0", [repaired(unit)])
    row = only_row(spark, tmp_path)
    assert (row.units, row.kinds) == (1, ["records"])
    assert row.records <= 10


@pytest.mark.parametrize("place", ["nowhere", ""])
def test_what_cannot_be_audited_is_reported_at_once(spark: SparkSession, tmp_path: Path, place: str) -> None:
    with pytest.raises(UsageError, match=r"does not exist|holds no partition"):
        audit(spark, tmp_path / place)
