"""The second part of the demonstration: the matrix, Spark's verdicts on it, and the page."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafkaError
from fakekafka_compat.verdict import Verdict
from fakekafka_spark.observations import Cell

from demo import demo, matrix
from demo.cells import Result
from demo.matrix import FAULTS, Played, play, show, spark_says, summed

CELL = Cell.of("ck2161", "2.3", "", "", "none", "roundtrip")
FINE = {"client": "ck2161", "release": "2.3", "verdict": "ok", "records": 16} | {
    name: 0 for names in FAULTS.values() for name in names
}
LINE = ("ck2161", "2.3", "1", "1", "0", "0", "16", "0", "0", "0", "0", "0")


def row(**others: Any) -> dict[str, object]:
    return FINE | others


def test_rows_are_summed_by_client_and_release_oldest_first() -> None:
    rows = [
        row(),
        row(release="0.10.2"),
        row(verdict="differs", lost=2, not_stored=1, records=4),
        row(client="aio0140"),
    ]
    assert summed(rows) == [
        ("aio0140", *LINE[1:]),
        ("ck2161", "0.10.2", *LINE[2:]),
        ("ck2161", "2.3", "2", "1", "0", "1", "20", "3", "0", "0", "0", "0"),
    ]
    assert summed([row(verdict="skipped", records=0)])[0][2:7] == ("1", "0", "1", "0", "0")


def test_the_demo_succeeds_only_if_neither_judge_finds_a_difference(tmp_path: Path) -> None:
    fine, differs = Verdict(CELL, "as the real broker", []), Verdict(CELL, "differs", ["record 0 is not consumed"])
    assert Played([fine], [row(), row(verdict="skipped")], tmp_path).is_well
    assert not Played([differs], [row()], tmp_path).is_well
    assert not Played([fine], [row(verdict="failed")], tmp_path).is_well


def test_the_table_ends_with_both_judgements_and_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    verdicts = [Verdict(CELL, "as the real broker", [])]
    show(Played(verdicts, [row(), row(verdict="differs")], Path("report.html")))
    title, headings, line, ends, page = capsys.readouterr().out.splitlines()
    assert title == "Spark's verdicts of the compatibility matrix"
    assert headings.split() == list(matrix.COLUMNS)
    assert line.split() == ["ck2161", "2.3", "2", "1", "0", "1", "32", "0", "0", "0", "0", "0"]
    assert ends == "1 of 2 cells ok to Spark, 1 as a real broker to the matrix tool"
    assert page == "the story of each cell: report.html"


def test_the_demonstration_continues_with_the_matrix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = [Verdict(CELL, "as the real broker", [])]
    rows = [row()]
    monkeypatch.setattr(matrix, "play", lambda folder: Played(outcomes, rows, folder / "report.html"))
    monkeypatch.setattr(demo, "run", lambda cell, count: Result(cell))
    arguments = ["--release", "2.3", "--matrix", str(tmp_path)]
    assert demo.main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("all of it in ")
    rows[0] = row(verdict="differs")
    assert demo.main(arguments) == 1

    def fails(folder: Path) -> Played:
        raise FakeKafkaError("no verdicts from Spark: no Java")

    monkeypatch.setattr(matrix, "play", fails)
    assert demo.main(arguments) == 1
    assert capsys.readouterr().err == "demo: no verdicts from Spark: no Java\n"


def test_make_demo_shows_both_parts() -> None:
    makefile = (Path(demo.__file__).parent.parent / "Makefile").read_text("utf-8")
    assert "\n\t$(BIN)/python demo/demo.py --matrix build/demo\n" in makefile


def test_a_spark_that_does_not_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run(command: list[str], **how: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", "a long story\nthere is no Java\n")

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(FakeKafkaError, match="no verdicts from Spark: there is no Java"):
        spark_says(tmp_path, tmp_path / "verdicts")


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pyspark") is None, reason="pyspark is not installed")
def test_a_client_runs_and_spark_judges_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    phase = "0.10.2 -> 2.3: new code, old format"
    chosen = [CELL, CELL._replace(cell=f"ck2161/2.3/-/{phase}/none/roundtrip", phase=phase)]
    before = set(sys.modules)
    played = play(tmp_path / "folder", chosen)
    assert played.is_well, [each.reasons for each in played.verdicts]
    assert [row["verdict"] for row in played.rows] == ["ok", "ok"]
    assert "Spark and this tool agree on every cell." in played.page.read_text("utf-8")
    show(played)
    assert "2 of 2 cells ok to Spark, 2 as a real broker" in capsys.readouterr().out
    assert "pyspark" not in set(sys.modules) - before, "it runs in a process of its own"
