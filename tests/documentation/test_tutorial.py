"""The tutorial, done step by step as its reader does it."""

import re

import pytest

from docs.generator.site import DOCS

pytest_plugins = ["pytester"]

TEXT = (DOCS / "tutorial.md").read_text("utf-8")
FILES = re.findall(r'^```python title="(\w+)\.py"\n(.*?)^```', TEXT, re.DOTALL | re.MULTILINE)


def test_the_program_fails_is_corrected_and_passes_on_three_releases(pytester: pytest.Pytester) -> None:
    program, test, mended, on_releases = FILES
    for name, text in (program, test):
        pytester.makepyfile(**{name: text})
    failed = pytester.runpytest_subprocess("-p", "no:randomly")
    failed.assert_outcomes(failed=1)
    failed.stdout.fnmatch_lines(["*assert [[][]] == [[]'two apples', 'two pears'[]]*", "*ListOffsets*"])
    pytester.makepyfile(**dict([mended]))
    pytester.runpytest_subprocess("-p", "no:randomly").assert_outcomes(passed=1)
    pytester.makepyfile(**dict([on_releases]))
    pytester.runpytest_subprocess("-p", "no:randomly").assert_outcomes(passed=3)
