"""`fakekafka dump`: print what is in the files of a log directory."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from fakekafka.cli.progress import of_bytes
from fakekafka.escaping import escaped
from fakekafka.inspection.dump import dump
from fakekafka.inspection.row import Row

if TYPE_CHECKING:
    from fakekafka.cli.options import Commands


def add(commands: "Commands") -> None:
    parser = commands.add_parser("dump", help="print the contents of log, index, snapshot and checkpoint files")
    parser.add_argument("file", nargs="+", type=Path, metavar="FILE", help="of a log directory; may be repeated")
    parser.add_argument("--json", action="store_true", help="one JSON object per line")
    parser.add_argument("--batches", action="store_true", help="for a log, only the batches, without their records")
    parser.set_defaults(command=run)


def run(options: argparse.Namespace) -> int:
    """Print the files. The exit status is 1 if something could not be read, otherwise 0."""
    write: Callable[[Row], str] = Row.as_json if options.json else Row.as_text
    broken = False
    for path in options.file:
        if len(options.file) > 1 and not options.json:
            print(f"{escaped(str(path))}:")
        for row in _rows(path, records=not options.batches):
            broken |= row.kind == "broken"
            print(escaped(write(row)))
    return int(broken)


def _rows(path: Path, records: bool) -> Iterator[Row]:
    with of_bytes(path.name, path.stat().st_size if path.is_file() else 0) as seen:
        yield from dump(path, records=records, seen=seen)
