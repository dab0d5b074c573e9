"""The journal of a writer's commit: which directories are to be moved where, so that what was begun can be finished.

A run writes below `_temporary/<run>/`. Its commit first writes down all moves, old partitions out of the way and new
ones to their places, in `_temporary/<run>/journal`. From then on everything that is needed is on the disk: the next
run, after the driver has died at any step, makes the moves that are missing (`finish_others`). Before that, nothing in
the target has changed. The file is locked while its run commits, so that no other run finishes what is still alive.
"""

import json
import logging
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeAlias

from fakekafka.errors import UsageError

from fakekafka_spark.files.layout import UNCOMMITTED

JOURNAL: Final = "journal"
GONE: Final = "-gone"
LOGGER: Final = logging.getLogger("fakekafka_spark")

Moves: TypeAlias = Sequence[tuple[Path, Path]]
"""Where each directory moves from and to, in the order of the moves."""


def commit(root: Path, run: Path, moves: Moves) -> None:
    """Make the moves, which are within `root`; take back those that were made if one fails. Raises `OSError`."""
    journal = run / JOURNAL
    written = journal.with_suffix(".new")
    with written.open("x", encoding="utf-8") as file, _locked(file.fileno(), run):
        json.dump([[str(path.relative_to(root)) for path in move] for move in moves], file)
        file.flush()
        os.fsync(file.fileno())
        written.rename(journal)
        done: list[tuple[Path, Path]] = []
        try:
            for source, place in moves:
                source.rename(place)
                done.append((source, place))
        except OSError:
            for source, place in reversed(done):
                place.rename(source)
            raise


def finish_others(root: Path) -> list[str]:
    """Finish what earlier runs have begun to commit, and say what was done. Raises `UsageError` for a live one."""
    said = []
    for run in sorted(path for path in (root / UNCOMMITTED).glob("*") if path.is_dir()):
        if run.name.endswith(GONE):
            shutil.rmtree(run, ignore_errors=True)
        elif (run / JOURNAL).exists():
            said.append(_finish(root, run))
        else:
            said.append(f"{run} is of a run that has not committed; if no job is writing, it may be deleted")
    for line in said:
        LOGGER.warning("%s", line)
    return said


def remove(run: Path) -> None:
    """Take a run's directory away: at once, so that no task adds to what is being deleted."""
    gone = run.with_name(f"{run.name}{GONE}")
    if run.exists():
        run.rename(gone)
    shutil.rmtree(gone, ignore_errors=True)


def _finish(root: Path, run: Path) -> str:
    with (run / JOURNAL).open(encoding="utf-8") as file, _locked(file.fileno(), run):
        moves = [(_inside(root, source), _inside(root, place)) for source, place in json.load(file)]
        made = 0
        for source, place in moves:
            if source.exists() and not place.exists():  # else it was made, and a new partition has its old place
                source.rename(place)
                made += 1
    remove(run)
    return f"a commit was interrupted in {root}: the last {made} of {len(moves)} moves were made now"


def _inside(root: Path, name: str) -> Path:
    """A path in the target. Raises `UsageError` for one outside, which this package has not written."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise UsageError(f"the journal of a commit in {root} names {name!r}, which lies outside")
    return root / name


@contextmanager
def _locked(descriptor: int, run: Path) -> Iterator[None]:
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows, where a file that is open cannot be renamed by others
        yield
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(f"another job is committing to the same directory just now: {run}") from None
    yield
