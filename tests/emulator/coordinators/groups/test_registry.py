"""The ids of all kinds of groups are one namespace."""

from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, coordinator_of, settled, simple
from tests.support.share_group_clients import ShareMember, shared


def test_a_group_of_any_kind_is_found_by_its_id() -> None:
    kafka = shared("4.3")
    coordinator = coordinator_of(kafka)
    ConsumerMember(kafka, group="consumer").join()
    ShareMember(kafka, group="share").join()
    settled(Member(kafka, group="classic"))
    simple(kafka, "offsets").commit(1)
    assert [coordinator.knows(id) for id in ("consumer", "share", "classic", "offsets")] == [True] * 4
    assert [coordinator.is_modern(id) for id in ("consumer", "share", "classic")] == [True, True, False]
    assert coordinator.modern_group("consumer") is coordinator.consumer_groups.groups["consumer"]
    assert coordinator.modern_group("classic") is None
    assert not coordinator.knows("nothing")


def test_share_groups_have_no_offsets_that_could_expire() -> None:
    kafka = shared("4.3")
    ShareMember(kafka, group="share").join()
    ConsumerMember(kafka, group="consumer").join()
    simple(kafka, "offsets").commit(1)
    assert coordinator_of(kafka).may_have_offsets() == ["consumer", "offsets"]


def test_groups_move_with_the_partition_that_another_broker_leads() -> None:
    kafka = shared("4.3")
    coordinator = coordinator_of(kafka)
    ConsumerMember(kafka, group="consumer").join()
    ShareMember(kafka, group="share").join()
    settled(Member(kafka, group="classic"))
    simple(kafka, "offsets").commit(1)
    coordinator.unload(0)
    assert not any(coordinator.knows(id) for id in ("consumer", "share", "classic", "offsets"))
    assert coordinator.led == set()
