"""The table of what clients do under faults: `python -m tests.client_faults.table` writes it into docs/.

It takes some minutes: clients wait for what does not come. `--only TEXT` shows the rows of some faults instead; with
`--seen FILE` what was seen is kept there, and a run that was stopped continues.
"""

import argparse
import json
import multiprocessing
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeAlias

from tests.client_faults.cells import report
from tests.client_faults.faults import CLIENTS, FAULTS, row_of
from tests.client_faults.programs import Client
from tests.client_faults.shown_fault import ShownFault, While

Cell: TypeAlias = tuple[Any, ...]
"""The names of a fault, a client and a release."""
PAGE: Final = Path(__file__).parents[2] / "docs" / "faults-and-clients.md"
RELEASES: Final = "0.11.0,2.3,4.3"
AT_ONCE: Final = 4
FORKS: Final = multiprocessing.get_context("forkserver")
"""Of a process that has imported all clients, and used none."""
PATIENCE_S: Final = 60
"""Longer than any client's own time-outs together."""
TABLES: Final[dict[While, str]] = {
    "sending": "While sending",
    "reading": "While reading",
    "committing": "While committing a transaction",
    "creating": "While creating topics",
}
INTRODUCTION: Final = """# What clients do under faults

Made by `python -m tests.client_faults.table` (`tox -e client-faults`) at the releases {releases}, with {versions}.

Each client sends three records one by one, reads three as a group and commits, sends three in a transaction, or creates
two topics, with its own defaults except for time-outs (1.5 s for an answer, 5 s for a record; a program that reads
gives up after 15 s). A fault is in force from the beginning, or, where it says *midway*, after the first
record or topic.

- *goes on*: the program notices nothing, and each record is there once.
- *never meets it*: the client sends no such request, or comes when the fault is over.
- *raises*: a call raises that, or a delivery report names it; a transaction is then aborted.
- *stored all the same*: a record, or topic, is there although the program was told otherwise.
- *hangs*: a call of the client never returns.
- *crashes*: the process of the program ends.

Where releases differ, each is named. The plan of each fault is below the tables.
"""


def cells(faults: tuple[ShownFault, ...], releases: Sequence[str], seen: Path | None) -> dict[Cell, str]:
    """What was seen, by fault, client and release."""
    found: dict[Cell, str] = {}
    if seen is not None and seen.exists():
        found = {tuple(cell): text for *cell, text in map(json.loads, seen.read_text("utf-8").splitlines())}

    def see(key: tuple[ShownFault, Client, str]) -> None:
        fault, client, release = key
        cell = row_of(fault), client.name, release
        found[cell] = in_a_process(*cell)
        if seen is not None:
            with seen.open("a", encoding="utf-8") as file:
                file.write(json.dumps([*cell, found[cell]]) + "\n")

    keys = [(fault, client, release) for release in releases for fault in faults for client in CLIENTS]
    FORKS.set_forkserver_preload(["tests.client_faults.cells"])
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(see, [key for key in keys if (row_of(key[0]), key[1].name, key[2]) not in found]))
    return found


def in_a_process(row: str, client: str, release: str) -> str:
    """What is seen by a process of its own: some clients never come back."""
    here, there = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=report, args=(there, row, client, release), daemon=True)
    process.start()
    there.close()
    try:
        return str(here.recv()) if here.poll(PATIENCE_S) else "hangs"
    except EOFError:
        return "crashes"
    finally:
        process.kill()


def page(faults: tuple[ShownFault, ...], releases: Sequence[str], found: Mapping[Cell, str]) -> Iterator[str]:
    """The lines of the page."""
    versions = ", ".join(f"{client.name} {version(client.name)}" for client in CLIENTS)
    yield INTRODUCTION.format(versions=versions, releases=", ".join(releases))
    names = [client.name for client in CLIENTS]
    for during, title in TABLES.items():
        yield from (f"## {title}\n", f"| fault | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 1)}")
        for fault in faults:
            if fault.during == during:
                texts = [
                    _cell({release: found[row_of(fault), name, release] for release in releases}) for name in names
                ]
                yield f"| {fault.name}{', midway' if fault.midway else ''} | {' | '.join(texts)} |"
        yield ""
    yield "## The plans\n"
    for fault in faults:
        yield f"**{fault.name}**{f', {fault.brokers} brokers' if fault.brokers > 1 else ''}\n"
        yield f"```toml\n{fault.plan.strip()}\n```\n" if fault.plan else f"```py\n{fault.said}\n```\n"


def _cell(by_release: Mapping[str, str]) -> str:
    """One text if all releases agree, or each text with its releases."""
    texts = list(dict.fromkeys(by_release.values()))
    if len(texts) == 1:
        return texts[0]
    return "<br>".join(f"{', '.join(r for r, t in by_release.items() if t == text)}: {text}" for text in texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="print the rows of faults with this in their name")
    parser.add_argument("--seen", type=Path, metavar="FILE", help="keep what was seen, and do not look at it again")
    shown_at = "those that are shown, with commas between them (%(default)s)"
    parser.add_argument("--releases", default=RELEASES, metavar="RELEASES", help=shown_at)
    options = parser.parse_args()
    only = options.only
    faults = tuple(fault for fault in FAULTS if only in row_of(fault))
    releases = options.releases.split(",")
    lines = list(page(faults, releases, cells(faults, releases, options.seen)))
    if only:
        print("\n".join(lines))
    else:
        PAGE.write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
