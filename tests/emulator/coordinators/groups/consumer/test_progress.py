"""How requests of members change epochs and the target assignment."""

from fakekafka.coordinators.groups.consumer.member import MemberState

from tests.support.consumer_group_clients import ConsumerMember, group_of
from tests.support.group_clients import clock_of, grouped


def epochs(member: ConsumerMember) -> tuple[int, int, int]:
    group = group_of(member.kafka)
    return group.epoch, group.assignment_epoch, group.members[member.id].epoch


def test_a_heartbeat_that_says_nothing_changes_nothing() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    assert epochs(member) == (1, 1, 1)
    member.beat()
    assert epochs(member) == (1, 1, 1)


def test_another_subscription_makes_another_epoch() -> None:
    member = ConsumerMember(grouped("4.1"))
    member.join()
    member.beat(subscribed_topic_names=["t", "u"])
    assert epochs(member) == (2, 2, 2)


def test_a_topic_that_comes_makes_another_epoch() -> None:
    kafka = grouped("4.1")
    member = ConsumerMember(kafka, topics=["t", "u"])
    member.join()
    kafka.create_topic("u", partitions=1)
    member.beat()
    assert epochs(member) == (2, 2, 2)
    assert member.owned["u"] == [0]


def test_partitions_are_revoked_before_the_epoch_is_reached() -> None:
    kafka = grouped("4.1", partitions=2)
    one, two = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    one.send(one.epoch)
    group = group_of(kafka)
    assert group.members["a"].state is MemberState.UNREVOKED_PARTITIONS
    assert epochs(one) == (2, 2, 1)
    assert (epochs(two), two.partitions) == ((2, 2, 2), [])


def test_4_3_assigns_at_most_once_per_interval() -> None:
    kafka = grouped("4.3", group_consumer_assignment_interval_ms=1000)
    one, two = ConsumerMember(kafka, "a"), ConsumerMember(kafka, "b")
    one.join()
    two.join()
    group = group_of(kafka)
    assert group.epoch == group.assignment_epoch + 1
    assert group.state == "Assigning"
    clock_of(kafka).advance(1001)
    two.beat()
    assert group.epoch == group.assignment_epoch
