"""Finds between which real brokers each change of a behaviour lies, and writes it to `held_between.txt`.

    python -m tests.boundaries.survey [--from DIRECTORY] [--most N] [--anywhere] [--missing] [CHANGE ...]

A change is named like "fetch.own_replica", or "fetch." for a whole area; without any, all are surveyed. On each of its
sides the recordings of the nearest releases are examined (`evidence.py`), at most N that show nothing: those of the
scenarios that the field's docstring names, or of all with `--anywhere`. Recordings whose replay does not read the field
are passed over. `--from`: originals besides those in the tree, as the replay tool takes them. `--missing`: only the
sides about which nothing is known. What the table has is kept if it is nearer.
"""

import argparse
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fakekafka.releases.release import starting

from tests.boundaries.changes import Change, all_changes
from tests.boundaries.evidence import Transcribed, Witness, tells
from tests.boundaries.table import Held, Seen, read, write
from tests.boundaries.witnesses import in_the_tree
from tests.emulator.releases.behaviours.test_areas import docstrings
from tests.golden import take
from tests.golden.transcript import Recording, parse


class Search(NamedTuple):
    """How to look."""

    most: int = 3
    """How many recordings may show nothing, on each side."""
    anywhere: bool = False
    """Whether recordings count whose scenario the field's docstring does not name."""
    missing: bool = False
    """Whether only sides about which nothing is known are examined."""


def survey(changes: Iterable[Change], witnesses: list[Witness], how: Search) -> None:
    """Examine each change, and write the table whenever a row has changed."""
    known = {change.name: Held(None, None) for change in all_changes()} | read()
    for change in changes:
        before = known[change.name]
        known[change.name] = now = surveyed(change, witnesses, before, how)
        if now != before:
            write(known)
            print(change.name, *now, sep=" | ", flush=True)


def surveyed(change: Change, witnesses: list[Witness], known: Held, how: Search) -> Held:
    """The nearest releases on both sides whose recordings show the change."""
    text = docstrings(change.area)[change.field]
    useful = [w for w in witnesses if (how.anywhere or w.scenario in text) and change.concerns(w.release, w.mode)]
    date, least, most = starting(change.date), known.without, known.with_it
    older = [w for w in useful if w.release < date and (least is None or w.release > least.release)]
    newer = [w for w in useful if w.release >= date and (most is None or w.release < most.release)]
    if how.missing and least:
        older = []
    if how.missing and most:
        newer = []
    return Held(
        _nearest(change, sorted(older, key=lambda w: w.release, reverse=True), how.most) or least,
        _nearest(change, sorted(newer, key=lambda w: w.release), how.most) or most,
    )


def _nearest(change: Change, witnesses: list[Witness], most: int) -> Seen | None:
    examined = islice((w for w in witnesses if w.asks_about(change)), most)
    return next((Seen(w.release, w.what) for w in examined if tells(w, change)), None)


def originals(folder: Path) -> Iterator[Witness]:
    """Recordings as the recorder leaves them, packed: RELEASE/SCENARIO.tar.gz."""
    for archive in sorted(folder.glob("*/*.tar.gz")):
        name = f"{archive.parent.name}-{archive.name.removesuffix('.tar.gz')}"
        yield Transcribed(name, partial(_original, name, archive), is_equal=False)


def _original(name: str, archive: Path) -> Recording:
    return parse(name, take.recording(take.members(archive)))


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("changes", nargs="*", metavar="CHANGE")
    parser.add_argument("--from", dest="originals", type=Path)
    parser.add_argument("--most", type=int, default=3)
    parser.add_argument("--anywhere", action="store_true")
    parser.add_argument("--missing", action="store_true")
    options = parser.parse_args()
    chosen = [c for c in all_changes() if not options.changes or any(map(c.name.startswith, options.changes))]
    witnesses = [*in_the_tree(), *(originals(options.originals) if options.originals else ())]
    survey(chosen, witnesses, Search(options.most, options.anywhere, options.missing))


if __name__ == "__main__":
    main()
