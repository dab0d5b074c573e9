"""False metadata and coordinators: `faults/misleading.py`."""

import pytest
from fakekafka import FakeKafka, ManualClock, UsageError
from fakekafka.wire.apis.find_coordinator import FindCoordinatorRequest, FindCoordinatorResponse
from fakekafka.wire.apis.metadata import MetadataRequest, MetadataResponse

from tests.support.faults import NOW, Client


@pytest.fixture
def kafka() -> FakeKafka:
    topics = {"orders": 2, "other": 1}
    return FakeKafka("2.3", brokers=2, topics=topics, clock=ManualClock(NOW)).boot()


def metadata(kafka: FakeKafka) -> MetadataResponse:
    return Client(kafka).ask(MetadataRequest(topics=None), 5, MetadataResponse)


def leaders(answer: MetadataResponse) -> dict[str, list[int]]:
    return {str(t.name): [p.leader_id for p in t.partitions] for t in answer.topics}


def test_a_topic_can_be_hidden_from_metadata(kafka: FakeKafka) -> None:
    kafka.faults.mislead("Metadata", hide=True, topic="orders")
    assert list(leaders(metadata(kafka))) == ["other"]


def test_metadata_can_name_another_leader_for_one_partition(kafka: FakeKafka) -> None:
    true = leaders(metadata(kafka))
    kafka.faults.mislead("Metadata", leader=7, topic="orders", partition=1)
    assert leaders(metadata(kafka)) == true | {"orders": [true["orders"][0], 7]}


def test_metadata_can_name_another_controller(kafka: FakeKafka) -> None:
    kafka.faults.mislead("Metadata", controller=1)
    assert metadata(kafka).controller_id == 1


def test_a_coordinator_can_be_reported_to_be_elsewhere(kafka: FakeKafka) -> None:
    kafka.faults.mislead("FindCoordinator", coordinator=1, group="shop")
    found = Client(kafka).ask(FindCoordinatorRequest(key="shop"), 2, FindCoordinatorResponse)
    assert (found.node_id, found.error_code) == (1, 0)


@pytest.mark.parametrize(
    ("api", "how", "says"),
    [
        ("Fetch", {"hide": True}, "Metadata or FindCoordinator"),
        ("Metadata", {}, "say how"),
        ("Metadata", {"coordinator": 1}, "coordinator= is for FindCoordinator"),
        ("FindCoordinator", {"leader": 1}, "for Metadata"),
        ("FindCoordinator", {"coordinator": 7}, "coordinator=7: its address is not known, since it does not run; 0"),
    ],
)
def test_misleading_information_that_an_answer_cannot_hold_is_refused(
    kafka: FakeKafka, api: str, how: dict[str, int], says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        kafka.faults.mislead(api, **how)  # type: ignore[arg-type]
