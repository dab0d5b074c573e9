"""A progress bar for large files: on stderr, if that is a terminal, stdout is none and rich is installed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

LARGE_BYTES: Final = 64 << 20


def _ignored(position: int) -> None:
    """No bar."""


@contextmanager
def reading(path: Path) -> Iterator[Callable[[int], None]]:
    """Gives a function that is to be told how much of the file has been read."""
    size = path.stat().st_size if path.is_file() else 0
    if size < LARGE_BYTES or not sys.stderr.isatty() or sys.stdout.isatty():
        yield _ignored
        return
    try:
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
    except ImportError:
        yield _ignored
        return
    columns = (TextColumn(path.name), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(path.name, total=size)
        yield lambda position: bar.update(task, completed=position)
