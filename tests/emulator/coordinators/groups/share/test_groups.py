"""The share groups that a coordinator has."""

import pytest
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ApiError, ErrorCode

from tests.support.group_clients import Member, coordinator_of, grouped
from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, group_of, groups_of, shared


@pytest.mark.parametrize(("release", "on"), [("3.9", False), ("4.0.0", False), ("4.1", False), ("4.2", True)])
def test_share_groups_are_on_or_off_by_release(release: str, on: bool) -> None:
    assert groups_of(grouped(release)).is_on == on


def test_the_config_of_a_group_takes_precedence() -> None:
    kafka = shared()
    groups = groups_of(kafka)
    assert groups.setting("g", "session.timeout.ms") == 45_000
    broker_of(kafka).cluster.settings.groups["g"]["share.session.timeout.ms"] = "50000"
    assert groups.setting("g", "session.timeout.ms") == 50_000
    assert groups.setting("h", "session.timeout.ms") == 45_000


def test_only_existing_groups_are_found() -> None:
    kafka = shared()
    with pytest.raises(ApiError, match="not found"):
        groups_of(kafka).require("g")
    ShareMember(kafka).join()
    assert groups_of(kafka).require("g") is group_of(kafka)


def test_the_states_of_a_deleted_share_group_are_deleted() -> None:
    kafka = shared()
    member = ShareMember(kafka)
    member.join()
    member.send(-1)
    groups_of(kafka).delete(group_of(kafka))
    assert not groups_of(kafka).groups
    topic = broker_of(kafka).cluster.topics["__share_group_state"]
    assert coordinators_of(broker_of(kafka)).share.states is not None
    assert len(topic.partitions) == 1


def test_offsets_cannot_be_committed_to_a_share_group() -> None:
    kafka = shared()
    ShareMember(kafka).join()
    assert Member(kafka, group="g").commit(1) == [ErrorCode.GROUP_ID_NOT_FOUND]
    assert not list(coordinator_of(kafka).offsets.of_group("g"))


def test_a_group_of_another_kind_does_not_become_a_share_group() -> None:
    kafka = shared()
    Member(kafka, group="g").commit(1)
    with pytest.raises(ApiError, match="Group g is not a share group"):
        groups_of(kafka).find_or_new("g")
    assert groups_of(kafka).find_or_new("new").id == "new"
