"""Runs of releases."""

import pytest
from fakekafka.errors import UsageError
from fakekafka.releases.release import Release
from fakekafka.releases.release_runs import ReleaseRuns


@pytest.mark.parametrize(("runs", "inside", "outside"), [
    ("0.11.0.0 - 1.0.1, 1.1.0", ["0.11.0.3", "1.0.0", "1.1.0"], ["0.10.2.2", "1.0.2", "1.1.1", "2.0.0"]),
    ("2.4.0", ["2.4.0"], ["2.3.1", "2.4.1"]),
    ("4.0.0 -", ["4.0.0", "4.3.1"], ["3.9.2"]),
])  # fmt: skip
def test_a_release_is_in_its_runs(runs: str, inside: list[str], outside: list[str]) -> None:
    found = ReleaseRuns.parse(runs)
    assert all(Release.parse(name) in found for name in inside)
    assert not any(Release.parse(name) in found for name in outside)


def test_a_bug_is_cured_in_the_release_after_each_run() -> None:
    assert [str(r) for r in ReleaseRuns.parse("0.11.0.0 - 1.0.1, 1.1.0").cured_in()] == ["1.0.2", "1.1.1"]
    assert ReleaseRuns.parse("4.0.0 -").cured_in() == []


@pytest.mark.parametrize("wrong", ["1.1.0, 1.0.0", "2.0.1 - 1.0.0", "0.7.0"])
def test_impossible_runs_are_refused(wrong: str) -> None:
    with pytest.raises(UsageError):
        ReleaseRuns.parse(wrong)
