"""Runs: with another release, and with an unexpected outcome."""

from dataclasses import replace

import pytest
from fakekafka.bugs import bug, run
from fakekafka.errors import UsageError


def test_another_affected_release_can_be_played() -> None:
    done = run(bug("KAFKA-6739"), "0.11.0.0")
    assert done.as_described
    assert done.affected.side.release == "0.11.0.0"


def test_a_release_without_the_bug_is_refused() -> None:
    with pytest.raises(UsageError, match=r"1\.0\.2 does not have KAFKA-6739: 0\.11\.0\.0 - 1\.0\.1, 1\.1\.0 have it"):
        run(bug("KAFKA-6739"), "1.0")


def test_a_release_on_which_the_story_does_not_show_the_bug_is_refused_with_the_reason() -> None:
    said = r"0\.11\.0\.3 has PID-ERA, but the story shows it on 1\.0\.0 - 2\.4\.1: 0\.11 answers OUT_OF_ORDER"
    with pytest.raises(UsageError, match=said):
        run(bug("PID-ERA"), "0.11.0")


def test_an_unexpected_outcome_is_marked() -> None:
    known = bug("KAFKA-6739")
    assert known.cured is not None
    done = run(replace(known, affected=known.cured))
    assert (done.affected.as_described, done.cured.as_described, done.as_described) == (False, True, False)


def test_a_run_lists_its_steps_in_order() -> None:
    told = run(bug("KAFKA-1588")).cured.narrative
    assert told == ("answers to two questions: 2",)
