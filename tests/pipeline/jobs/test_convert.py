"""Conversions keep every record, count what they lose, and make logs that are sound."""

from pathlib import Path
from random import Random

import pytest
from fakekafka.errors import UsageError
from fakekafka.inspection.directory_check import check_directory
from fakekafka.log import names
from fakekafka.log.checkpoints import Checkpoints
from fakekafka.log.config import LogConfig
from fakekafka.log.files import DiskDirectory
from fakekafka.log.partition_log import PartitionLog
from fakekafka_spark import columns, convert
from fakekafka_spark.jobs.convert import COUNTED
from fakekafka_spark.wanted import DamagedLog
from pyspark.sql import SparkSession

from tests.emulator.log.batches import rules
from tests.pipeline.logs import batches, recorded, records, write_segment
from tests.pipeline.random_logs import Account, Written, write_random
from tests.pipeline.soundness.sound_logs import write_log
from tests.pipeline.transactions import write_transactions


def contents(path: Path, *names: str, **how: str) -> list[tuple[object, ...]]:
    table = columns.table(path, columns=["topic", "partition", "offset", *names], **how)
    return sorted(tuple(row.values()) for row in table.to_pylist())


@pytest.mark.parametrize(("release", "magic"), [("0.9.0", 0), ("3.9", 2)])
def test_a_real_log_is_converted_and_what_is_lost_is_reported(
    spark: SparkSession, tmp_path: Path, release: str, magic: int
) -> None:
    recorded("2.3.1", tmp_path / "real")
    losses = convert(spark, tmp_path / "real", tmp_path / "made", release=release, codec="gzip").collect()
    made = tmp_path / "made"
    assert contents(made, "key", "value") == contents(tmp_path / "real", "key", "value", isolation="read_committed")
    assert list(check_directory(made)) == []
    assert set(columns.table(made, "batches", columns="magic")["magic"].to_pylist()) == {magic}
    assert sum(row.records for row in losses) == len(contents(made))
    assert ends(made) == ends(tmp_path / "real")
    by_topic = {row.topic: row for row in losses}
    assert by_topic["tx"].control_lost == 3
    assert by_topic["tx"].producers_lost == by_topic["tx"].records
    assert by_topic["tx"].records_in == by_topic["tx"].records + by_topic["tx"].aborted_left_out + (
        by_topic["tx"].undecided_left_out
    )
    assert (by_topic["plain2"].headers_lost > 0) is (magic < 2)
    assert (by_topic["plain2"].timestamps_lost > 0) is (magic == 0)
    assert (by_topic["plain0"].timestamps_missing > 0) is (magic > 0)


def ends(path: Path) -> dict[str, tuple[int, int]]:
    """Where the logs of a directory begin and end for a broker that starts on them."""
    found = {}
    starts = Checkpoints(DiskDirectory(path)).offsets(names.LOG_STARTS)
    for folder in sorted(folder for folder in path.iterdir() if names.partition_of(folder.name)):
        log = PartitionLog.open(DiskDirectory(folder), rules("2.3"), LogConfig(), 0)
        first = starts.get(names.partition_of(folder.name) or ("", 0), 0)
        found[folder.name] = max(log.log_start_offset, first), log.log_end_offset
    return found


@pytest.mark.parametrize("isolation", ["read_committed", "read_uncommitted"])
def test_the_report_adds_up_and_logs_begin_and_end_where_they_did(
    spark: SparkSession, tmp_path: Path, isolation: str
) -> None:
    """Transactions of several lengths, open ones, an empty partition, a log that was cut at its beginning."""
    chance, source, made = Random(isolation), tmp_path / "real", tmp_path / "made"
    for number in range(3):
        write_transactions(source / f"tx-{number}", rounds=chance.randrange(1, 4), open_at_end=number != 1)
    write_log(source / "t-0", "1 plain")
    write_segment(source / "empty-0", [], base=42)
    (source / names.LOG_STARTS).write_text("0\n1\nt 0 4\n", "utf-8")
    before = ends(source)
    losses = convert(spark, source, made, release="2.3", isolation=isolation).collect()
    assert contents(made) == contents(source, isolation=isolation)
    assert ends(made) == before
    assert before["t-0"] == (4, 27)
    assert {f"{row.topic}-{row.partition}": (row.log_start_offset, row.log_end_offset) for row in losses} == before
    for row in losses:
        written = [one for one in contents(made) if one[:2] == (row.topic, row.partition)]
        assert row.records == len(written)
        assert row.records_in == row.records + row.aborted_left_out + row.undecided_left_out
    revived = sum(row.aborted_revived for row in losses)
    assert (revived > 0) is (isolation == "read_uncommitted")
    assert list(check_directory(made)) == []


@pytest.mark.parametrize(("release", "isolation"), [
    ("2.3", "read_committed"), ("0.10.2", "read_committed"), ("0.9.0", "read_committed"), ("2.3", "read_uncommitted"),
    ("0.9.0", "read_uncommitted"),
])  # fmt: skip
def test_the_report_agrees_with_the_account_of_random_logs(
    spark: SparkSession, tmp_path: Path, release: str, isolation: str
) -> None:
    """Nothing is counted by the code that is tested."""
    source, chance = tmp_path / "source", Random(release)
    accounts = [write_random(source / f"t-{number}", chance) for number in range(8)]
    assert sum(one.aborted() for one in accounts) > 5
    assert sum(one.undecided() for one in accounts) > 5
    rows = convert(spark, source, tmp_path / "made", release=release, isolation=isolation).collect()
    found = {row.partition: {name: row[name] for name in COUNTED} for row in rows}
    assert found == {number: expected(one, release, isolation) for number, one in enumerate(accounts)}
    for counts in found.values():
        assert counts["records_in"] == counts["records"] + counts["aborted_left_out"] + counts["undecided_left_out"]
    kept = columns.table(tmp_path / "made", columns=["partition", "offset"]).to_pylist()
    assert sorted((row["partition"], row["offset"]) for row in kept) == [
        (number, one.offset) for number, account in enumerate(accounts) for one in written(account, isolation)
    ]
    assert list(check_directory(tmp_path / "made")) == []


def written(account: Account, isolation: str) -> list[Written]:
    return account.kept() if isolation == "read_committed" else account.records


def expected(account: Account, release: str, isolation: str) -> dict[str, int]:
    """The report of a log's conversion."""
    kept, magic = written(account, isolation), {"0.9.0": 0, "0.10.2": 1, "2.3": 2}[release]
    fate = "left_out" if isolation == "read_committed" else "revived"
    return dict.fromkeys(COUNTED, 0) | {
        "records_in": len(account.records),
        "records": len(kept),
        f"aborted_{fate}": account.aborted(),
        f"undecided_{fate}": account.undecided(),
        "headers_lost": sum(one.has_headers for one in kept) if magic < 2 else 0,
        "timestamps_lost": sum(one.has_timestamp for one in kept) if magic == 0 else 0,
        "timestamps_missing": sum(not one.has_timestamp for one in kept) if magic else 0,
        "control_lost": account.markers,
        "producers_lost": sum(one.has_producer for one in kept),
        "log_end_offset": account.end,
    }


def test_no_transaction_index_is_needed_to_leave_out_what_was_aborted(spark: SparkSession, tmp_path: Path) -> None:
    kept = write_transactions(tmp_path / "logs" / "tx-0")
    indexes = list(tmp_path.rglob(f"*{names.TXN_INDEX}"))
    indexes.pop().write_bytes(b"")
    for index in indexes:
        index.unlink()
    (row,) = convert(spark, tmp_path / "logs", tmp_path / "made").collect()
    assert [offset for _, _, offset in contents(tmp_path / "made")] == kept
    assert (row.records, row.aborted_left_out) == (len(kept), 24)


def test_a_log_that_cannot_be_read_is_reported_in_one_line_and_leaves_nothing(
    spark: SparkSession, tmp_path: Path
) -> None:
    unit, other = batches(2)
    write_segment(tmp_path / "logs" / "t-0", [unit, other[:-3] + b"?" + other[-2:]])
    with pytest.raises(DamagedLog) as refused:
        convert(spark, tmp_path / "logs", tmp_path / "made")
    (line,) = str(refused.value).splitlines()
    assert line.endswith(f".log: the unit at {len(unit)}: the checksum is wrong")
    assert not (tmp_path / "made").exists()


def test_a_conversion_to_another_format_and_back_keeps_the_records(spark: SparkSession, tmp_path: Path) -> None:
    rows = [row for row in records(200) if row.offset % 7]
    from fakekafka.records import v2

    write_segment(tmp_path / "first" / "t-0", [v2.build(rows[:100]), v2.build(rows[100:])])
    convert(spark, tmp_path / "first", tmp_path / "old", release="0.10.2", codec="snappy")
    convert(spark, tmp_path / "old", tmp_path / "new", release="4.3", codec="zstd")
    names = ("key", "value", "timestamp_ms", "timestampType")
    assert contents(tmp_path / "new", *names) == contents(tmp_path / "first", *names)


def test_an_impossible_conversion_is_refused_before_anything_is_read(spark: SparkSession, tmp_path: Path) -> None:
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
