"""The matrix of a report, client by release: each square shows its cells by a sign and some letters."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from fakekafka_compat.report.matrix_report import HANDLINGS, OUTCOMES, Report, ReportedCell

SIGNS: Final = dict(zip(OUTCOMES, "✓✗!–"))
CLASSES: Final = dict(zip(OUTCOMES, ("as", "differs", "known", "skipped")))


class Square(NamedTuple):
    """A square of the matrix: all cells of one client and release."""

    number: int
    cells: Sequence[ReportedCell]
    kind: str
    sign: str
    zero: int
    """The percentage of zero-copy cells among those that ran; `converted`: that of cells that are zero-copy or
    converted."""
    converted: int
    letters: str
    words: str
    """The square in words, for screen readers."""


def squares(report: Report) -> dict[tuple[str, str], Square]:
    """The squares of the matrix, by client and release."""
    return {place: _square(n, *place, cells) for n, (place, cells) in enumerate(report.groups.items())}


def _square(number: int, client: str, release: str, cells: Sequence[ReportedCell]) -> Square:
    outcomes = [reported.outcome for reported in cells]
    worst = min(outcomes, key=("differs", "known difference", "as the real broker", "not runnable here").index)
    handlings = {how: sum(each.story.handling == how for each in cells) for how in HANDLINGS}
    ran = sum(handlings.values()) or 1
    counts = {name: outcomes.count(name) for name in OUTCOMES} | handlings
    return Square(
        number,
        cells,
        CLASSES[worst],
        SIGNS[worst],
        round(100 * handlings["zero-copy"] / ran),
        round(100 * (handlings["zero-copy"] + handlings["converted"]) / ran),
        " ".join(f"{how[0]}{n}" for how, n in handlings.items() if n),
        f"{client} on {release}: " + ", ".join(f"{n} {name}" for name, n in counts.items() if n),
    )
