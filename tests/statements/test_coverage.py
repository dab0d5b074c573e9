"""The table of statements; every mark names one, and every statement that can be shown has a mark."""

import re
from collections import Counter
from pathlib import Path

from tests.statements.coverage import DOCUMENTS, MISSING, statements, table

TESTS = Path(__file__).parents[1]


def test_the_five_documents_have_242_statements() -> None:
    found = Counter(id.partition("-")[0] for id in statements())
    assert set(found) == set(DOCUMENTS)
    assert sum(found.values()) == 242


def test_the_table_prints_what_was_shipped_how_it_is_shown_the_note_and_the_tests() -> None:
    lines = list(table({"S0-5": ["tests/test_it.py::test_two_bits"]}, "S0-5"))
    assert lines[0].startswith("S0  KIP-31")
    assert lines[1].startswith("  S0-5   differs  yes         lowest two attribute bits are the codec")
    assert lines[2].strip().startswith("(")
    assert lines[3].strip() == "tests/test_it.py::test_two_bits"


def test_a_statement_without_a_test_is_missing_unless_it_cannot_be_shown() -> None:
    lines = list(table({"S3-32": ["tests/test_it.py::test_levels"]}, "S3-3"))
    below = {line.split()[0]: [text.strip() for text in lines[n + 1 : n + 3]] for n, line in enumerate(lines)}
    assert MISSING in below["S3-3"]
    assert MISSING not in below["S3-30"] + below["S3-31"]
    assert lines[-1] == "4 statements: 1 are shown by tests, 0 indirectly, 2 cannot be shown, 1 lack a test"


def test_every_statement_that_can_be_shown_is_and_every_mark_names_one_of_them() -> None:
    marks = re.compile(r"mark\.statement\(([^)]*)\)")
    texts = (path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    named = {id for text in texts for mark in marks.findall(text) for id in re.findall(r"S\d-\d+", mark)}
    assert named == {each.id for each in statements().values() if each.shown != "cannot"}
