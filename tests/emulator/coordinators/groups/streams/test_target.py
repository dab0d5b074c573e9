"""When the next assignment is made, and from what."""

import pytest

from tests.support.group_clients import clock_of
from tests.support.seeded import broker_of
from tests.support.streams_group_clients import STATEFUL, StreamsMember, described, group_of, settle, streaming

DELAYED = "Assignment delayed due to the configured {}."


@pytest.mark.parametrize(("release", "first"), [("4.2", 0), ("4.3", 1)])
def test_the_first_assignment_waits_for_more_members(release: str, first: int) -> None:
    kafka = streaming(release, group_streams_initial_rebalance_delay_ms=3000)
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    for member in (one, two):
        (status,) = member.join().status or []
        assert (status.status_code, status.status_detail) == (5, DELAYED.format("initial rebalance delay"))
        assert (member.epoch, member.tasks) == (1, [])
    assert (group_of(kafka).epoch, group_of(kafka).assignment_epoch) == (3, first)
    clock_of(kafka).advance(3000)
    assert group_of(kafka).assignment_epoch == 3
    settle(one, two)
    assert (len(one.tasks), len(two.tasks)) == (2, 2)


def test_a_group_that_is_not_configured_yet_is_assigned_by_the_next_heartbeat() -> None:
    kafka = streaming(group_streams_initial_rebalance_delay_ms=3000)
    member = StreamsMember(kafka)
    member.join()
    clock_of(kafka).advance(3000)
    assert group_of(kafka).assignment_epoch == 1
    assert member.beat().status == []
    assert (member.epoch, len(member.tasks)) == (2, 4)


def test_assignments_keep_their_distance() -> None:
    kafka = streaming(group_streams_assignment_interval_ms=1000)
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    (status,) = two.join().status or []
    assert (status.status_code, status.status_detail) == (5, DELAYED.format("assignment interval"))
    assert described(kafka).group_state == "Assigning"
    clock_of(kafka).advance(1000)
    settle(one, two)
    assert (len(one.tasks), len(two.tasks)) == (2, 2)


def test_standby_replicas_are_a_config_of_the_group_and_make_it_rebalance() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one", topology=STATEFUL), StreamsMember(kafka, "two", topology=STATEFUL)
    one.join()
    two.join()
    settle(one, two)
    assert not one.standby | two.standby
    broker_of(kafka).cluster.settings.groups["g"] = {"streams.num.standby.replicas": "1"}
    settle(one, two)
    assert (one.standby, two.standby) == (two.active, one.active)
    assert group_of(kafka).configs == {"num.standby.replicas": "1"}


def test_nobody_gets_anything_while_a_topic_is_missing() -> None:
    kafka = streaming()
    member = StreamsMember(kafka)
    member.join()
    kafka.delete_topic("t")
    settle(member)
    assert (member.tasks, described(kafka).group_state) == ([], "NotReady")
    kafka.create_topic("t", partitions=2)
    settle(member)
    assert (len(member.tasks), described(kafka).group_state) == (2, "Stable")
