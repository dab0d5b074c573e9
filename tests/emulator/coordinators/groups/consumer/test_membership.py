"""Members that leave a consumer group, and how long members may be silent."""

from fakekafka.coordinators.groups.consumer.membership import Membership

from tests.support.consumer_group_clients import ConsumerMember, group_of, groups_of, settle
from tests.support.group_clients import clock_of, grouped


def test_a_member_that_leaves_makes_the_group_epoch_grow() -> None:
    one, two = (ConsumerMember(grouped("4.1")) for _ in range(2))
    two.kafka, two.id = one.kafka, "n"
    one.join()
    two.join()
    epoch = group_of(one.kafka).epoch
    two.leave()
    assert (group_of(one.kafka).epoch, list(group_of(one.kafka).members)) == (epoch + 1, ["m"])


def test_fencing_no_member_changes_nothing() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    group = group_of(member.kafka)
    epoch = group.epoch
    Membership(groups_of(member.kafka), group).fence([])
    assert group.epoch == epoch


def test_a_static_member_that_leaves_for_a_while_keeps_its_place() -> None:
    member = ConsumerMember(grouped("4.1"), instance_id="i")
    member.join()
    member.leave(-2)
    assert [(m.id, m.epoch) for m in group_of(member.kafka).members.values()] == [("m", -2)]
    clock_of(member.kafka).advance(46_000)
    assert not group_of(member.kafka).members


def test_a_member_that_does_not_give_up_its_partitions_in_time_is_fenced() -> None:
    kafka = grouped("4.1", partitions=2)
    one, two = ConsumerMember(kafka, "a", rebalance_ms=5_000), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    one.beat()
    kept = dict(one.owned)
    one.owned = {"t": [0, 1]}
    clock_of(kafka).advance(5_001)
    assert kept != one.owned
    assert list(group_of(kafka).members) == ["b"]


def test_a_member_that_gives_up_its_partitions_in_time_stays() -> None:
    kafka = grouped("4.1", partitions=2)
    one, two = ConsumerMember(kafka, "a", rebalance_ms=5_000), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    settle(one, two)
    clock_of(kafka).advance(5_001)
    assert sorted(group_of(kafka).members) == ["a", "b"]
    assert ("rebalance", "a") not in group_of(kafka).timers
