"""The demonstration as a program: what the options choose, what it prints, how it ends."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from demo import demo
from demo.cells import CLIENTS, CODECS, Cell, Result
from demo.demo import as_live_table, chosen, main, row

GOOD = Result(
    Cell("2.3", "kafka-python", "gzip"), 5, 5, {"Produce": [7], "Fetch": [11], "OffsetCommit": [7]}, (2,), 120
)


@pytest.fixture
def results(monkeypatch: pytest.MonkeyPatch) -> list[Result]:
    """The results of the cells in place of a run: one after the other, again and again."""
    planned = [GOOD]

    def run(cell: Cell, count: int) -> Result:
        planned.append(planned.pop(0))
        return planned[-1]._replace(cell=cell, acked=count)

    monkeypatch.setattr(demo, "run", run)
    return planned


def test_the_demonstration_is_ten_releases_with_two_clients() -> None:
    cells = chosen(None, None, None)
    assert [(cell.release, cell.client) for cell in cells] == [(r, client) for r in CODECS for client in CLIENTS]


def test_options_choose_cells() -> None:
    assert chosen(["2.3", "3.6"], ["kafka-python"], None) == [
        Cell("2.3", "kafka-python", "zstd"),
        Cell("3.6", "kafka-python", "gzip"),
    ]
    assert [c.codec for c in chosen(["1.1"], None, "lz4")] == ["lz4", "lz4"]
    assert [c.codec for c in chosen(["1.1"], ["kafka-python"], "every")] == ["none", "gzip", "snappy", "lz4", "zstd"]


@pytest.mark.usefixtures("results")
def test_a_pipe_gets_plain_lines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--release", "2.3", "--client", "kafka-python", "--records", "5"]) == 0
    heading, line, last = capsys.readouterr().out.splitlines()
    assert heading.split()[3:] == ["acked", "read", "Produce", "Fetch", "Commit", "magic", "ms"]
    assert line.split() == ["2.3", "kafka-python", "zstd", "5", "5", "7", "11", "7", "2", "120", "ok"]
    assert last.startswith("1 of 1 cells as a real broker, in ")


@pytest.mark.usefixtures("results")
def test_the_json_output_is_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "--release", "2.3", "--client", "kafka-python", "--records", "5"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["release"], found["acked"], found["versions"]["Fetch"], found["faults"]) == ("2.3", 5, [11], [])


@pytest.mark.usefixtures("results")
def test_the_live_table_ends_with_every_cell(capsys: pytest.CaptureFixture[str]) -> None:
    as_live_table(chosen(["2.3"], None, None), 5)
    lines = capsys.readouterr().out.splitlines()
    assert sum("ok" in line.split() for line in lines) == 2


def test_any_wrong_cell_makes_the_exit_status_1(results: list[Result], capsys: pytest.CaptureFixture[str]) -> None:
    results.append(GOOD._replace(faults=("1 read twice", "magic (1,) in the log, not 2")))
    assert main(["--release", "2.3", "--plain"]) == 1
    out = capsys.readouterr().out
    assert "WRONG: 1 read twice; magic (1,) in the log, not 2" in out
    assert "1 of 2 cells as a real broker, 1 WRONG, in " in out
    assert main(["--release", "2.3", "--json"]) == 1


def test_a_refusal_of_the_client_is_not_a_fault(results: list[Result], capsys: pytest.CaptureFixture[str]) -> None:
    results[0] = GOOD._replace(refusal="ValueError: no zstd (the release does not have the codec)")
    assert main(["--release", "2.3", "--client", "kafka-python"]) == 0
    out = capsys.readouterr().out
    assert "refused: ValueError: no zstd" in out
    assert "0 of 1 cells as a real broker, 1 refused by the client itself, in " in out


def test_an_unknown_release_is_named_and_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--release", "1.7"]) == 2
    assert "there is no Kafka release '1.7'" in capsys.readouterr().err


def test_a_cell_is_a_row_of_texts() -> None:
    assert row(GOOD) == ("2.3", "kafka-python", "gzip", "5", "5", "7", "11", "7", "2", "120", "ok")


def test_the_demo_runs_as_a_script_from_anywhere(tmp_path: Path) -> None:
    script = str(Path(demo.__file__))
    done = subprocess.run(
        [sys.executable, script, "--help"], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True
    )
    assert "--records" in done.stdout
