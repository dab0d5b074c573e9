"""The tests that show each statement: the table of `pytest --statements`, and what it is made from."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import pytest

Shown: TypeAlias = Literal["yes", "indirectly", "cannot"]
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
    """Kafka does so; in part; otherwise; it was never built; it is a remark with a figure."""
    shown: Shown
    """Its tests would fail if it were false (where Kafka differs: if Kafka did as the document says); they show a part
    of it, or what follows from it; no test can show it, as nothing was built that it speaks of.
    """
    note: str


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
            yield f"  {each.id:6} {each.shipped:8} {each.shown:11} {each.statement}"
            if each.note:
                yield f"{'':30}({each.note})"
            yield from (f"{'':30}{test}" for test in tests.get(each.id, [MISSING] if each.shown != "cannot" else []))
    count = Counter("missing" if each.shown != "cannot" and each.id not in tests else each.shown for each in chosen)
    yield (
        f"{len(chosen)} statements: {count['yes']} are shown by tests, {count['indirectly']} indirectly, "
        f"{count['cannot']} cannot be shown, {count['missing']} lack a test"
    )
