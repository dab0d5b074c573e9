"""How a run of another project's tests is judged; the runs themselves are the lanes `tox -e acceptance...`."""

from pathlib import Path

import pytest
from fakekafka.releases.release import Release

from tests.acceptance.outcomes import TABLES, Known, Outcome, judge, known, outcomes
from tests.acceptance.setups import setup

R2_3 = setup("2.3")
OLD = Known("test_old", Release.parse("1.1"), Release.parse("2.3"), "because")
TABLE = [OLD]

REPORT = """<testsuites><testsuite>
<testcase name="test_good"/>
<testcase name="test_old[gzip]"><failure message="AssertionError: no&#10;second line"/></testcase>
<testcase name="test_broken"><error message="ValueError"/></testcase>
<testcase name="test_new"><skipped message="needs 4.0"/></testcase>
</testsuite></testsuites>"""


def test_a_report_is_read(tmp_path: Path) -> None:
    file = tmp_path / "report.xml"
    file.write_text(REPORT, "utf-8")
    assert outcomes(file) == [
        Outcome("test_good", "passed", ""),
        Outcome("test_old[gzip]", "failed", "AssertionError: no"),
        Outcome("test_broken", "failed", "ValueError"),
        Outcome("test_new", "skipped", "needs 4.0"),
    ]


def test_failures_are_explained_or_not() -> None:
    found = [Outcome("test_old[gzip]", "failed", ""), Outcome("test_other", "failed", ""), Outcome("a", "passed", "")]
    result = judge(R2_3, found, TABLE)
    assert [outcome.test for outcome, _ in result.explained] == ["test_old[gzip]"]
    assert [outcome.test for outcome in result.unexplained] == ["test_other"]
    assert (result.passed, result.skipped, result.surprising) == (["a"], [], [])


def test_an_explanation_applies_only_to_its_releases() -> None:
    result = judge(setup("2.4"), [Outcome("test_old", "failed", "")], TABLE)
    assert [outcome.test for outcome in result.unexplained] == ["test_old"]


def test_a_known_failure_that_passes_is_reported() -> None:
    assert judge(R2_3, [Outcome("test_old", "passed", "")], TABLE).surprising == [(OLD, "test_old")]


def test_a_test_that_fails_sometimes_may_pass() -> None:
    table = [OLD._replace(sometimes=True)]
    for verdict in ("passed", "failed"):
        result = judge(R2_3, [Outcome("test_old", verdict, "")], table)
        assert (result.unexplained, result.surprising) == ([], [])


def test_an_explanation_may_apply_to_one_pace_only() -> None:
    table = [OLD._replace(pace="instant")]
    assert judge(R2_3, [Outcome("test_old", "failed", "")], table).explained
    assert judge(R2_3._replace(pace="lifelike"), [Outcome("test_old", "failed", "")], table).unexplained


@pytest.mark.parametrize(
    ("row", "test", "named"),
    [
        ("TestDial", "TestDial/of_a_broker", True),
        ("TestDial", "TestDialer", False),
        ("Admin > logs in *", "Admin > logs in by SCRAM", True),
        ("Admin > logs in *", "Admin > logs out", False),
    ],
)
def test_a_row_stands_for_the_cases_of_its_test(row: str, test: str, named: bool) -> None:
    assert OLD._replace(test=row).covers(R2_3, test) is named


@pytest.mark.parametrize("suite", sorted(file.stem for file in TABLES.glob("*.toml")))
def test_the_table_gives_a_reason_for_each_known_failure(suite: str) -> None:
    assert all(row.why and row.first.line_number <= row.last.line_number for row in known(suite))
