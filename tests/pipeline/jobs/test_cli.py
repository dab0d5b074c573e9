"""The command line, run in this process on the session of the tests."""

from collections.abc import Callable
from pathlib import Path
from shutil import rmtree

import pytest
from fakekafka.cli import main as emulators_main
from fakekafka_spark import columns
from fakekafka_spark.cli import main
from fakekafka_spark.observations import Cell, Observation, write
from pyspark.sql import SparkSession

from tests.pipeline.logs import batches, write_segment
from tests.pipeline.soundness.sound_logs import write_log

pytestmark = pytest.mark.usefixtures("spark")


def test_an_audit_of_sound_logs_succeeds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_log(tmp_path / "logs" / "t-0", "2 zstd")
    assert main(["audit", str(tmp_path / "logs"), "--out", str(tmp_path / "out")]) == 0
    printed = capsys.readouterr().out
    assert "| topic" in printed
    assert (tmp_path / "out" / "report.md").read_text("utf-8") in printed
    assert list((tmp_path / "out" / "rows").glob("*.parquet"))


def test_an_audit_of_damaged_logs_ends_with_1(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [batches(1)[0][:-1] + b"?"])
    assert main(["audit", str(tmp_path)]) == 1


def test_logs_are_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_segment(tmp_path / "logs" / "t-0", batches(3))
    made = tmp_path / "made"
    assert main(["convert", str(tmp_path / "logs"), str(made), "--release", "0.9.0", "--codec", "gzip"]) == 0
    assert "timestamps_lost" in capsys.readouterr().out
    assert columns.table(made).num_rows == 30


def test_a_census_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_segment(tmp_path / "t-0", batches(3))
    assert main(["census", str(tmp_path), "--every", "year"]) == 0
    assert "2020-01-01" in capsys.readouterr().out


@pytest.mark.parametrize(("outcome", "status"), [("ran", 0), ("skipped", 0), ("failed", 1)])
def test_the_matrix_is_judged(tmp_path: Path, outcome: str, status: int) -> None:
    write(tmp_path, Cell.of("kp", "2.3", "", "", "none", "one"), [Observation("cell", value=outcome, amount=0)])
    assert main(["verdicts", str(tmp_path)]) == status


COMMANDS = {"audit": [], "census": [], "verdicts": [], "replicas": [], "watch": ["--once"], "convert": ["made"]}
"""The commands, with what they need besides a path."""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_missing_path_is_reported_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, str(tmp_path / "nowhere"), *COMMANDS[command]]) == 2
    said, errors = capsys.readouterr()
    assert said == ""
    assert len(errors.splitlines()) == 1
    assert "nowhere" in errors


@pytest.mark.parametrize("command", COMMANDS)
def test_a_directory_without_anything_is_not_an_empty_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    assert main([command, str(tmp_path), *COMMANDS[command]]) == 2
    assert f"{tmp_path} holds no " in capsys.readouterr().err


@pytest.mark.parametrize(("damage", "status"), [
    (lambda log: None, 0),
    (lambda log: log.write_bytes(b""), 1),
    (lambda log: log.unlink(), 1),
    (lambda log: log.write_bytes(log.read_bytes()[:-1]), 1),
    (lambda log: rmtree(log.parents[1]), 2),
    (lambda log: [path.unlink() for path in log.parent.iterdir()], 2),
])  # fmt: skip
def test_the_audit_ends_as_the_check_does(tmp_path: Path, damage: Callable[[Path], object], status: int) -> None:
    write_log(tmp_path / "logs" / "t-0", "2 lz4")
    damage(sorted((tmp_path / "logs" / "t-0").glob("*.log"))[1])
    assert main(["audit", str(tmp_path / "logs")]) == emulators_main(["check", str(tmp_path / "logs")]) == status


@pytest.mark.parametrize("call", [["audit"], ["inspect", "logs"], ["convert", "logs", "made", "--format", "3"]])
def test_an_impossible_command_line_ends_with_2(capsys: pytest.CaptureFixture[str], call: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(call)
    assert ended.value.code == 2
    assert "usage: fakekafka-spark" in capsys.readouterr().err


def test_a_log_that_cannot_be_read_is_reported_with_file_and_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unit, other = batches(2)
    log = write_segment(tmp_path / "logs" / "t-0", [unit, other[:-3] + b"?" + other[-2:]])
    assert main(["convert", str(tmp_path / "logs"), str(tmp_path / "made")]) == 2
    said = capsys.readouterr().err
    assert said == f"{log}: the unit at {len(unit)}: the checksum is wrong\n"


def test_a_wrong_call_says_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str], spark: SparkSession) -> None:
    assert main(["convert", str(tmp_path), str(tmp_path / "made"), "--release", "0.9.0", "--format", "2"]) == 2
    assert "has no message format '2'" in capsys.readouterr().err
