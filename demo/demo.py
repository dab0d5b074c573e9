"""Real clients against ten Kafka releases, each played in this process: `make demo`.

Every cell is one client against one release: it produces records, reads them back through a consumer group, and what
happened is checked. `--matrix` then runs the smoke subset of the compatibility matrix, see `demo/matrix.py`. The exit
status is 1 if any cell is wrong. `--help` lists what can be changed.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)  # not the script's folder, but the one above it

from fakekafka import FakeKafkaError

from demo.cells import APIS, CLIENTS, CODECS, EVERY_CODEC, Cell, Result, run

if TYPE_CHECKING:
    from rich.table import Table

COLUMNS = (("release", 7), ("client", 15), ("codec", 6), ("acked", 5), ("read", 5), ("Produce", 7), ("Fetch", 5),
           ("Commit", 6), ("magic", 5), ("ms", 4), ("", 2))  # fmt: skip
"""Headings and widths. The table fits into 80 columns as long as all is well."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cells that the command line asks for and return the exit status."""
    options = _parser().parse_args(arguments)
    cells = chosen(options.release, options.client, options.codec)
    show = as_json if options.json else as_lines if options.plain or not sys.stdout.isatty() else as_live_table
    started = time.perf_counter()
    try:
        results = show(cells, options.records)
    except FakeKafkaError as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    if not options.json:
        print(_last_line(results, time.perf_counter() - started))
    wrong = any(result.faults for result in results)
    if options.matrix is not None:
        wrong = not _matrix_is_well(options.matrix) or wrong
        print(f"all of it in {time.perf_counter() - started:.1f} s")
    return int(wrong)


def _matrix_is_well(folder: Path) -> bool:
    """Run the second part."""
    from demo import matrix

    print()
    try:
        played = matrix.play(folder)
    except FakeKafkaError as error:
        print(f"demo: {error}", file=sys.stderr)
        return False
    matrix.show(played)
    return played.is_well


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("demo", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--release", action="append", help="only this release (any; may be repeated)")
    parser.add_argument("--client", action="append", choices=CLIENTS, help="only this client (may be repeated)")
    parser.add_argument("--codec", choices=(*EVERY_CODEC, "every"), help="this codec in every cell, or each in turn")
    parser.add_argument("--records", type=int, default=1000, metavar="N", help="records in each cell (1000)")
    parser.add_argument("--plain", action="store_true", help="lines instead of a live table")
    parser.add_argument("--json", action="store_true", help="the results as JSON")
    parser.add_argument("--matrix", type=Path, metavar="DIR", help="then the compatibility matrix and Spark, into DIR")
    return parser


def chosen(releases: list[str] | None, clients: list[str] | None, codec: str | None) -> list[Cell]:
    """The cells for these options; None stands for the demonstration's own choice."""
    cells = []
    for release in releases or CODECS:
        for client, usual in zip(CLIENTS, CODECS.get(release, ("gzip", "gzip"))):
            if clients is None or client in clients:
                codecs = EVERY_CODEC if codec == "every" else (codec or usual,)
                cells += [Cell(release, client, one) for one in codecs]
    return cells


# ---- showing


def as_json(cells: list[Cell], count: int) -> list[Result]:
    """Run the cells silently, then print one JSON document."""
    results = [run(cell, count) for cell in cells]
    print(json.dumps([result.as_dict() for result in results], indent=1))
    return results


def as_lines(cells: list[Cell], count: int) -> list[Result]:
    """Print a line for each cell when it is done."""
    _print_line([heading for heading, _ in COLUMNS])
    results = []
    for cell in cells:
        results.append(run(cell, count))
        _print_line(row(results[-1]))
    return results


def _print_line(texts: Iterable[str]) -> None:
    print(" ".join(text.ljust(width) for text, (_, width) in zip(texts, COLUMNS)).rstrip(), flush=True)


def as_live_table(cells: list[Cell], count: int) -> list[Result]:
    """Show a table on the terminal that fills while the cells run."""
    from rich.live import Live

    results: list[Result] = []
    with Live(_table(cells, results), refresh_per_second=10) as live:
        for cell in cells:
            results.append(run(cell, count))
            live.update(_table(cells, results), refresh=True)
    return results


def _table(cells: list[Cell], results: list[Result]) -> "Table":
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold underline")
    for heading, width in COLUMNS:
        table.add_column(heading, min_width=width, overflow="fold")
    for cell, result in zip_longest(cells, results):
        if result is not None:
            style = "red" if result.faults else "yellow" if result.refusal else "green"
            *texts, last = row(result)
            table.add_row(*texts, Text(last, style))
        else:
            table.add_row(*cell, style="dim")
    return table


def row(result: Result) -> tuple[str, ...]:
    """The texts of a cell, under the headings of `COLUMNS`."""
    used = (" ".join(map(str, result.versions.get(api, ()))) for api in APIS)
    magic = " ".join(map(str, result.magic))
    return (*result.cell, f"{result.acked}", f"{result.read}", *used, magic, f"{result.milliseconds}", verdict(result))


def verdict(result: Result) -> str:
    """ "ok", or what is wrong, or the client's own words."""
    if result.faults:
        return "WRONG: " + "; ".join(result.faults)
    return "ok" if result.refusal is None else f"refused: {result.refusal}"


def _last_line(results: list[Result], seconds: float) -> str:
    def counted() -> Iterator[str]:
        wrong, refused = sum(bool(r.faults) for r in results), sum(r.refusal is not None for r in results)
        yield f"{len(results) - wrong - refused} of {len(results)} cells as a real broker"
        if refused:
            yield f"{refused} refused by the client itself"
        if wrong:
            yield f"{wrong} WRONG"

    return f"{', '.join(counted())}, in {seconds:.1f} s"


if __name__ == "__main__":
    sys.exit(main())
