"""The table of statements, and that every mark names one."""

import re
from collections import Counter
from pathlib import Path

from tests.statements.coverage import DOCUMENTS, statements, table

TESTS = Path(__file__).parents[1]


def test_the_five_documents_have_242_statements() -> None:
    found = Counter(id.partition("-")[0] for id in statements())
    assert set(found) == set(DOCUMENTS)
    assert sum(found.values()) == 242


def test_the_table_shows_tests_notes_and_gaps() -> None:
    lines = list(table({"S0-5": ["tests/test_it.py::test_two_bits"]}, "S0-5"))
    assert lines[0].startswith("S0  KIP-31")
    assert lines[1].startswith("  S0-5   differs  lowest two attribute bits are the codec")
    assert lines[2].strip().startswith("(")
    assert lines[3].strip() == "tests/test_it.py::test_two_bits"
    assert lines[-1] == f"1 of {sum(id.startswith('S0-5') for id in statements())} statements are shown by a test"
    assert any(line.strip() == "not shown by a test" for line in lines)


def test_every_statement_is_shown_and_every_mark_names_one() -> None:
    marks = re.compile(r"mark\.statement\(([^)]*)\)")
    texts = (path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    named = {id for text in texts for mark in marks.findall(text) for id in re.findall(r"S\d-\d+", mark)}
    assert named ^ statements().keys() == set()
