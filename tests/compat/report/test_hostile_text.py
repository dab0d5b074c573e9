"""Reports on hostile clients hold nothing that a terminal or a browser obeys, and no line that the client made up."""

import unicodedata
from collections.abc import Callable

import pytest
from fakekafka.escaping import HIDDEN
from fakekafka_compat.bug_outcomes import Outcome
from fakekafka_compat.cli import _tell
from fakekafka_compat.report.html import page
from fakekafka_compat.report.junit import junit
from fakekafka_compat.report.markdown import markdown
from fakekafka_compat.report.matrix_report import Report
from fakekafka_compat.verdict import Verdict
from fakekafka_spark.observations import Cell, Observation

from tests.compat.report.observed import fact, requests, zero_copy
from tests.compat.report.reports import of
from tests.fuzz.test_hostile_text import HOSTILE

CELL = Cell.of("own", "2.3", "", "", "none", "roundtrip")


def told(*rows: Observation) -> Report:
    return of([(CELL, list(rows))], None)


REPORTS = {
    "a cell that failed": told(Observation("cell", value="failed", amount=1, text=HOSTILE)),
    "a cell that was skipped": told(Observation("cell", value="skipped", amount=0, text=HOSTILE)),
    "a cell that differs": told(*zero_copy(), fact("version of the client", HOSTILE, "1.0"), requests(HOSTILE)),
}


@pytest.mark.parametrize("report", REPORTS.values(), ids=list(REPORTS))
@pytest.mark.parametrize("form", [page, markdown, junit])
def test_hostile_text_in_a_report_is_not_obeyed(report: Report, form: Callable[[Report], str]) -> None:
    text = form(report)
    hidden = {character for character in text if unicodedata.category(character) in HIDDEN}
    assert hidden <= {"\n", "\t"}
    assert "<script>alert" not in text.replace("&lt;", "")
    assert "FORGED" in text
    if form is markdown:  # in HTML and XML, lines mean nothing
        assert not [line for line in text.splitlines() if line.startswith("FORGED")]


def test_hostile_text_in_the_verdicts_of_a_run_is_not_obeyed(capsys: pytest.CaptureFixture[str]) -> None:
    _tell([Verdict(CELL, "differs", [HOSTILE])], [])
    printed = capsys.readouterr().out
    assert "FORGED" in printed
    assert {character for character in printed if unicodedata.category(character) in HIDDEN} == {"\n"}
    assert all(line.startswith("    ") for line in printed.splitlines()[1:-1])


def test_hostile_text_from_a_real_client_is_not_obeyed() -> None:
    from fakekafka.bugs import bug

    side = bug("KAFKA-6739").affected
    assert side is not None
    text = str(Outcome("kafka-python 1.4.4", side, 1, 0, HOSTILE))
    assert "FORGED" in text
    assert not [character for character in text if unicodedata.category(character) in HIDDEN]
