"""The list of open differences."""

from pathlib import Path

import pytest

from tests.golden.form import Difference
from tests.golden.open_differences import FILES, OpenDifferences, open_differences
from tests.golden.replay import Mismatch
from tests.golden.transcript import names

TEXT = """
[not-built]
"*-transactions" = "not built yet: transactions"

[not-built-files]
"*" = "not built yet: files"

[[open]]
recordings = ["2.3.1-tour", "2.4.1-tour"]
differences = ["18 error_message", "40-44 topics*.error_code", "50", "files t-0/*"]
reason = "because"
"""


@pytest.fixture
def known(tmp_path: Path) -> OpenDifferences:
    (tmp_path / "open.toml").write_text(TEXT, "utf-8")
    return open_differences(tmp_path / "open.toml")


def mismatch(n: int, path: str, what: str = "FETCH v4") -> Mismatch:
    return Mismatch(n, what, Difference(path, 0, 1), "")


@pytest.mark.parametrize(
    "listed",
    [
        mismatch(18, "error_message"),
        mismatch(40, "topics[name=a].error_code"),
        mismatch(44, "topics[name=b].error_code"),
        mismatch(50, "anything"),
        mismatch(0, "t-0/00.log:[1].crc", FILES),
    ],
)
def test_listed_differences_are_known(known: OpenDifferences, listed: Mismatch) -> None:
    assert known.unlisted("2.4.1-tour", [listed]) == []
    assert known.unlisted("2.5.1-tour", [listed]) == [listed]


@pytest.mark.parametrize(
    "other",
    [
        mismatch(19, "error_message"),
        mismatch(18, "error_messages"),
        mismatch(45, "topics[name=a].error_code"),
        mismatch(0, "t-0/00.log"),
        mismatch(0, "t-1/00.log", FILES),
    ],
)
def test_differences_that_are_not_listed_are_reported(known: OpenDifferences, other: Mismatch) -> None:
    assert known.unlisted("2.3.1-tour", [other]) == [other]


def test_a_listed_difference_that_is_gone_is_named(known: OpenDifferences) -> None:
    found = [mismatch(18, "error_message"), mismatch(50, "x")]
    assert known.gone("2.3.1-tour", found) == ["40-44 topics*.error_code"]
    assert known.gone("2.3.1-tour", found, files=True) == ["files t-0/*"]
    assert known.gone("other", []) == []


def test_recordings_of_areas_that_are_not_built_have_a_reason(known: OpenDifferences) -> None:
    assert known.why_not_built("2.3.1-transactions") == "not built yet: transactions"
    assert known.why_not_built("2.3.1-tour") is None
    assert known.why_not_built("2.3.1-tour", files=True) == "not built yet: files"


def test_the_list_names_recordings_that_exist() -> None:
    assert open_differences().entries.keys() <= set(names())
