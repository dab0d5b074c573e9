import json
from pathlib import Path

import pytest
from fakekafka import UsageError
from fakekafka_compat.report.spark_verdicts import Disagreement, spark_verdicts

from tests.compat.report.reports import small

STORIES = [told.story for told in small().cells]
SAID = {"as the real broker": "ok", "differs": "differs", "not runnable here": "skipped"}
ROWS = [
    {
        "cell": story.cell.cell,
        "verdict": SAID[story.outcome],
        "records": 3,
        "lost": int(story.outcome == "differs"),
        "moved": 0,
        "first_uid": 1,
        "reason": None,
    }
    for story in STORIES
]


@pytest.mark.parametrize("form", ["list", "lines", "folder", "parquet"])
def test_verdicts_are_read_and_counted(tmp_path: Path, form: str) -> None:
    path = tmp_path / ("rows" if form in ("folder", "parquet") else "verdicts.json")
    if form == "list":
        path.write_text(json.dumps(ROWS), "utf-8")
    elif form == "lines":
        path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    elif form == "folder":
        path.mkdir()
        (path / "part-0.json").write_text("\n".join(map(json.dumps, ROWS)), "utf-8")
    else:
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(ROWS), _made(path) / "part-0.parquet")
    found = spark_verdicts(tmp_path if path.is_dir() else path, STORIES)
    assert found.counts == {"ok": 3, "differs": 2, "skipped": 1}
    assert (found.records, found.faults, found.disagreements) == (18, {"lost": 2, "moved": 0}, [])


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_disagreements_of_the_two_judges_are_listed(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json"
    other = [ROWS[0] | {"verdict": "differs"}, *ROWS[2:], ROWS[0] | {"cell": "kp147/2.3", "verdict": "missing"}]
    path.write_text(json.dumps(other), "utf-8")
    first, second = STORIES[0].cell.cell, STORIES[1].cell.cell
    assert spark_verdicts(path, STORIES).disagreements == [
        Disagreement(first, "as the real broker", "differs"),
        Disagreement(second, "as the real broker", "no verdict"),
    ]


def test_a_file_without_verdicts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    for text in ("", '[{"cell": 1}]'):
        path.write_text(text, "utf-8")
        with pytest.raises(UsageError, match="no verdicts"):
            spark_verdicts(path, STORIES)
    path.write_text("no JSON", "utf-8")
    with pytest.raises(UsageError, match="no verdicts"):
        spark_verdicts(path, STORIES)
