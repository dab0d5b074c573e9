"""What upgrades change about logins and rights."""

import re

import pytest
from fakekafka.releases.release import Mode, Release
from fakekafka.releases.security_changes import CHANGES, TO_KRAFT, security_changes


def told(before: str, after: str, modes: tuple[Mode, Mode] = ("zk", "zk")) -> list[str]:
    return [str(change) for change in security_changes(Release.parse(before), modes[0], Release.parse(after), modes[1])]


def test_changes_on_the_way_are_reported() -> None:
    assert [text.partition(":")[0] for text in told("0.10.2", "2.0")] == [
        *["0.11.0"] * 4, *["1.0"] * 4, *["1.1"] * 3, *["2.0"] * 3,
    ]  # fmt: skip
    assert told("2.0", "2.0.1") == []


def test_an_authorizer_that_is_gone_is_reported() -> None:
    assert any("SimpleAclAuthorizer is gone" in text for text in told("2.8", "3.3"))


@pytest.mark.parametrize(
    "permission",
    [
        "DescribeConfigs and AlterConfigs are operations", "IdempotentWrite on the cluster", "TransactionalId",
        "DelegationToken", "Create on the cluster", "Create on a topic", "DescribeConfigs on it", "CreateTokens",
    ],
)  # fmt: skip
def test_each_permission_that_appeared_is_reported(permission: str) -> None:
    assert any(permission in text for text in told("0.8.2", "4.3", ("zk", "kraft")))


def test_authorizer_classes_come_and_go() -> None:
    classes = [change.since for change in CHANGES if "Authorizer" in change.what]
    assert classes == ["0.9.0", "2.4", "3.0", "4.0"]


def test_rows_come_in_the_order_of_releases() -> None:
    releases = [Release.parse(change.since) for change in CHANGES]
    assert releases == sorted(releases)


def test_the_upgrade_to_kraft_needs_another_authorizer() -> None:
    assert told("3.9", "4.0", ("zk", "kraft"))[-1] == str(TO_KRAFT)
    assert str(TO_KRAFT) not in told("3.9", "4.0", ("kraft", "kraft"))


def test_going_back_reports_no_changes() -> None:
    assert told("2.8", "0.11.0") == []


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.what[:40])
def test_each_change_has_a_source(change: object) -> None:
    assert re.search(r"\((KIP-\d+|KAFKA-\d+|recorded)[^()]*\)$", str(change))
