"""The tests that show each statement: the table of `pytest --statements`, and its sources."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import pytest

AS_SHIPPED = "shipped"
REMARK = "remark"
DOCUMENTS = {
    "S0": "KIP-31: message format 1",
    "S1": "KIP-98: message format 2, as drafted",
    "S2": "KIP-33: time index",
    "S3": "KIP-984: pluggable compression",
    "S4": "offset management",
}
MISSING = "no test is marked with it"
Coverage: TypeAlias = Mapping[str, Sequence[str]]
"""The tests that show each statement, by its id."""


class Statement(NamedTuple):
    """A statement of a design document."""

    id: str
    """Document and number: "S0-12"."""
    statement: str
    shipped: Literal["same", "partly", "differs", "never", "doc"]
    """Whether Kafka does as the statement says: yes, in part, differently, or never built; or that it is a remark with
    a figure.
    """
    mode: str
    """Where the statement is shown: "shipped", by releases; the name of a draft, by clusters that play it; "remark", if
    it states a figure or is about another program.
    """
    note: str

    @property
    def shown(self) -> str:
        """The mode in words: what a test of it would have to contradict."""
        if self.mode == AS_SHIPPED:
            return "as shipped"
        return "remark" if self.mode == REMARK else f"as draft {self.mode}"


@cache
def statements() -> dict[str, Statement]:
    """All statements, by id."""
    found = json.loads(Path(__file__).with_name("statements.json").read_text("utf-8"))
    return {each["id"]: Statement(**each) for each in found}


def coverage(items: Iterable[pytest.Item]) -> Coverage:
    """The statements that tests are marked with. Parameters of a test are left out."""
    shown: dict[str, dict[str, None]] = defaultdict(dict)
    for item in items:
        for mark in item.iter_markers("statement"):
            for id in mark.args:
                shown[id][item.nodeid.partition("[")[0]] = None
    return {id: list(tests) for id, tests in shown.items()}


def table(tests: Coverage, wanted: str) -> Iterator[str]:
    """The lines of the table, of statements whose id begins with `wanted`."""
    chosen = [each for each in statements().values() if each.id.startswith(wanted)]
    for document, title in DOCUMENTS.items():
        of_document = [each for each in chosen if each.id.startswith(f"{document}-")]
        if of_document:
            yield f"{document}  {title}"
        for each in of_document:
            yield f"  {each.id:6} {each.shipped:8} {each.shown:27} {each.statement}"
            if each.note:
                yield f"{'':46}({each.note})"
            yield from (f"{'':46}{test}" for test in tests.get(each.id, [MISSING]))
    count = Counter("missing" if each.id not in tests else each.shown.split()[-2:][0] for each in chosen)
    yield (
        f"{len(chosen)} statements: {count['as']} are shown as shipped, {count['draft']} as draft, "
        f"{count['remark']} are remarks, {count['missing']} lack a test"
    )
