"""A commit that was begun is finished, wherever the driver died; a commit that was not begun leaves no trace."""

import json
import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fakekafka.errors import UsageError
from fakekafka_spark import columns
from fakekafka_spark.files.layout import UNCOMMITTED
from fakekafka_spark.source import journal
from fakekafka_spark.source.writer import KafkalogWriter, TaskWrote

from tests.pipeline.source.rows import attempted, batch, some, write, writer

DIES = """
import os, pathlib, pickle, sys
one, message = pickle.load(sys.stdin.buffer)
renames, rename = 0, pathlib.Path.rename
def counted(self, target):
    global renames
    if renames == int(sys.argv[1]):
        os._exit(9)
    renames += 1
    return rename(self, target)
pathlib.Path.rename = counted
one.commit([message])
"""
"""A driver that dies before a rename of its commit."""


def values(path: Path) -> dict[int, set[bytes]]:
    rows = columns.table(path, columns="partition,value").to_pylist()
    return {row["partition"]: {r["value"] for r in rows if r["partition"] == row["partition"]} for row in rows}


def die(path: Path, at: int) -> bool:
    """Whether the driver died in a commit beside which lies what other attempts have left."""
    return die_in(*attempted(path, b"new", partitions=3), at)


def die_in(one: KafkalogWriter, message: TaskWrote, at: int) -> bool:
    """Whether the driver died in this commit."""
    command, given = [sys.executable, "-c", DIES, str(at)], pickle.dumps((one, message))
    return subprocess.run(command, cwd=Path(__file__).parents[3], input=given, check=False).returncode == 9


def interrupted(action: Callable[[], object]) -> Iterator[Any]:
    """The rows of a slow attempt of a task, in the middle of which `action` happens."""
    yield some(b"slow", 3, each=2)
    action()
    yield batch([("t", p, offset, b"slow", 1000) for p in range(3, 5) for offset in range(5)])


def test_a_commit_is_finished_after_the_driver_died_at_any_rename(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Two old partitions move out of the way, three new ones into place; then the temporary directory is removed."""
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


def test_the_next_write_finishes_an_interrupted_commit(tmp_path: Path) -> None:
    write(tmp_path, b"old")
    assert die(tmp_path, 3)
    one = writer(tmp_path)
    assert values(tmp_path) == {p: {b"new"} for p in range(3)}
    one.commit([one.write(iter([some(b"newest", 1)]))])
    assert values(tmp_path) == {0: {b"newest"}}
    assert [path.name for path in tmp_path.iterdir()] == ["t-0"]


def test_no_other_write_finishes_a_commit_in_progress(tmp_path: Path) -> None:
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


def test_an_attempt_that_is_still_running_when_its_task_is_committed_adds_nothing(tmp_path: Path) -> None:
    write(tmp_path, b"old")
    one, message = attempted(tmp_path, b"new", partitions=3)
    with pytest.raises(FileNotFoundError):
        one.write(interrupted(lambda: one.commit([message])))
    assert values(tmp_path) == {p: {b"new"} for p in range(3)}
    assert sorted(os.listdir(tmp_path)) == ["t-0", "t-1", "t-2"]


@pytest.mark.parametrize("at", [1, 4, 6])
@pytest.mark.parametrize("finished_first", [False, True])
def test_an_attempt_that_is_still_running_when_the_driver_dies_in_the_commit_adds_nothing(
    tmp_path: Path, at: int, finished_first: bool
) -> None:
    """The attempt ends before the next job finishes the commit, or after it."""

    def dies() -> None:
        assert die_in(one, message, at)
        if finished_first:
            journal.finish_others(tmp_path)

    write(tmp_path, b"old")
    one, message = attempted(tmp_path, b"new", partitions=3)
    with suppress(FileNotFoundError):
        one.write(interrupted(dies))
    journal.finish_others(tmp_path)
    assert values(tmp_path) == {p: {b"new"} for p in range(3)}
    assert sorted(path.name for path in tmp_path.iterdir() if path.name != UNCOMMITTED) == ["t-0", "t-1", "t-2"]
    assert not list(tmp_path.glob(f"{UNCOMMITTED}/*"))
