"""Commits under a condition."""

import pytest
from fakekafka import FakeKafka, ManualClock
from fakekafka.errors import UsageError

from tests.support.group_clients import grouped, simple
from tests.support.seeded import NOW, partition_of


@pytest.mark.statement("S4-9")
@pytest.mark.parametrize("release", ["0.8.2", "2.3", "4.3"])
def test_an_offset_is_set_only_if_the_current_one_is_the_expected_one(release: str) -> None:
    """No release has a request for this, so fakekafka has its own call."""
    kafka = grouped(release)
    assert kafka.commit_if("g", "t", 0, 5, None)
    assert not kafka.commit_if("g", "t", 0, 6, None)
    assert not kafka.commit_if("g", "t", 0, 6, 4)
    assert kafka.commit_if("g", "t", 0, 6, 5)
    assert simple(kafka).fetch(0, 1) == [6, -1]
    kafka.restart()
    assert simple(kafka).fetch(0) == [6]


def test_a_conditional_commit_creates_the_coordinator_if_needed() -> None:
    kafka = FakeKafka("3.8", clock=ManualClock(NOW), topics={"t": 1}).boot()
    assert kafka.commit_if("g", "t", 0, 5, None)
    assert {place: c.offset for place, c in kafka.committed("g").items()} == {("t", 0): 5}


def test_a_conditional_commit_says_why_it_cannot_be_made() -> None:
    kafka = grouped("3.8")
    partition_of(kafka, 0, "__consumer_offsets").min_in_sync = 2
    with pytest.raises(UsageError, match="COORDINATOR_NOT_AVAILABLE"):
        kafka.commit_if("g", "t", 0, 5, None)
    with pytest.raises(UsageError, match="no broker coordinates"):
        FakeKafka("3.8", brokers=1, config={"offsets.topic.replication.factor": 3}).boot().commit_if("g", "t", 0, 1, 2)
