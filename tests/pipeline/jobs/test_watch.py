"""The unending audit, driven by Spark over logs that grow between its triggers."""

from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka.records import v1
from fakekafka_spark import watch
from fakekafka_spark.cli import main
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, records, write_index, write_segment


def alerts(spark: SparkSession, logs: Path, **options: str) -> list[tuple[int | None, str]]:
    """Offset and kind of each alert of one run, which takes what is there and continues where the last run stopped."""
    told: list[tuple[int | None, str]] = []
    query = (
        watch(spark, logs, options=options)
        .writeStream.option("checkpointLocation", str(logs.parent / "checkpoint"))
        .trigger(availableNow=True)
        .foreachBatch(lambda frame, _: told.extend((row.offset, row.kind) for row in frame.collect()))
        .start()
    )
    query.awaitTermination()
    return sorted(told, key=str)


def test_a_change_is_reported_once_even_after_a_restart(spark: SparkSession, tmp_path: Path) -> None:
    logs, units = tmp_path / "logs", batches(4)
    write_segment(logs / "t-0", units)
    assert alerts(spark, logs) == []
    damaged = bytearray(batches(1, start=50)[0])
    damaged[-5] ^= 1
    units += [*batches(1, start=40, codec=4), bytes(damaged), v1.build(records(1, 60)), *batches(1, start=61)]
    write_segment(logs / "t-0", units)
    assert alerts(spark, logs, maxOffsetsPerTrigger="4") == [(49, "codec"), (59, "damage"), (60, "format")]
    write_segment(logs / "t-0", [*units, *batches(1, start=71, codec=4)])
    assert alerts(spark, logs) == []


def test_bytes_that_are_not_a_batch_are_reported_by_only_one_trigger(spark: SparkSession, tmp_path: Path) -> None:
    logs, units = tmp_path / "logs", batches(6)
    write_segment(logs / "t-0", [*units[:2], b"\xa5" * len(units[2]), *units[3:]])
    write_index(logs / "t-0", units)
    assert alerts(spark, logs, maxOffsetsPerTrigger="10") == [(None, "damage")]


def test_a_path_that_cannot_be_watched_is_reported_at_once(spark: SparkSession, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        watch(spark, tmp_path / "nowhere")


def test_the_command_prints_alerts_and_ends_with_1(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = tmp_path / "logs"
    write_segment(logs / "t-0", batches(2))
    command = ["watch", str(logs), "--once", "--checkpoint", str(tmp_path / "kept")]
    assert main(command) == 0
    assert capsys.readouterr().out == ""
    write_segment(logs / "t-0", [*batches(2), *batches(1, codec=1, start=20)])
    assert main(command) == 1
    assert capsys.readouterr().out == "t-0 at 29: codec is gzip, was none\n"
