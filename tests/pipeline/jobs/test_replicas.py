"""The comparison of replicas in Spark finds what is found without it."""

from pathlib import Path
from shutil import copytree

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import replicas
from fakekafka_spark.cli import main
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment
from tests.pipeline.soundness.sound_logs import write_log
from tests.support.rows_without_spark import replica_rows


@pytest.fixture
def brokers(tmp_path: Path) -> Path:
    """Two brokers with three partitions: equal, behind, and damaged on the second broker."""
    for number in range(3):
        write_log(tmp_path / "broker-0" / f"t-{number}", "2 lz4")
    write_segment(tmp_path / "broker-0" / "lone-0", batches(1))
    copytree(tmp_path / "broker-0", tmp_path / "broker-1")
    (tmp_path / "broker-1" / "lone-0" / f"{'0' * 20}.log").unlink()
    sorted((tmp_path / "broker-1" / "t-1").glob("*.log"))[-1].write_bytes(b"")
    log = sorted((tmp_path / "broker-1" / "t-2").glob("*.log"))[1]
    log.write_bytes(log.read_bytes()[:-1] + b"?")
    return tmp_path


def test_spark_finds_the_differences_that_are_found_without_it(spark: SparkSession, brokers: Path) -> None:
    found = replicas(spark, brokers, {"splitBytes": "200"})
    expected = [row._asdict() for row in replica_rows(brokers)]
    since = [row.pop("since_ms") for row in expected]
    rows = [row.asDict() for row in found.collect()]
    times = [row.pop("since") for row in rows]
    assert rows == expected
    assert [time is None for time in times] == [ms is None for ms in since]
    verdicts = {(row["topic"], row["partition"], Path(row["directory"]).parent.name): row["verdict"] for row in rows}
    assert verdicts == {
        ("lone", 0, "broker-0"): "only copy",
        ("t", 0, "broker-0"): "equal", ("t", 0, "broker-1"): "equal",
        ("t", 1, "broker-0"): "equal", ("t", 1, "broker-1"): "behind",
        ("t", 2, "broker-0"): "equal", ("t", 2, "broker-1"): "damaged",
    }  # fmt: skip


def test_several_paths_are_compared(spark: SparkSession, brokers: Path) -> None:
    both = [brokers / "broker-0", brokers / "broker-1"]
    assert replicas(spark, both).count() == 7


def test_the_command_ends_with_1_where_copies_differ(
    spark: SparkSession, brokers: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replicas", str(brokers / "broker-0"), str(brokers / "broker-1")]) == 1
    assert "| damaged" in capsys.readouterr().out
    for number in (1, 2):
        for path in (brokers / "broker-1" / f"t-{number}").iterdir():
            path.unlink()
    assert main(["replicas", str(brokers)]) == 0


def test_missing_replicas_are_reported_at_once(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        replicas(spark, tmp_path / "nowhere")
