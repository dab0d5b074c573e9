"""The table of statements; every mark names one, and every statement that can be shown has a mark."""

import re
from collections import Counter
from pathlib import Path

from fakekafka.drafts.known import DRAFTS

from tests.statements.coverage import AS_SHIPPED, DOCUMENTS, REMARK, statements, table

TESTS = Path(__file__).parents[1]


def test_the_five_documents_have_242_statements() -> None:
    found = Counter(id.partition("-")[0] for id in statements())
    assert set(found) == set(DOCUMENTS)
    assert sum(found.values()) == 242


def test_the_table_prints_what_was_shipped_where_it_is_shown_the_note_and_the_tests() -> None:
    lines = list(table({"S0-5": ["tests/test_it.py::test_two_bits"]}, "S0-5"))
    assert lines[0].startswith("S0  KIP-31")
    assert lines[1].startswith("  S0-5   differs  as shipped                  lowest two attribute bits are the codec")
    assert lines[2].strip().startswith("(")
    assert lines[3].strip() == "tests/test_it.py::test_two_bits"


def test_the_last_line_counts_how_statements_are_shown() -> None:
    tests = {id: ["tests/test_it.py::test_it"] for id in ("S3-3", "S3-30", "S3-31")}
    lines = list(table(tests, "S3-3"))
    below = {line.split()[0]: lines[n + 1].strip() for n, line in enumerate(lines[:-1])}
    assert below["S3-3"] == "tests/test_it.py::test_it"
    assert lines[-1] == "4 statements: 0 are shown as shipped, 2 as draft, 1 are remarks, 1 lack a test"


def test_every_mode_is_a_release_a_draft_or_a_remark() -> None:
    known = {AS_SHIPPED, REMARK, *(draft.name for draft in DRAFTS)}
    assert {each.id: each.mode for each in statements().values() if each.mode not in known} == {}


def test_no_statement_that_was_never_shipped_is_shown_by_a_release() -> None:
    never = [each for each in statements().values() if each.shipped == "never"]
    assert [each.id for each in never if each.mode == AS_SHIPPED] == []


def test_every_statement_is_shown_and_every_mark_names_a_statement() -> None:
    marks = re.compile(r"mark\.statement\(([^)]*)\)")
    texts = (path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    named = {id for text in texts for mark in marks.findall(text) for id in re.findall(r"S\d-\d+", mark)}
    assert named == statements().keys()
