"""Runs cells side by side, each into its own file; those that already have one are only judged.

Cells that were skipped are tried again, since an interpreter may be there now, and so are those that failed.
"""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from fakekafka_spark.observations import Cell, stem_of, write

from fakekafka_compat.against.asking import Address
from fakekafka_compat.cell_run import run_cell
from fakekafka_compat.table import Table
from fakekafka_compat.verdict import Verdict, load, verdict


class Work(NamedTuple):
    """How cells are run."""

    table: Table
    folder: Path
    """The folder of the observations; it exists."""
    cache: Path
    """Where environments are kept."""
    again: bool
    """Whether cells that have run are run again."""
    against: Address | None = None
    """The real broker on which cells are played; None: each on a `FakeKafka` of its own."""


def run_all(cells: Sequence[Cell], work: Work, jobs: int, tell: Callable[[Verdict], None]) -> list[Verdict]:
    """Run or judge all cells, `jobs` at a time; `tell` gets each verdict as soon as it is known. The verdicts come in
    the order of `cells`.
    """
    verdicts: dict[Cell, Verdict] = {}
    with ThreadPoolExecutor(jobs) as pool:
        try:
            for future in as_completed([pool.submit(one, cell, work) for cell in cells]):
                done = future.result()
                verdicts[done.cell] = done
                tell(done)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return [verdicts[cell] for cell in cells]


def one(cell: Cell, work: Work) -> Verdict:
    """Run a cell and write its file, or judge an existing file."""
    if not work.again:
        for path in _files(cell, work.folder):
            rows = load(path)[1]
            if rows[0].value == "ran":
                return verdict(cell, rows)
    rows = run_cell(cell, work.table.clients, work.cache, work.against)
    written = write(work.folder, cell, rows)
    for path in _files(cell, work.folder):
        if path != written:  # left by a run with, or without, pyarrow
            path.unlink(missing_ok=True)
    return verdict(cell, rows)


def _files(cell: Cell, folder: Path) -> Iterable[Path]:
    name = stem_of(cell)
    return [path for path in (folder / f"{name}.parquet", folder / f"{name}.jsonl") if path.exists()]
