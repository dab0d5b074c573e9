"""What upgrades change for those who log in and have rights."""

import re

import pytest
from fakekafka.releases.release import Mode, Release
from fakekafka.releases.security_changes import CHANGES, TO_KRAFT, security_changes


def told(before: str, after: str, modes: tuple[Mode, Mode] = ("zk", "zk")) -> list[str]:
    return [str(change) for change in security_changes(Release.parse(before), modes[0], Release.parse(after), modes[1])]


def test_changes_on_the_way_are_reported() -> None:
    assert [text.partition(":")[0] for text in told("0.10.2", "2.0")] == [
        *["0.11.0"] * 3, "1.0", "1.0", "1.1", *["2.0"] * 3,
    ]  # fmt: skip
    assert told("2.0", "2.0.1") == []


def test_an_authorizer_that_is_gone_is_reported() -> None:
    assert any("SimpleAclAuthorizer is gone" in text for text in told("2.8", "3.3"))


def test_the_way_to_kraft_needs_another_authorizer() -> None:
    assert told("3.9", "4.0", ("zk", "kraft"))[-1] == str(TO_KRAFT)
    assert str(TO_KRAFT) not in told("3.9", "4.0", ("kraft", "kraft"))


def test_going_back_tells_nothing() -> None:
    assert told("2.8", "0.11.0") == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.what[:40])
def test_each_has_a_source(change: object) -> None:
    assert re.search(r"\((KIP-\d+|KAFKA-\d+|recorded)[^()]*\)$", str(change))
