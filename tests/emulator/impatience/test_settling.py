"""Groups of real clients settle quickly, and what is reported if they do not."""

from itertools import pairwise

import pytest
from fakekafka import FakeKafka

from tests.support.group_clients import Member, grouped, settled
from tests.support.polled import POLLS, has_partitions, members


@pytest.mark.parametrize("release", ["2.3", "4.3"])
@pytest.mark.parametrize("client", POLLS)
def test_a_group_settles_with_a_second_member_of_quick_clients(client: str, release: str) -> None:
    with FakeKafka(release, topics={"orders": 2}) as kafka, members(kafka, client, quick=True) as group:
        group.join("first")
        kafka.settle("shop", members=1, timeout=30)
        group.join("second")
        settled = kafka.settle("shop", members=2, timeout=30)
        assert has_partitions(kafka, "shop", ["orders-0", "orders-1"])
        assert {member.client_id.removeprefix("aiokafka-") for member in settled.members} == {"first", "second"}


@pytest.mark.parametrize("client", POLLS)
def test_a_quick_member_asks_for_news_of_its_group_more_than_once_a_second(client: str) -> None:
    """The news that another member has joined comes with the answer; by default a client asks every three seconds."""
    with FakeKafka("2.3", topics={"orders": 1}) as kafka, members(kafka, client, quick=True) as group:
        group.join("only")
        beats = kafka.wait_for_request("Heartbeat", client_id="*only", count=4, timeout=20)
        assert len(beats) >= 4
        assert min(later.at_ms - earlier.at_ms for earlier, later in pairwise(beats)) < 1000


def test_settle_ends_the_initial_delay_of_a_new_group() -> None:
    slow = {"group.initial.rebalance.delay.ms": 600_000}
    with (
        FakeKafka("2.3", topics={"orders": 1}, config=slow) as kafka,
        members(kafka, "kafka-python", quick=True) as group,
    ):
        group.join("first")
        assert kafka.settle("shop", timeout=30).state == "Stable"


def test_settle_says_that_nobody_has_joined() -> None:
    with FakeKafka("2.3", topics={"orders": 1}) as kafka, pytest.raises(TimeoutError, match="nobody has joined it"):
        kafka.settle("shop", timeout=0.01)


def test_settle_says_which_member_a_rebalance_waits_for() -> None:
    kafka = grouped()
    first, second = Member(kafka), Member(kafka)
    settled(first)
    assert kafka.settle("g", members=1, timeout=0).state == "Stable"
    assert second.join() is None
    with pytest.raises(TimeoutError, match=rf"PreparingRebalance with 2 of 5 members, and waits for {first.id} "):
        kafka.settle("g", members=5, timeout=0)
