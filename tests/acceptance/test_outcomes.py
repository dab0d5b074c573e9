"""How a run of kafka-python's tests is judged; the run itself is `tox -e acceptance`."""

from pathlib import Path

from fakekafka.releases.release import Release

from tests.acceptance.outcomes import Known, Outcome, judge, known, outcomes

R2_3 = Release.parse("2.3")
TABLE = [Known("test_old", Release.parse("1.1"), R2_3, "because")]

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


def test_an_explanation_ends_with_its_releases() -> None:
    result = judge(Release.parse("2.4"), [Outcome("test_old", "failed", "")], TABLE)
    assert [outcome.test for outcome in result.unexplained] == ["test_old"]


def test_a_known_failure_that_passes_is_reported() -> None:
    assert judge(R2_3, [Outcome("test_old", "passed", "")], TABLE).surprising == TABLE


def test_the_table_gives_a_reason_for_each() -> None:
    assert known()
    assert all(row.why and row.first.line_number <= row.last.line_number for row in known())
