"""Tables on the terminal."""

import sys
from collections.abc import Sequence
from contextlib import suppress

from fakekafka.escaping import escaped


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: with rich on a terminal, if it is installed; otherwise in plain columns. The cells are escaped."""
    rows = [[escaped(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        with suppress(ImportError):
            from rich.console import Console
            from rich.table import Table

            table = Table(*columns)
            for row in rows:
                table.add_row(*row)
            Console().print(table)
            return
    widths = [max(map(len, column)) for column in zip(columns, *rows)]
    for row in (columns, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
