"""The developers' tool over the replay.

    python -m tests.golden.replay [PATTERN ...]

    PATTERN            a recording (2.3.1-handshake), a scenario (handshake), a release (2.3.1), or like 2.*-fetch*
    --summary          only a table of scenarios and releases, with the number of differences in each recording
    --verbose          whole values, and the request of each exchange that differs
    --first N          at most N kinds of differences of each recording (default 20)
    --files            compare the files left on disk as well
    --strict-text      error messages must be equal, too
    --hide-open        leave out the differences that are listed in open.toml
    --from DIRECTORY   read the recordings from the originals instead of the tree's copy
    --jobs N           so many processes

The exit status is 1 if anything differs. Differences of one kind (same API, same place, same values) are shown once.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.golden import take
from tests.golden.form import Form
from tests.golden.messages import decode_request
from tests.golden.open_differences import open_differences
from tests.golden.replay import Mismatch
from tests.golden.run import run
from tests.golden.transcript import Exchange, Recording, age, load, names, parse

SHORT = 200
"""Longest value that is printed whole."""


class Outcome(NamedTuple):
    """What came of one recording."""

    name: str
    mismatches: list[Mismatch]
    seconds: float
    exchanges: int
    broken: str = ""
    """Why it could not be replayed at all."""
    skipped: str = ""
    """Why it was not tried."""

    @property
    def cell(self) -> str:
        """The entry in the table."""
        if self.skipped:
            return "n/b"
        return "!" if self.broken else str(len(self.mismatches) or ".")


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
            print("\n".join(_report(outcome, options)), flush=True)
    if options.summary or len(outcomes) > 1:
        print("\n".join(_table(outcomes)))
    sys.exit(any(o.mismatches or o.broken for o in outcomes))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    parser.add_argument("--summary", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--first", type=int, default=20)
    parser.add_argument("--files", action="store_true")
    parser.add_argument("--strict-text", action="store_true")
    parser.add_argument("--hide-open", action="store_true")
    parser.add_argument("--from", dest="originals", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    return parser.parse_args(arguments)


def _names(originals: Path | None) -> list[str]:
    if originals is None:
        return names()
    found = [f"{p.parent.name}-{p.name.removesuffix('.tar.gz')}" for p in sorted(originals.glob("*/*.tar.gz"))]
    return sorted(found, key=lambda name: (age(name.partition("-")[0]), name))


def _matches(name: str, patterns: Sequence[str]) -> bool:
    release, _, rest = name.partition("-")
    known = {name, release, rest, rest.partition("--")[0]}
    return not patterns or any(pattern in known or fnmatchcase(name, pattern) for pattern in patterns)


# ---- replaying


def _outcomes(chosen: list[str], options: argparse.Namespace) -> Iterator[Outcome]:
    attempt = partial(_attempt, options=options)
    if options.jobs == 1:
        yield from map(attempt, chosen)
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        yield from pool.map(attempt, chosen, chunksize=4)


def _attempt(name: str, options: argparse.Namespace) -> Outcome:
    known = open_differences()
    recording = _load(name, options.originals)
    exchanges = [line for lines in recording.transcripts.values() for line in lines if isinstance(line, Exchange)]
    unnamed = not options.patterns
    if len(recording.transcripts) > 1 or (unnamed and known.why_not_built(name)):
        return Outcome(name, [], 0, len(exchanges), skipped=known.why_not_built(name) or "several brokers")
    start = time.perf_counter()
    try:
        with tempfile.TemporaryDirectory() as folder:
            found = run(recording, Path(folder), files=options.files, strict_text=options.strict_text)
    except Exception as e:
        return Outcome(name, [], time.perf_counter() - start, len(exchanges), broken=f"{type(e).__name__}: {e}")
    if options.hide_open:
        found = known.unlisted(name, found)
    return Outcome(name, found, time.perf_counter() - start, len(exchanges))


def _load(name: str, originals: Path | None) -> Recording:
    if originals is None:
        return load(name)
    release, _, rest = name.partition("-")
    return parse(name, take.recording(take.members(originals / release / f"{rest}.tar.gz")))


# ---- printing


def _report(outcome: Outcome, options: argparse.Namespace) -> Iterator[str]:
    what = outcome.skipped or outcome.broken or f"{len(outcome.mismatches)} differences"
    yield f"{outcome.name:40} {what} ({outcome.exchanges} exchanges, {outcome.seconds:.2f} s)"
    kinds = _kinds(outcome.mismatches)
    for group in kinds[: options.first]:
        yield f"  {_numbers(m.n for m in group)} {group[0].what}  {group[0].difference.path}"
        yield from _values(outcome.name, group[0], options)
    if len(kinds) > options.first:
        yield f"  ... and {len(kinds) - options.first} more kinds"


def _kinds(mismatches: Iterable[Mismatch]) -> list[list[Mismatch]]:
    """Differences that are the same but for the exchange, together."""
    found: dict[tuple[str, str], list[Mismatch]] = {}
    for mismatch in mismatches:
        found.setdefault((mismatch.what, repr(mismatch.difference)), []).append(mismatch)
    return list(found.values())


def _values(name: str, mismatch: Mismatch, options: argparse.Namespace) -> Iterator[str]:
    limit = sys.maxsize if options.verbose else SHORT
    yield f"        recorded  {_words(mismatch.difference.recorded, limit)}"
    yield f"        got       {_words(mismatch.difference.got, limit)}"
    if mismatch.note:
        yield f"        under     {mismatch.note[:limit]}"
    if options.verbose and mismatch.n:
        recording = _load(name, options.originals)
        (exchange,) = (x for x in recording.lines if isinstance(x, Exchange) and x.n == mismatch.n)
        yield f"        request   {decode_request(exchange) or exchange.request.hex()}"


def _words(value: Form, limit: int) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text)})"


def _numbers(numbers: Iterable[int]) -> str:
    """ "#3, #5-7"."""
    runs: list[list[int]] = []
    for n in sorted(set(numbers)):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(f"#{a}" if a == b else f"#{a}-{b}" for a, b in runs)


def _table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Differences by scenario and release."""
    cells = {tuple(o.name.split("-", 1)): o for o in outcomes}
    releases = sorted({release for release, _ in cells}, key=age)
    scenarios = sorted({scenario for _, scenario in cells})
    width = max(map(len, scenarios))
    yield ""
    yield " " * width + "".join(f"{release:>9}" for release in releases)
    for scenario in scenarios:
        row = (cells.get((release, scenario)) for release in releases)
        yield f"{scenario:{width}}" + "".join(f"{o.cell if o else '':>9}" for o in row)
    differing = [o for o in outcomes if o.mismatches]
    equal, broken = sum(o.cell == "." for o in outcomes), sum(bool(o.broken) for o in outcomes)
    skipped, seconds = sum(bool(o.skipped) for o in outcomes), sum(o.seconds for o in outcomes)
    count = sum(len(o.mismatches) for o in differing)
    yield f"{len(outcomes)} recordings, {seconds:.1f} s"
    yield f"{equal} without a difference (.), {len(differing)} with {count} differences"
    yield f"{broken} could not be replayed (!), {skipped} not built (n/b)"
    for o in outcomes:
        if o.broken:
            yield f"! {o.name}: {o.broken[:SHORT]}"
