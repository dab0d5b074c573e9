"""Differences in words: for the developers' tool and for the messages of failed tests."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tests.golden.form import Form
from tests.golden.messages import decode_request
from tests.golden.replay import Mismatch
from tests.golden.transcript import Exchange, Recording, age

SHORT = 200
"""The longest value that is printed whole."""
_ELEMENT = re.compile(r"\[[^\]]*\]")
_VERSION = re.compile(r" v-?\d+$")


class Outcome(NamedTuple):
    """The result of replaying one recording."""

    name: str
    mismatches: list[Mismatch]
    seconds: float = 0
    broken: str = ""
    """Why the recording could not be replayed at all."""

    @property
    def cell(self) -> str:
        """The entry in the table."""
        return "!" if self.broken else str(len(self.mismatches) or ".")


def details(mismatches: Sequence[Mismatch], first: int, recording: Recording | None = None) -> Iterator[str]:
    """The first kinds of differences, each with its values. With a recording: whole values, and the request."""
    kinds: dict[tuple[str, str], list[Mismatch]] = {}
    for mismatch in mismatches:
        kinds.setdefault((mismatch.what, repr(mismatch.difference)), []).append(mismatch)
    limit = SHORT if recording is None else sys.maxsize
    for group in list(kinds.values())[:first]:
        yield f"  {numbers(m.n for m in group if m.n)} {group[0].what}  {group[0].difference.path}"
        yield f"        recorded  {_short(group[0].difference.recorded, limit)}"
        yield f"        got       {_short(group[0].difference.got, limit)}"
        if group[0].note:
            yield f"        under     {group[0].note[:limit]}"
        if recording is not None and group[0].n:
            yield f"        request   {_request(recording, group[0].n)}"
    if len(kinds) > first:
        yield f"  ... and {len(kinds) - first} more kinds"


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """How many differences there are, by scenario and release."""
    cells = {tuple(o.name.split("-", 1)): o for o in outcomes}
    releases = sorted({release for release, _ in cells}, key=age)
    scenarios = sorted({scenario for _, scenario in cells})
    width = max(map(len, scenarios))
    yield " " * width + "".join(f"{release:>9}" for release in releases)
    for scenario in scenarios:
        row = (cells.get((release, scenario)) for release in releases)
        yield f"{scenario:{width}}" + "".join(f"{o.cell if o else '':>9}" for o in row)


def totals(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """How many recordings had which result, and why some could not be replayed."""
    differing = [o for o in outcomes if o.mismatches]
    equal = sum(o.cell == "." for o in outcomes)
    yield f"{len(outcomes)} recordings, {sum(o.seconds for o in outcomes):.1f} s: {equal} without a difference (.)"
    yield f"{len(differing)} with {sum(len(o.mismatches) for o in differing)} differences"
    reasons: dict[str, list[str]] = {}
    for o in outcomes:
        if o.broken:
            reasons.setdefault(o.broken[:SHORT], []).append(o.name)
    for reason, where in reasons.items():
        yield f"! {', '.join(where[:3])}{', ...' if len(where) > 3 else ''} ({len(where)}): {reason}"


def most_frequent(outcomes: Iterable[Outcome], first: int) -> Iterator[str]:
    """The kinds of differences that most exchanges show, whatever the recording, version and element."""
    kinds: dict[tuple[str, str, str, str], list[str]] = {}
    for o in outcomes:
        for m in o.mismatches:
            where = _VERSION.sub("", m.what), _ELEMENT.sub("[]", m.difference.path)
            values = _short(m.difference.recorded, SHORT), _short(m.difference.got, SHORT)
            kinds.setdefault((*where, *values), []).append(f"{o.name} #{m.n}")
    ranked = sorted(kinds.items(), key=lambda kind: -len(kind[1]))
    for (what, path, recorded, got), places in ranked[:first]:
        yield f"{len(places):6} x {what}  {path}"
        yield f"           recorded  {recorded}"
        yield f"           got       {got}"
        yield f"           in        {', '.join(places[:3])}" + (", ..." if len(places) > 3 else "")
    if len(ranked) > first:
        yield f"  ... and {len(ranked) - first} more kinds"


def numbers(found: Iterable[int]) -> str:
    """ "#3, #5-7"."""
    runs: list[list[int]] = []
    for n in sorted(set(found)):
        if runs and runs[-1][1] == n - 1:
            runs[-1][1] = n
        else:
            runs.append([n, n])
    return ", ".join(f"#{first}" if first == last else f"#{first}-{last}" for first, last in runs)


def _short(value: Form, limit: int) -> str:
    text = repr(value)
    return text if len(text) <= limit else f"{text[:limit]} ... ({len(text)})"


def _request(recording: Recording, n: int) -> str:
    (exchange,) = (line for line in recording.lines if isinstance(line, Exchange) and line.n == n)
    return str(decode_request(exchange) or exchange.request.hex())
