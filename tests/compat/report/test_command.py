import json
import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fakekafka_compat.cli import main
from fakekafka_spark.observations import Cell, write

from tests.compat.report.observed import differing, zero_copy

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a run wrote."""
    into = tmp_path / "observations"
    into.mkdir()
    for release, rows in (("2.3", zero_copy()), ("4.3", differing())):
        path = write(into, Cell.of("ck2161", release, "", "", "none", "group"), rows)
        os.utime(path, (0, 0))
    return into


def test_each_form_of_the_report_is_written_to_the_place_given(folder: Path, tmp_path: Path) -> None:
    page, text, xml = (tmp_path / name for name in ("page.html", "summary.md", "junit.xml"))
    assert main(["report", str(folder), "--into", str(page), "--markdown", str(text), "--junit", str(xml)]) == 0
    assert "<h1>1 client against 2 releases</h1>" in page.read_text("utf-8")
    assert "2 cells, run on 1 January 1970: 1 as the real broker, 1 differs." in text.read_text("utf-8")
    assert ElementTree.parse(xml).getroot().get("failures") == "1"


def test_the_page_lies_beside_the_observations_if_nothing_is_asked_for(folder: Path) -> None:
    assert main(["report", str(folder), "--title", "Ours & theirs", "--date", "today"]) == 0
    assert "<title>Ours &amp; theirs: 2 cells, today</title>" in (folder / "report.html").read_text("utf-8")
    before = (folder / "report.html").read_bytes()
    assert main(["report", str(folder), "--title", "Ours & theirs", "--date", "today"]) == 0
    assert (folder / "report.html").read_bytes() == before


def test_verdicts_of_spark_are_put_beside_those_of_the_matrix(folder: Path, tmp_path: Path) -> None:
    names = [f"ck2161/{release}/-/-/none/group" for release in ("2.3", "4.3")]
    verdicts = tmp_path / "verdicts.json"
    verdicts.write_text(
        json.dumps([{"cell": name, "verdict": "ok", "records": 3, "lost": 0} for name in names]), "utf-8"
    )
    assert main(["report", str(folder), "--verdicts", str(verdicts)]) == 0
    assert "disagree on 1 cell." in (folder / "report.html").read_text("utf-8")


def test_findings_beside_a_users_own_table_are_known(folder: Path, tmp_path: Path) -> None:
    table = tmp_path / "cells.toml"
    table.write_text("releases = []\nscenarios = []\n[clients]\n", "utf-8")
    (tmp_path / "FINDINGS.md").write_text("- `ck2161/4.3/*`: it forgets\n", "utf-8")
    xml = tmp_path / "junit.xml"
    assert main(["report", str(folder), "--junit", str(xml), "--cells", str(table)]) == 0
    (skipped,) = ElementTree.parse(xml).getroot().iter("skipped")
    assert skipped.get("message") == "known: it forgets"


@pytest.mark.parametrize("command", ["run", "report"])
def test_options_that_the_readmes_show_are_taken(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command, "--help"])
    help_text = capsys.readouterr().out
    texts = [(ROOT / name).read_text("utf-8") for name in ("README.md", "compat/README.md")]
    shown = [
        line for text in texts for line in re.findall(rf"^    fakekafka-compat {command} (.*)$", text, re.MULTILINE)
    ]
    assert len(shown) >= 3
    assert [option for line in shown for option in re.findall(r"--[a-z-]+", line) if option not in help_text] == []


def test_a_report_that_cannot_be_made_is_an_error_of_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith(f"fakekafka-compat: {tmp_path} has no observations: ")
