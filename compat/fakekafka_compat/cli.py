"""The command line: `fakekafka-compat run`, and `fakekafka-compat report` on what it wrote.

Exit status 0: nothing differs except what FINDINGS.md lists; 1: something does; 2: wrong arguments.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from textwrap import indent
from typing import Final

from fakekafka import FakeKafkaError
from fakekafka.escaping import escaped, escaped_lines

from fakekafka_compat.against.asking import Address
from fakekafka_compat.environments import default_cache
from fakekafka_compat.factors import named_by
from fakekafka_compat.findings import Finding, finding_of, read_findings
from fakekafka_compat.matrix import Work, run_all
from fakekafka_compat.report.command import add_options, report
from fakekafka_compat.table import AXES, cells, default_table, read_table
from fakekafka_compat.verdict import Verdict

OBSERVATIONS: Final = "compat-observations"
OBSERVATIONS_AGAINST: Final = "compat-observations-against"
"""Where the files go if the cells are played on a real broker."""
SHOWN: Final = 8
"""The number of reasons that are printed for a cell."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit status."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.do(options)
        return status
    except (FakeKafkaError, OSError) as e:
        print(f"fakekafka-compat: {escaped(str(e))}", file=sys.stderr)
        return 2


def run(options: argparse.Namespace) -> int:
    """Run the cells that are asked for, and print their verdicts."""
    table = read_table(options.cells)
    wanted = {axis: getattr(options, axis) for axis in AXES if getattr(options, axis) is not None}
    if options.factors is not None:
        wanted = {**named_by(options.factors, table), **wanted}
    chosen = cells(table, options.subset, wanted)
    into = options.into or Path(OBSERVATIONS if options.against is None else OBSERVATIONS_AGAINST)
    into.mkdir(parents=True, exist_ok=True)
    work = Work(table, into, options.cache, options.again, options.against)
    with _progress(len(chosen)) as advance:
        verdicts = run_all(chosen, work, options.jobs, lambda v: advance())
    return _tell(verdicts, read_findings(options.cells.with_name("FINDINGS.md")))


def _address(text: str) -> Address:
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal():
        raise argparse.ArgumentTypeError(f"{text}: write HOST:PORT, such as 127.0.0.1:9092")
    return Address(host.removeprefix("[").removesuffix("]"), int(port))


def _tell(verdicts: Sequence[Verdict], known: Sequence[Finding]) -> int:
    new = 0
    for each in verdicts:
        if each.outcome != "as the real broker":
            listed = each.outcome == "differs" and finding_of(each.cell, known) is not None
            new += each.outcome == "differs" and not listed
            print(f"{each.cell.cell}: {each.outcome}{' (known)' if listed else ''}")
            for reason in each.reasons[:SHOWN]:
                print(indent(escaped_lines(reason), "    "))
            if len(each.reasons) > SHOWN:
                print(f"    and {len(each.reasons) - SHOWN} more")
    counts = Counter(each.outcome for each in verdicts)
    print(f"{len(verdicts)} cells: " + ", ".join(f"{count} {outcome}" for outcome, count in counts.items()))
    return 1 if new else 0


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, if that is a terminal and rich is installed; the block gets a function that moves it by one."""
    try:
        from rich.console import Console
        from rich.progress import Progress
    except ImportError:
        yield lambda: None
        return
    with Progress(console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task("cells", total=total)
        yield lambda: progress.advance(task)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("fakekafka-compat", description="Real clients against every release and format.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    command = commands.add_parser("run", help="run cells of the matrix", description="Run cells of the matrix.")
    command.add_argument("--subset", help='a set of the table, such as "smoke"; default: all that match the others')
    for axis in AXES:
        command.add_argument(f"--{axis}", action="append", metavar="NAME", help=f"only this {axis}; may be repeated")
    command.add_argument("--factors", metavar="NAME", help='as a tox environment names it: "compat-kp147-r23"')
    command.add_argument("--cells", type=Path, default=default_table(), metavar="FILE", help="another cells.toml")
    command.add_argument(
        "--into", type=Path, metavar="DIR", help=f"for the files ({OBSERVATIONS}, or {OBSERVATIONS_AGAINST})"
    )
    command.add_argument(
        "--against",
        type=_address,
        metavar="HOST:PORT",
        help="play the cells on this real broker, in topics of their own, which are deleted afterwards",
    )
    command.add_argument("--cache", type=Path, default=default_cache(), metavar="DIR", help="for the environments")
    command.add_argument("--again", action="store_true", help="run cells again that have already run")
    command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many cells at a time")
    command.set_defaults(do=run)
    reports = commands.add_parser("report", help="HTML, Markdown, JUnit XML of a run", description="Report on a run.")
    add_options(reports)
    reports.set_defaults(do=report)
    return parser
