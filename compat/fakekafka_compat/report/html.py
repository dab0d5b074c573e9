"""The report as one HTML page that needs nothing else: no network, no framework, and no JavaScript to be read.

Everything is in plain `<details>` elements, so that a browser without JavaScript shows it, finds words in it and prints
it. Only a report of many cells folds something: of cells that are as they should be, the last requests, and the facts
besides versions, bytes and records. These would be half of such a page, and are repetitive: each distinct line stands
once, and a cell has the numbers of its lines. That takes some 850 bytes per cell.
"""

from importlib.resources import files
from typing import Final

from fakekafka import UsageError
from fakekafka.escaping import escaped_value

from fakekafka_compat.report.matrix_report import FILTERS, HANDLINGS, OUTCOMES, OWN, Report
from fakekafka_compat.report.squares import CLASSES, SIGNS, squares

FOLDED_FROM: Final = 400
"""A report with this many cells or more folds parts of them."""
MOST_REASONS: Final = 20


def page(report: Report) -> str:
    """The whole page. Raises `UsageError` without jinja2."""
    try:
        from jinja2 import Environment, PackageLoader, StrictUndefined
        from markupsafe import Markup
    except ImportError:
        raise UsageError("the HTML report needs jinja2: install fakekafka[compat]") from None
    loader = PackageLoader("fakekafka_compat", "report")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, finalize=escaped_value)
    folder = files("fakekafka_compat") / "report"
    lines, folded = _folded(report)
    return environment.get_template("page.html.jinja").render(
        report=report,
        css=Markup((folder / "page.css").read_text("utf-8")),
        js=Markup((folder / "page.js").read_text("utf-8")),
        axes=[(axis, values) for axis, values in _axes(report).items() if len(values) > 1],
        keys=_keys(report),
        squares=squares(report),
        differing=[reported for reported in report.cells if reported.outcome in OUTCOMES[1:3]],
        lines=lines,
        folded=folded,
        most=MOST_REASONS,
        outcomes=OUTCOMES,
        handlings=HANDLINGS,
        signs=SIGNS,
        classes=CLASSES,
        own=OWN | {"scenario": "", "codec": "", "outcome": "", "bytes": ""},
    )


def _axes(report: Report) -> dict[str, list[str]]:
    """The axes to filter by, and their values; each cell's `data-k` has the numbers of its values."""
    axes = {axis: report.values(axis) for axis in FILTERS}
    axes["outcome"] = [name for name in OUTCOMES if report.count(name)]
    axes["bytes"] = [*(how for how in HANDLINGS if report.count_handling(how)), "none"]
    return axes


def _keys(report: Report) -> list[str]:
    """By a cell's number: its value on each axis that has more than one value."""
    axes = {axis: values for axis, values in _axes(report).items() if len(values) > 1}
    keys = []
    for reported in report.cells:
        own = reported.story.cell._asdict() | {"outcome": reported.outcome, "bytes": reported.story.handling}
        keys.append(" ".join(str(values.index(own[axis])) for axis, values in axes.items()))
    return keys


def _folded(report: Report) -> tuple[list[str], dict[int, str]]:
    """The distinct lines, and by a cell's number those that it has: lines of facts and, after a bar, of requests."""
    if len(report.cells) < FOLDED_FROM:
        return [], {}
    lines: dict[str, int] = {}
    folded = {}
    for reported in report.cells:
        if reported.outcome not in OUTCOMES[1:3] and reported.story.requests:
            facts = [f"{fact.name}: {fact.value}" for fact in reported.story.facts]
            parts = ([lines.setdefault(line, len(lines)) for line in part] for part in (facts, reported.story.requests))
            folded[reported.number] = "|".join(" ".join(map(str, numbers)) for numbers in parts)
    return list(lines), folded
