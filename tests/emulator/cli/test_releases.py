"""`fakekafka releases`: the table of releases."""

import json
import re
import sys

import pytest
from fakekafka.cli import main
from fakekafka.releases.release import LAST_PATCH


def test_releases_lists_every_line_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["releases"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == list(LAST_PATCH)
    assert rows[list(LAST_PATCH).index("2.3")].split() == ["2.3", "2.3.0", "-", "2.3.1", "zk", "0-7", "0-11", "v2"]
    assert head.index("Fetch") == rows[0].index("0-0", rows[0].index("0-0") + 1)


def test_releases_are_printed_as_json_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["releases", "--json"]) == 0
    rows = {row["release"]: row for row in json.loads(capsys.readouterr().out)}
    assert list(rows) == list(LAST_PATCH)
    assert rows["4.0"]["fetch"] == [4, 17]
    assert rows["2.8"]["modes"] == ["zk", "kraft"]


def test_releases_on_a_terminal_is_a_table_of_rich(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("rich")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "200")
    assert main(["releases"]) == 0
    assert re.search(r"^│ 2\.3 +│ 2\.3\.0 - 2\.3\.1 +│", capsys.readouterr().out, re.MULTILINE)


def test_releases_without_rich_is_plain(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setitem(sys.modules, "rich.table", None)
    assert main(["releases"]) == 0
    assert capsys.readouterr().out.startswith("release  patches")
