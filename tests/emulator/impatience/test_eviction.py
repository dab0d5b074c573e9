"""Members are evicted as if their sessions had ended, in groups of both protocols."""

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import ErrorCode, UsageError

from tests.support.consumer_group_clients import ConsumerMember
from tests.support.group_clients import Member, grouped, settled
from tests.support.polled import POLLS, members


def test_an_evicted_member_is_unknown_and_the_others_join_again() -> None:
    kafka = grouped()
    first, second = Member(kafka), Member(kafka)
    settled(first, second)
    kafka.evict("g", second.id)
    assert [member.id for member in kafka.groups()["g"].members] == [first.id]
    assert second.heartbeat() is ErrorCode.UNKNOWN_MEMBER_ID
    assert first.heartbeat() is ErrorCode.REBALANCE_IN_PROGRESS


def test_a_static_member_is_evicted_by_its_instance_id() -> None:
    kafka = grouped()
    settled(Member(kafka, instance_id="till-1"))
    kafka.evict("g", "till-1")
    assert kafka.groups()["g"].members == []


def test_a_member_of_a_consumer_group_is_evicted() -> None:
    kafka = grouped("4.0")
    ConsumerMember(kafka, "m1").join()
    kafka.evict("g", "m1")
    assert (kafka.groups()["g"].members, kafka.groups()["g"].state) == ([], "Empty")


def test_an_unknown_member_is_refused_with_the_existing_ones() -> None:
    kafka = grouped()
    member = Member(kafka)
    settled(member)
    with pytest.raises(UsageError, match=rf"no member is called 'nobody'; there are: {member.id} .client id 'test'."):
        kafka.evict("g", "nobody")
    with pytest.raises(UsageError, match="no group 'h'"):
        kafka.evict("h", "nobody")


def test_a_name_of_several_members_is_refused() -> None:
    kafka = grouped()
    settled(Member(kafka), Member(kafka))
    with pytest.raises(UsageError, match="several members are called 'test'"):
        kafka.evict("g", "test")


@pytest.mark.parametrize("client", POLLS)
def test_a_real_client_that_is_evicted_joins_again(client: str) -> None:
    with FakeKafka("3.9", topics={"orders": 1}) as kafka, members(kafka, client, quick=True) as group:
        group.join("only")
        (before,) = kafka.settle("shop", timeout=30).members
        kafka.evict("shop", before.id)
        (after,) = kafka.settle("shop", members=1, timeout=30).members
        assert after.id != before.id
