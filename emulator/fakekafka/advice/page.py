"""Advice as one HTML page that needs no network, with a picture of the path."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from fakekafka.advice.steps import StepAdvice
from fakekafka.advice.text import ESTIMATE, client_line, heading, way_back
from fakekafka.errors import UsageError
from fakekafka.escaping import escaped_value

TEMPLATE: Final = Path(__file__).parent / "page.html.jinja"
WIDTH, LEFT, RADIUS = 170, 90, 18


def page(steps: Sequence[StepAdvice], title: str) -> str:
    """The advice as a page. Raises `UsageError` if jinja2 is missing."""
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError:
        raise UsageError("--html needs jinja2: pip install jinja2") from None
    loader = FileSystemLoader(TEMPLATE.parent)
    templates = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=escaped_value
    )
    drawn = [(LEFT + WIDTH * step.number, step) for step in steps]
    return templates.get_template(TEMPLATE.name).render(
        title=title, steps=steps, drawn=drawn, width=LEFT + WIDTH * len(steps), radius=RADIUS, estimate=ESTIMATE,
        client_line=client_line,
        heading=heading,
        way_back=way_back,
    )  # fmt: skip
