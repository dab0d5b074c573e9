"""The developers' tool over the replay.

    python -m tests.golden.replay [PATTERN ...]

    PATTERN            a recording (2.3.1-handshake), a scenario (handshake), a release (2.3.1), or like 2.*-fetch*;
                       without any, all of them
    --summary          no details: a table of scenarios and releases, and the most frequent kinds of differences
    --verbose          whole values, the request of each exchange that differs, whole tracebacks
    --first N          at most N kinds of differences (default 20)
    --files            compare the files left on disk as well
    --strict-text      error messages must be equal, too
    --hide-open        leave out the differences that are listed in open.toml, and name the listed ones that are gone
    --pace lifelike    against a cluster that takes its time, with the recorder's waits
    --from DIRECTORY   read the recordings from the originals instead of the tree's copy
    --jobs N           number of processes

The exit status is 1 if anything differs. Differences of one kind (same API, same place, same values) are shown once.
"""

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import get_args

from fakekafka.settings.options import Pace

from tests.golden import take
from tests.golden.form import Difference
from tests.golden.open_differences import open_differences
from tests.golden.replay import Mismatch
from tests.golden.report import Outcome, details, most_frequent, table, totals
from tests.golden.run import run
from tests.golden.transcript import Recording, age, load, names, parse


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    options = _options(arguments)
    chosen = [name for name in _names(options.originals) if _matches(name, options.patterns)]
    if not chosen:
        sys.exit(f"no recording is called {' or '.join(options.patterns)}")
    outcomes = []
    for outcome in _outcomes(chosen, options):
        outcomes.append(outcome)
        if not options.summary:
            _print_one(outcome, options)
    if options.summary:
        print(*table(outcomes), "", *most_frequent(outcomes, options.first), "", sep="\n")
    print(*totals(outcomes), sep="\n")
    sys.exit(any(o.mismatches or o.broken for o in outcomes))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    for flag in ("--summary", "--verbose", "--files", "--strict-text", "--hide-open"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--first", type=int, default=20)
    parser.add_argument("--from", dest="originals", type=Path)
    parser.add_argument("--pace", choices=get_args(Pace), default="instant")
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args(arguments)


def _names(originals: Path | None) -> list[str]:
    if originals is None:
        return names()
    found = [f"{p.parent.name}-{p.name.removesuffix('.tar.gz')}" for p in originals.glob("*/*.tar.gz")]
    return sorted(found, key=lambda name: (age(name.partition("-")[0]), name))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    release, _, rest = name.partition("-")
    known = {name, release, rest, rest.partition("--")[0]}
    return not patterns or any(pattern in known or fnmatchcase(name, pattern) for pattern in patterns)


def _outcomes(chosen: list[str], options: argparse.Namespace) -> Iterator[Outcome]:
    attempt = partial(_attempt, options=options)
    if options.jobs == 1:
        yield from map(attempt, chosen)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(attempt, chosen, chunksize=4)


def _attempt(name: str, options: argparse.Namespace) -> Outcome:
    recording = _load(name, options.originals)
    start = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = run(
                recording, Path(folder), files=options.files, strict_text=options.strict_text, pace=options.pace
            )
    except Exception as e:
        why = traceback.format_exc() if options.verbose else f"{type(e).__name__}: {e}"
        return Outcome(name, [], time.perf_counter() - start, broken=why)
    if options.hide_open:
        found = _beside_the_listed(name, found, options)
    return Outcome(name, found, time.perf_counter() - start)


def _beside_the_listed(name: str, found: list[Mismatch], options: argparse.Namespace) -> list[Mismatch]:
    """The differences that are not listed, and a word on each listed one that is gone, if everything was compared."""
    listed, gone = open_differences(), []
    if options.pace == "instant":  # other paces may hide what is chance
        gone = listed.gone(name, found) + (listed.gone(name, found, files=True) if options.files else [])
    words = [Mismatch(0, "open.toml", Difference(text, "differs", "does not"), "listed") for text in gone]
    return listed.unlisted(name, found) + words


def _load(name: str, originals: Path | None) -> Recording:
    if originals is None:
        return load(name)
    release, _, rest = name.partition("-")
    return parse(name, take.recording(take.members(originals / release / f"{rest}.tar.gz")))


def _print_one(outcome: Outcome, options: argparse.Namespace) -> None:
    what = outcome.broken or f"{len(outcome.mismatches)} differences"
    print(f"{outcome.name:40} {what} ({outcome.seconds:.2f} s)", flush=True)
    recording = _load(outcome.name, options.originals) if options.verbose else None
    for line in details(outcome.mismatches, options.first, recording):
        print(line)
