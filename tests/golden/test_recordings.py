"""The emulator answers as the real broker of each release did, and leaves the same files.

One test for each recording. What is known to differ is listed in `open.toml`, which must stay true in both directions.
`python -m tests.golden.replay` shows the differences of one recording or many.
"""

from pathlib import Path

import pytest

from tests.golden.open_differences import open_differences
from tests.golden.replay import Mismatch
from tests.golden.report import details
from tests.golden.run import run
from tests.golden.transcript import load, names

WITHOUT_FILES = ("admin", "describe_configs", "every_version", "fetch_zero_ids", "handshake", "illegal_configs")
STORIES = "-bug_"
"""Scenarios that kept no files; the stories of `fakekafka.bugs` kept none either."""


def cases(found: list[str], *, files: bool) -> list[object]:
    """A parameter for each recording; recordings of areas that are not built are skipped with the reason."""
    reasons = {name: open_differences().why_not_built(name, files=files) for name in found}
    return [pytest.param(name, marks=[pytest.mark.skip(reason)] if reason else []) for name, reason in reasons.items()]


def check(name: str, found: list[Mismatch], *, files: bool) -> None:
    """Assert that all differences are listed and all listed ones appear."""
    unlisted = open_differences().unlisted(name, found)
    gone = open_differences().gone(name, found, files=files)
    assert not unlisted, "\n".join([f"{len(unlisted)} differences", *details(unlisted, first=10)])
    assert not gone, f"no longer differs, take it off open.toml: {gone}"


@pytest.mark.parametrize("name", cases(names(), files=False))
def test_answers_are_those_of_the_real_broker(name: str, tmp_path: Path) -> None:
    check(name, run(load(name), tmp_path), files=False)


def with_files() -> list[str]:
    return [name for name in names() if _scenario(name) not in WITHOUT_FILES and STORIES not in name]


def _scenario(name: str) -> str:
    return name.partition("-")[2].partition("--")[0]


@pytest.mark.parametrize("name", cases(with_files(), files=True))
def test_files_are_those_of_the_real_broker(name: str, tmp_path: Path) -> None:
    found = run(load(name), tmp_path, files=True)
    check(name, [m for m in found if m.what == "files"], files=True)
