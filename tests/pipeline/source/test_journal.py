"""A commit that was begun is finished, wherever the driver has died; nothing is seen of one that was not."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files.layout import UNCOMMITTED
from fakekafka_spark.source import journal

from tests.pipeline.source.rows import attempted, some, write, writer

DIES = """
import os, pathlib, sys
from tests.pipeline.source.rows import attempted
one, message = attempted(pathlib.Path(sys.argv[1]), b"new", partitions=3)
renames, rename = 0, pathlib.Path.rename
def counted(self, target):
    global renames
    if renames == int(sys.argv[2]):
        os._exit(9)
    renames += 1
    return rename(self, target)
pathlib.Path.rename = counted
one.commit([message])
"""
"""A driver that dies before a rename of its commit, with what other attempts have left beside what is committed."""


def values(path: Path) -> dict[int, set[bytes]]:
    rows = columns.table(path, columns="partition,value").to_pylist()
    return {row["partition"]: {r["value"] for r in rows if r["partition"] == row["partition"]} for row in rows}


def die(path: Path, at: int) -> bool:
    said = subprocess.run([sys.executable, "-c", DIES, str(path), str(at)], cwd=Path(__file__).parents[3], check=False)
    return said.returncode == 9


def test_a_commit_is_finished_after_the_driver_died_at_any_rename(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Two old partitions out of the way, three new ones to their places; then the temporary directory goes."""
    old, new = {p: {b"old"} for p in range(2)}, {p: {b"new"} for p in range(3)}
    at = 0
    while True:
        path = tmp_path / str(at)
        write(path, b"old")
        if not die(path, at):
            break
        begun = bool(list(path.glob(f"{UNCOMMITTED}/*/{journal.JOURNAL}")))
        with caplog.at_level(logging.WARNING):
            said = journal.finish_others(path)
        assert values(path) == (new if begun or at > 5 else old), at
        assert not begun or "was interrupted" in said[0]
        assert not begun or not list(path.glob(f"{UNCOMMITTED}/*"))
        at += 1
    assert at == 7
    assert values(path) == new


def test_the_next_write_finishes_the_one_before(tmp_path: Path) -> None:
    write(tmp_path, b"old")
    assert die(tmp_path, 3)
    one = writer(tmp_path)
    assert values(tmp_path) == {p: {b"new"} for p in range(3)}
    one.commit([one.write(iter([some(b"newest", 1)]))])
    assert values(tmp_path) == {0: {b"newest"}}
    assert [path.name for path in tmp_path.iterdir()] == ["t-0"]


def test_nobody_finishes_what_is_being_committed(tmp_path: Path) -> None:
    import fcntl

    write(tmp_path, b"old")
    assert die(tmp_path, 3)
    (path,) = tmp_path.glob(f"{UNCOMMITTED}/*/{journal.JOURNAL}")
    with path.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="another job is committing"):
            writer(tmp_path)


@pytest.mark.parametrize("outside", ["../stolen", "t-0/../../stolen", "/tmp/stolen"])
def test_a_journal_that_names_what_lies_outside_is_refused(tmp_path: Path, outside: str) -> None:
    target = tmp_path / "target"
    write(target, b"old")
    run = target / UNCOMMITTED / "run"
    run.mkdir(parents=True)
    (run / journal.JOURNAL).write_text(json.dumps([["t-0", outside]]), "utf-8")
    with pytest.raises(UsageError, match="lies outside"):
        writer(target)
    assert values(target) == {p: {b"old"} for p in range(2)}


def test_a_move_that_fails_undoes_all_moves(tmp_path: Path) -> None:
    write(tmp_path, b"old")
    one = writer(tmp_path)
    message = one.write(iter([some(b"new", 3)]))
    message.partitions[2].folder.rename(tmp_path.parent / "stolen")
    with pytest.raises(OSError, match="t-2"):
        one.commit([message])
    assert values(tmp_path) == {p: {b"old"} for p in range(2)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t-0", "t-1"]


def test_of_several_attempts_of_a_task_only_the_one_that_counts_is_kept(tmp_path: Path) -> None:
    one, message = attempted(tmp_path, b"counts")
    assert {path.name for path in one.run.iterdir()} == {"0-1", "0-2", "0-3"}
    one.commit([message])
    assert values(tmp_path) == {p: {b"counts"} for p in range(2)}
    assert sorted(os.listdir(tmp_path)) == ["t-0", "t-1"]
