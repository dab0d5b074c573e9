"""Real clients against ten Kafka releases, each played in this process: `make demo`.

Every cell is one client against one release: it produces records, reads them back through a consumer group, and what
happened is checked. The exit status is 1 if any cell is wrong. `--help` lists what can be changed.
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parent.parent)  # a script's folder is there, but imports begin one above

from fakekafka import FakeKafkaError

from demo.cells import APIS, CLIENTS, CODECS, EVERY_CODEC, Cell, Result, default_cells, run

if TYPE_CHECKING:
    from rich.table import Table

HEADINGS = ("release", "client", "codec", "acked", "read", *APIS, "magic", "ms", "")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the cells that the command line asks for; the exit status."""
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
    return int(any(result.faults for result in results))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("demo", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--release", action="append", help="only this release (any; may be repeated)")
    parser.add_argument("--client", action="append", choices=CLIENTS, help="only this client (may be repeated)")
    parser.add_argument("--codec", choices=(*EVERY_CODEC, "every"), help="this codec in every cell, or each in turn")
    parser.add_argument("--records", type=int, default=1000, metavar="N", help="records in each cell (1000)")
    parser.add_argument("--plain", action="store_true", help="lines instead of a live table")
    parser.add_argument("--json", action="store_true", help="the results as JSON")
    return parser


def chosen(releases: list[str] | None, clients: list[str] | None, codec: str | None) -> list[Cell]:
    """The cells for these options; None stands for the demonstration's own choice."""
    if codec is None and not set(releases or ()) - CODECS.keys():
        cells = default_cells()
    else:
        codecs = EVERY_CODEC if codec == "every" else (codec or "gzip",)
        cells = [Cell(r, client, c) for r in releases or CODECS for client in CLIENTS for c in codecs]
    return [c for c in cells if c.release in (releases or CODECS) and c.client in (clients or CLIENTS)]


# ---- showing


def as_json(cells: list[Cell], count: int) -> list[Result]:
    """Nothing until the end, then one JSON document."""
    results = [run(cell, count) for cell in cells]
    print(json.dumps([result.as_dict() for result in results], indent=1))
    return results


def as_lines(cells: list[Cell], count: int) -> list[Result]:
    """A line for each cell when it is done."""
    widths = (8, 16, 7, 6, 6, 8, 6, 13, 6, 6, 0)
    results = []
    for texts in [HEADINGS, *cells]:
        if isinstance(texts, Cell):
            results.append(run(texts, count))
            texts = row(results[-1])
        print(" ".join(text.ljust(width) for text, width in zip(texts, widths)).rstrip(), flush=True)
    return results


def as_live_table(cells: list[Cell], count: int) -> list[Result]:
    """A table on the terminal that fills while the cells run."""
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

    table = Table(title="real clients, one process, ten Kafka releases", title_justify="left")
    for heading in HEADINGS:
        table.add_column(heading, justify="right" if heading in ("acked", "read", "ms") else "left", no_wrap=True)
    for number, cell in enumerate(cells):
        if number < len(results):
            result = results[number]
            style = "red" if result.faults else "yellow" if result.refusal else "green"
            *texts, verdict = row(result)
            table.add_row(*texts, Text(verdict, style))
        else:
            table.add_row(*cell, *[""] * (len(HEADINGS) - 4), "running" if number == len(results) else "", style="dim")
    return table


def row(result: Result) -> tuple[str, ...]:
    """A cell as texts, under `HEADINGS`."""
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
