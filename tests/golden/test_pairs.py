"""Followers store what real followers store, byte for byte, and truncate their logs where those do."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.golden import pairs


@pytest.mark.parametrize("name", pairs.names())
def test_two_brokers_leave_the_files_of_two_real_brokers(name: str, tmp_path: Path) -> None:
    assert list(pairs.differences(pairs.load(name), tmp_path)) == []


def test_a_file_that_differs_is_found(tmp_path: Path) -> None:
    pair = pairs.load(pairs.names()[0])
    cut = tuple(
        replace(file, content=file.content[:-1]) if "broker-1/x-0" in file.path else file for file in pair.files
    )
    found = list(pairs.differences(replace(pair, files=cut), tmp_path))
    assert found
    assert {difference.path.rpartition("/")[0] for difference in found} == {"broker-1/x-0"}
