"""Which test shows which statement: the table of `pytest --statements`, and what it is made from."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

import pytest

DOCUMENTS = {
    "S0": "KIP-31: message format 1",
    "S1": "KIP-98: message format 2, as drafted",
    "S2": "KIP-33: time index",
    "S3": "KIP-984: pluggable compression",
    "S4": "offset management",
}
Coverage: TypeAlias = Mapping[str, Sequence[str]]
"""The tests that show each statement, by its id."""


class Statement(NamedTuple):
    """A statement of a design document."""

    id: str
    """Document and number: "S0-12"."""
    statement: str
    shipped: Literal["same", "partly", "differs", "never", "doc"]
    """Kafka does so; in part; otherwise; it was never built; it is a remark with a figure."""
    note: str


@cache
def statements() -> dict[str, Statement]:
    """All, by id."""
    found = json.loads(Path(__file__).with_name("statements.json").read_text("utf-8"))
    return {each["id"]: Statement(**each) for each in found}


def coverage(items: Iterable[pytest.Item]) -> Coverage:
    """What tests say they show. Parameters of a test are left out."""
    shown: dict[str, dict[str, None]] = defaultdict(dict)
    for item in items:
        for mark in item.iter_markers("statement"):
            for id in mark.args:
                shown[id][item.nodeid.partition("[")[0]] = None
    return {id: list(tests) for id, tests in shown.items()}


def table(shown: Coverage, wanted: str) -> Iterator[str]:
    """The lines of the table, of statements whose id begins with `wanted`."""
    chosen = [each for each in statements().values() if each.id.startswith(wanted)]
    for document, title in DOCUMENTS.items():
        of_document = [each for each in chosen if each.id.startswith(f"{document}-")]
        if of_document:
            yield f"{document}  {title}"
        for each in of_document:
            yield f"  {each.id:6} {each.shipped:8} {each.statement}"
            if each.note:
                yield f"{'':18}({each.note})"
            yield from (f"{'':18}{test}" for test in shown.get(each.id, ["not shown by a test"]))
    covered = sum(each.id in shown for each in chosen)
    yield f"{covered} of {len(chosen)} statements are shown by a test"
