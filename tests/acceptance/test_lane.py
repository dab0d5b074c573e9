"""A lane judges what its suite reports, and says plainly what is missing."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.acceptance import go_tests
from tests.acceptance.lane import NoSuite, Suite, main
from tests.acceptance.outcomes import Outcome
from tests.acceptance.processes import LaneBroken, Output
from tests.acceptance.setups import Setup, chosen, setup

USUAL = (setup("2.8"), setup("4.3"), setup("4.3", brokers=3))


def suite(outcomes: dict[str, list[Outcome]]) -> Suite:
    def run(setup: Setup, root: Path, output: Output) -> Iterable[Outcome]:
        if str(setup) not in outcomes:
            raise LaneBroken("no broker today")
        return outcomes[str(setup)]

    return Suite("franz-go", "a suite", USUAL, lambda folder, checkout: folder, run)


GOOD, BAD = Outcome("TestA", "passed", ""), Outcome("TestB", "failed", "b.go:1: no")


def test_a_failure_that_nothing_explains_fails_the_lane(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(suite({"2.8.2": [GOOD, BAD]}), ["2.8"]) == 1
    assert "FAILED TestB: b.go:1: no" in capsys.readouterr().out


def test_the_lane_passes_with_its_tests() -> None:
    assert main(suite({"2.8.2": [GOOD]}), ["2.8"]) == 0


def test_a_run_without_tests_fails_the_lane() -> None:
    assert main(suite({"2.8.2": []}), ["2.8"]) == 1


def test_a_broken_run_does_not_end_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(suite({"4.3.1": [GOOD], "4.3.1, 3 brokers": [GOOD]}), []) == 1
    lines = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in lines[1:]] == ["2.8.2", "4.3.1", "4.3.1, 3 brokers"]


def test_missing_tools_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    without = suite({})._replace(ready=lambda folder, _: go_tests.downloaded("example.org/module", "v1"))
    assert main(without, []) == 2
    assert capsys.readouterr().err == "franz-go: needs Go, and there is none on this machine\n"


def test_where_no_registry_has_the_tests_the_first_argument_is_a_checkout(tmp_path: Path) -> None:
    seen = []

    def ready(folder: Path, checkout: Path | None) -> Path:
        seen.append(checkout)
        raise NoSuite("the end")

    assert main(suite({})._replace(ready=ready, wants_checkout=True), [str(tmp_path)]) == 2
    assert seen == [tmp_path]


def test_a_release_stands_for_all_its_setups() -> None:
    assert chosen(["4.3"], USUAL) == list(USUAL[1:])
    assert chosen(["1.1"], USUAL) == [setup("1.1")]
    assert chosen([], USUAL) == list(USUAL)
