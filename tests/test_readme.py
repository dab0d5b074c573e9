"""What the README shows works, and what it lists is there."""

import re

import pytest
from fakekafka.cli import main
from pytest_fakekafka.marker import KNOWN

from docs.generator.site import DOCS

pytest_plugins = ["pytester"]

README = DOCS.parent / "README.md"
PLUGIN = (DOCS / "reference" / "pytest.md").read_text(encoding="utf-8")
TEXT = README.read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)


def test_the_example_of_a_test_passes_on_each_release(pytester: pytest.Pytester) -> None:
    (example,) = [example for example in EXAMPLES if "def test_" in example]
    pytester.makepyfile(example)
    result = pytester.runpytest_subprocess("-v", "-p", "no:randomly")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines("*::test_an_order_arrives[[]0.10.2[]] PASSED*")


def test_the_examples_without_pytest_run(capsys: pytest.CaptureFixture[str]) -> None:
    for example in EXAMPLES:
        if "def test_" not in example:
            exec(compile(example, README, "exec"), {})
    assert re.fullmatch(r"127\.0\.0\.1:\d+\n", capsys.readouterr().out)


def test_every_argument_of_the_marker_is_described() -> None:
    assert re.findall(r"^\| `(\w+)` \| [^|]*\| (?:runs|…)", PLUGIN, re.MULTILINE) == list(KNOWN)


@pytest.mark.parametrize("name", ["fake_kafka", "fake_kafka_session", "fake_kafka_factory", "fake_kafka_seed"])
def test_every_fixture_is_described(name: str) -> None:
    assert f"| `{name}` | " in PLUGIN


@pytest.mark.parametrize("command", re.findall(r"^    fakekafka (\S+)(.*)$", TEXT, re.MULTILINE))
def test_commands_take_the_options_that_are_shown(command: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([command[0], "--help"])
    help_text = capsys.readouterr().out
    for option in re.findall(r"--[a-z-]+", command[1]):
        assert option in help_text


def test_the_readme_says_that_fakekafka_is_independent() -> None:
    assert "not affiliated with, endorsed by or sponsored by the Apache Software\nFoundation" in TEXT
