"""The output of `go test -json` is read."""

import json

from tests.acceptance.go_tests import outcomes
from tests.acceptance.outcomes import Outcome


def event(action: str, test: str | None = None, output: str = "") -> str:
    return json.dumps({"Action": action, **({"Test": test} if test else {}), **({"Output": output} if output else {})})


def test_each_test_has_an_outcome() -> None:
    lines = [
        "go: downloading something",
        event("run", "TestA"),
        event("pass", "TestA"),
        event("run", "TestB"),
        event("output", "TestB", "    b_test.go:1: needs 4.2\n"),
        event("skip", "TestB"),
        event("fail"),
    ]
    assert outcomes(lines) == [Outcome("TestA", "passed", ""), Outcome("TestB", "skipped", "needs 4.2")]


def test_a_failure_has_the_last_line_of_its_output() -> None:
    lines = [
        event("run", "TestA"),
        event("output", "TestA", "    a_test.go:1: begins\n"),
        event("output", "TestA", "    a_test.go:9: got 1, want 2\n"),
        event("fail", "TestA"),
    ]
    assert outcomes(lines) == [Outcome("TestA", "failed", "got 1, want 2")]


def test_a_test_that_did_not_end_has_failed() -> None:
    assert outcomes([event("run", "TestA")]) == [Outcome("TestA", "failed", "did not end")]


def test_a_test_that_fails_only_through_its_subtests_is_left_out() -> None:
    lines = [event("run", "TestA"), event("run", "TestA/one"), event("fail", "TestA/one"), event("fail", "TestA")]
    assert [outcome.test for outcome in outcomes(lines)] == ["TestA/one"]
