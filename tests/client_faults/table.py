"""The table of what clients do under faults: `python -m tests.client_faults.table` writes it into docs/.

Each cell is looked at several times, since what a client does may depend on its threads. Cells whose looks differ are
looked at as often again, one at a time, since clients also time out on a busy machine; the page then has only these
looks. It takes a quarter of an hour, as clients wait for what does not come. `--only TEXT` shows the rows of some
faults instead; with `--seen FILE` the looks are kept in that file, from which a stopped run continues.
"""

import argparse
import json
import multiprocessing
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Final, TypeAlias

from tests.client_faults.cells import Opened, raised, report
from tests.client_faults.clusters import ours
from tests.client_faults.faults import CLIENTS, FAULTS, row_of
from tests.client_faults.page import Cell, page
from tests.client_faults.shown_fault import ShownFault

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults-and-clients.md"
HELD_TO: Final = Path(__file__).with_name("held_to.json")
"""What `held_to` has seen."""
RELEASES: Final = "0.11.0,2.3,4.3"
LOOKS: Final = 3
AT_ONCE: Final = 4
PATIENCE_S: Final = 60
"""Longer than any client's own time-outs together."""
Looks: TypeAlias = dict[Cell, list[str]]
"""What was seen of each cell, once for each look."""


def cells_of(faults: Sequence[ShownFault], releases: Sequence[str]) -> list[Cell]:
    return [(row_of(fault), client.name, release) for release in releases for fault in faults for client in CLIENTS]


def looked_at(cells: Sequence[Cell], looks: int, seen: Path | None, opened: Opened = ours) -> Looks:
    """What is seen of each cell. `seen`: a file of earlier looks, to which new ones are added."""
    found: Looks = defaultdict(list)
    if seen is not None and seen.exists():
        for *cell, text in map(json.loads, seen.read_text("utf-8").splitlines()):
            found[tuple(cell)].append(text)

    def look(cell: Cell) -> None:
        text = in_a_process(cell, opened)
        found[cell].append(text)
        if seen is not None:
            with seen.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*cell, text]) + "\n")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(look, [cell for n in range(looks) for cell in cells if n >= len(found.get(cell, ()))]))
    return {cell: found[cell] for cell in cells}


@cache
def forks() -> ForkServerContext:
    """Makes forks of a process that has imported all clients and used none of them. Windows has no forks."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.client_faults.cells"])
    return context


def in_a_process(cell: Cell, opened: Opened = ours) -> str:
    """What is seen by a separate process, since some clients never return."""
    here, there = forks().Pipe(duplex=False)
    process = forks().Process(target=report, args=(there, *cell, opened), daemon=True)
    process.start()
    there.close()
    errors: list[str] = []
    end = time.monotonic() + PATIENCE_S
    try:
        while here.poll(max(0.0, end - time.monotonic())):
            error, seen = here.recv()
            if seen is not None:
                return str(seen)
            errors.append(error)
        return "; ".join([*raised(errors), "hangs"])
    except EOFError:
        return "; ".join([*raised(errors), "crashes"])
    finally:
        process.kill()


def looked_at_again(looks: Mapping[Cell, Sequence[str]], opened: Opened = ours) -> Looks:
    """The looks that agree, and as many new ones where they differ, taken with nothing else going on."""
    return {
        cell: list(texts) if len(set(texts)) == 1 else [in_a_process(cell, opened) for _ in texts]
        for cell, texts in looks.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="print the rows of faults with this in their name")
    parser.add_argument("--seen", type=Path, metavar="FILE", help="keep what was seen, and do not look at it again")
    parser.add_argument("--looks", type=int, default=LOOKS, metavar="N", help="at each cell (%(default)s)")
    shown_at = "those that are shown, with commas between them (%(default)s)"
    parser.add_argument("--releases", default=RELEASES, metavar="RELEASES", help=shown_at)
    options = parser.parse_args()
    faults = tuple(fault for fault in FAULTS if options.only in row_of(fault))
    releases = options.releases.split(",")
    looks = looked_at_again(looked_at(cells_of(faults, releases), options.looks, options.seen))
    held = json.loads(HELD_TO.read_text("utf-8")) if HELD_TO.exists() else {}
    text = "\n".join(page(faults, releases, looks, held)).rstrip() + "\n"
    if options.only:
        print(text)
    else:
        PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
