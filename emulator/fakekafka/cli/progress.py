"""A progress bar for large reads: on stderr, if that is a terminal, stdout is not one, and rich is installed."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from fakekafka.texts.terminal import escaped

LARGE_BYTES: Final = 64 << 20


def _ignored(size: int) -> None:
    """Show no bar."""


@contextmanager
def of_bytes(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield a function to be called with the number of bytes as they are read."""
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
