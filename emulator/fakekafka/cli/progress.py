"""Progress bars for long operations: on stderr, if that is a terminal, stdout is not one, and rich is installed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from fakekafka.escaping import escaped

LARGE_BYTES: Final = 64 << 20


def _ignored(size: int) -> None:
    """Show no bar."""


@contextmanager
def of_bytes(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to be called with the number of bytes whenever some are read."""
    if total < LARGE_BYTES or not sys.stderr.isatty() or sys.stdout.isatty():
        yield _ignored
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield _ignored
        return
    columns = (TextColumn(escaped(name), markup=False), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=total)
        yield lambda size: bar.advance(task, size)


def _untold(number: int, total: int, name: str) -> None:
    """Show no bar."""


@contextmanager
def of_steps(name: str) -> Iterator[Callable[[int, int, str], None]]:
    """Yield a function to be called with each step's number, from 0, the number of steps, and the step's name."""
    if not sys.stderr.isatty():
        yield _untold
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
    except ImportError:
        yield _untold
        return
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None)
        yield lambda number, total, step: bar.update(
            task, completed=number, total=total, description=escaped(f"{name}: {step}")
        )
