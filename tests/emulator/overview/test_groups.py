"""Groups at a glance: members with their partitions, commits with their lag."""

from fakekafka import FakeKafka

from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, grouped, settled, simple
from tests.support.polled import has_partitions, members


def test_without_the_offsets_topic_there_are_no_groups() -> None:
    assert FakeKafka("2.3").boot().groups() == {}


def test_a_classic_group_shows_its_state_and_its_members() -> None:
    kafka = grouped()
    first, second = Member(kafka), Member(kafka, instance_id="till-2")
    settled(first, second)
    group = kafka.groups()["g"]
    assert (group.kind, group.state, group.assignor, group.coordinator) == ("classic", "Stable", "range", 0)
    assert [(m.id, m.client_id, m.host, m.instance_id) for m in group.members] == [
        (first.id, "test", "127.0.0.1", None),
        (second.id, "test", "127.0.0.1", "till-2"),
    ]


def test_a_member_that_waits_for_the_others_is_marked() -> None:
    kafka = grouped()
    first, second = Member(kafka), Member(kafka)
    settled(first)
    second.join()
    assert {m.id: m.waits for m in kafka.groups()["g"].members} == {first.id: False, second.id: True}


def test_a_group_that_only_commits_has_offsets_with_their_lag() -> None:
    kafka = grouped(partitions=2)
    for _ in range(5):
        kafka.send("t", b"1", partition=0)
    simple(kafka).commit(3, 0)
    group = kafka.groups()["g"]
    assert (group.state, group.members) == ("Empty", [])
    assert [(o.topic, o.partition, o.offset, o.lag) for o in group.offsets] == [("t", 0, 3, 2), ("t", 1, 0, 0)]


def test_the_lag_of_a_topic_that_is_gone_is_not_known() -> None:
    kafka = grouped("2.3", partitions=1)
    simple(kafka).commit(3, topic="elsewhere")
    kafka.create_topic("elsewhere")
    assert {o.topic: o.lag for group in kafka.groups().values() for o in group.offsets} in ({}, {"elsewhere": 0})


def test_a_consumer_group_shows_the_partitions_of_its_members() -> None:
    kafka = grouped("4.0", partitions=2)
    ConsumerMember(kafka, "m1").join()
    group = kafka.groups()["g"]
    assert (group.kind, group.state) == ("consumer", "Stable")
    assert [(m.id, m.partitions) for m in group.members] == [("m1", ["t-0", "t-1"])]


def test_real_members_show_what_they_were_assigned() -> None:
    with FakeKafka("2.3", topics={"orders": 3}) as kafka, members(kafka, "kafka-python", quick=True) as group:
        group.join("only")
        assert has_partitions(kafka, "shop", ["orders-0", "orders-1", "orders-2"])
