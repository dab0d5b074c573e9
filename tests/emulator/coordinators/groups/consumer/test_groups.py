"""The consumer groups that a coordinator has."""

from typing import Any

import pytest
from fakekafka.errors import ApiError

from tests.support.consumer_group_clients import ConsumerMember, group_of, groups_of
from tests.support.group_clients import clock_of, grouped

PREVIEW: dict[str, Any] = {"group_coordinator_rebalance_protocols": "classic,consumer"}
UNDER_ZOOKEEPER: dict[str, Any] = {"zookeeper_connect": "localhost:2181"}


@pytest.mark.parametrize(
    ("release", "config", "on"),
    [
        ("3.6", {}, False), ("3.7", PREVIEW | UNDER_ZOOKEEPER, False), ("3.8", {}, False), ("3.8", PREVIEW, True),
        ("4.0.0", {}, True), ("4.3", {}, True),
    ],
)  # fmt: skip
def test_configs_and_the_release_switch_the_consumer_protocol_on(
    release: str, config: dict[str, Any], on: bool
) -> None:
    assert groups_of(grouped(release, **config)).is_on == on


@pytest.mark.parametrize(
    ("policy", "up", "down"),
    [
        ("disabled", False, False),
        ("upgrade", True, False),
        ("downgrade", False, True),
        ("bidirectional", True, True),
        ("BiDirectional", True, True),
    ],
)
def test_the_migration_policy_allows_upgrades_and_downgrades(policy: str, up: bool, down: bool) -> None:
    groups = groups_of(grouped("4.3", group_consumer_migration_policy=policy))
    assert (groups.may_upgrade, groups.may_downgrade) == (up, down)


def test_only_existing_groups_are_found() -> None:
    kafka = grouped("4.3")
    with pytest.raises(ApiError):
        groups_of(kafka).require("g")
    ConsumerMember(kafka).join()
    assert groups_of(kafka).require("g") is group_of(kafka)
    assert list(groups_of(kafka).of_partition(0)) == [group_of(kafka)]


def test_new_member_ids_have_22_characters() -> None:
    groups = groups_of(grouped("4.3"))
    ids = {groups.new_member_id() for _ in range(100)}
    assert {len(id) for id in ids} == {22}
    assert len(ids) == 100


def test_the_first_of_the_configured_assignors_is_the_default() -> None:
    assert list(groups_of(grouped("4.3")).assignors) == ["uniform", "range"]
    assert list(groups_of(grouped("4.3", group_consumer_assignors="range")).assignors) == ["range"]


def test_members_come_back_with_their_timers_after_a_restart() -> None:
    kafka = grouped("4.3")
    member = ConsumerMember(kafka)
    member.join()
    kafka.restart()
    again = groups_of(kafka).groups["g"]
    assert list(again.members) == ["m"]
    clock_of(kafka).advance(45_001)
    assert not group_of(kafka).members
