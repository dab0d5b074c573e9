"""Every divergence from the real brokers: what `explain()` says, over all releases."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from fakekafka import Difference, FakeKafka
from fakekafka.releases.release import LAST_PATCH

from docs.generator.tables import table

COLUMNS: Final = ("what", "here", "a real broker", "why")


@cache
def of_line(line: str) -> tuple[Difference, ...]:
    """What differs from the last patch release of a line: a single broker with its defaults."""
    return tuple(FakeKafka(line).explain())


def rows(differences: Sequence[Difference]) -> list[tuple[str, ...]]:
    return [(one.what, one.here, one.real, one.why) for one in differences]


def page() -> str:
    lines_of: dict[Difference, list[str]] = {}
    for line in LAST_PATCH:
        for one in of_line(line):
            lines_of.setdefault(one, []).append(line)
    listed = [(*cells, _span(lines_of[one])) for one, cells in zip(lines_of, rows(list(lines_of)))]
    return f"""# Differences from a real broker

Every way in which the double is known to differ from a real broker of its release, with the reason. `kafka.explain()`
and `fakekafka explain --release 2.3` say the same for one broker as it is configured, and more for several brokers,
drafts and quirks.

{table((*COLUMNS, "releases"), listed)}"""


def _span(lines: list[str]) -> str:
    """Releases as runs: "0.8.0 - 2.3, 2.8"."""
    runs: list[list[str]] = []
    known = list(LAST_PATCH)
    for line in lines:
        if runs and known.index(line) == known.index(runs[-1][-1]) + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} - {run[-1]}" for run in runs)
