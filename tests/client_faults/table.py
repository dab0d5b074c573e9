"""The table of what clients do under faults: `python -m tests.client_faults.table` writes it into docs/.

It takes some minutes: clients wait for what does not come. `--only TEXT` shows the rows of some faults instead.
"""

import argparse
import logging
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Final

from tests.client_faults.cells import shown
from tests.client_faults.clients import CLIENTS
from tests.client_faults.faults import FAULTS, ShownFault

PAGE: Final = Path(__file__).parents[2] / "docs" / "faults-and-clients.md"
RELEASES: Final = ("0.11.0", "2.3", "4.3")
AT_ONCE: Final = 4
INTRODUCTION: Final = """# What clients do under faults

Made by `python -m tests.client_faults.table` (`tox -e client-faults`), with {versions}.

Each client sends three records one by one, or reads three as a group and commits, with its own defaults except for
time-outs (1.5 s for an answer, 5 s for a record; a program that reads gives up after 7 s). *goes on*: the program
notices nothing, each record is there once. *never meets it*: the client sends no such request. Where releases differ,
each is named. The plan of each fault is below the tables.
"""


def cells(faults: tuple[ShownFault, ...]) -> dict[tuple[str, str, str], str]:
    """What was seen, by fault, client and release."""
    keys = [(fault, client, release) for fault in faults for client in CLIENTS for release in RELEASES]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        texts = pool.map(lambda key: shown(key[1], key[0], key[2]), keys)
        return {(f.name, c.name, release): text for (f, c, release), text in zip(keys, texts)}


def page(faults: tuple[ShownFault, ...], found: Mapping[tuple[str, str, str], str]) -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION.format(versions=", ".join(f"{client.name} {version(client.name)}" for client in CLIENTS))
    names = [client.name for client in CLIENTS]
    for during in ("sending", "reading"):
        yield from (f"## While {during}\n", f"| fault | {' | '.join(names)} |", f"|{' --- |' * (len(names) + 1)}")
        for fault in faults:
            if fault.during == during:
                texts = [_cell({release: found[fault.name, name, release] for release in RELEASES}) for name in names]
                yield f"| {fault.name} | {' | '.join(texts)} |"
        yield ""
    yield "## The plans\n"
    for fault in faults:
        yield f"**{fault.name}**{f', {fault.brokers} brokers' if fault.brokers > 1 else ''}\n"
        yield f"```toml\n{fault.plan.strip()}\n```\n" if fault.plan else '`kafka.damage("orders", offset=0)`\n'


def _cell(by_release: Mapping[str, str]) -> str:
    """One text if all releases agree, or each text with its releases."""
    texts = list(dict.fromkeys(by_release.values()))
    if len(texts) == 1:
        return texts[0]
    return "<br>".join(f"{', '.join(r for r, t in by_release.items() if t == text)}: {text}" for text in texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="print the rows of faults with this in their name")
    only = parser.parse_args().only
    logging.disable(logging.CRITICAL)
    faults = tuple(fault for fault in FAULTS if only in fault.name)
    lines = list(page(faults, cells(faults)))
    if only:
        print("\n".join(lines))
    else:
        PAGE.write_text("\n".join(lines).rstrip() + "\n", "utf-8")


if __name__ == "__main__":
    main()
