"""`fakekafka bugs`: what it prints, and how it ends."""

from dataclasses import replace

import pytest
from fakekafka.bugs import bug, run
from fakekafka.cli import main
from fakekafka.cli.bugs import story_of, text_of


def test_bugs_lists_one_line_for_each_bug(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("KAFKA-6739 ") and "0.11.0.0 - 1.0.1, 1.1.0" in line for line in lines)
    assert lines[-1].startswith(f"{len(lines) - 2} bugs; ")


def test_bugs_must_match_everything_that_is_given(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "--release", "1.0.1", "--client", "pykafka", "--symptom", "headers", "--kind", "bug"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["bug", "KAFKA-6739", "1"]


def test_finding_nothing_is_status_1() -> None:
    assert main(["bugs", "--symptom", "nobody says this"]) == 1


def test_show_prints_the_story(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "show", "kafka-6739"]) == 0
    out = capsys.readouterr().out
    for name in ("kind", "releases", "without it", "clients", "symptom", "cause", "remedy", "to see it", "sources"):
        assert f"\n{name} " in out
    assert "1.0.2, 1.1.1" in out


def test_show_says_why_there_is_nothing_to_see() -> None:
    assert "not played here: it is a race" in story_of(bug("KAFKA-15653"))


def test_run_plays_both_sides(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bugs", "run", "KAFKA-6739", "--release", "0.11.0.0"]) == 0
    out = capsys.readouterr().out
    assert "affected: 0.11.0.0" in out
    assert "without it: 1.0.2" in out
    assert out.endswith("as described\n")


def test_a_run_with_another_outcome_says_what_was_expected() -> None:
    known = bug("KAFKA-1588")
    assert known.cured is not None
    text = text_of(known, run(replace(known, affected=known.cured)))
    assert "!! expected answers to two questions: 1" in text
    assert text.endswith("NOT AS DESCRIBED")


@pytest.mark.parametrize(("arguments", "says"), [
    (["bugs", "show"], "name a bug"),
    (["bugs", "run", "KAFKA-15653"], "KAFKA-15653 is not shown: "),
    (["bugs", "show", "KAFKA-1"], "no bug 'KAFKA-1'"),
])  # fmt: skip
def test_an_impossible_call_is_reported_in_one_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert says in capsys.readouterr().err
