import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.offset_for_leader_epoch import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderEpochResponse,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

from tests.support.brokers import answer
from tests.support.seeded import batch, booted, store


def end(kafka: FakeKafka, epoch: int, version: int, index: int = 0, current: int = -1) -> tuple[int, int, int]:
    """Error, epoch and end offset."""
    asked = OffsetForLeaderPartition(partition=index, leader_epoch=epoch, current_leader_epoch=current)
    request = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic="t", partitions=[asked])])
    response = answer(kafka, request, version, OffsetForLeaderEpochResponse)
    ((found,),) = (topic.partitions for topic in response.topics)
    assert found.partition == index
    return found.error_code, found.leader_epoch, found.end_offset


def grown(release: str) -> FakeKafka:
    """Epoch 0 has offsets 0 and 1, epoch 2 has 2 and 3."""
    kafka = booted(release)
    store(kafka, batch(0))
    kafka.elect_leader("t", 0)
    kafka.elect_leader("t", 0)
    store(kafka, batch(2, epoch=2))
    return kafka


@pytest.mark.parametrize(
    ("epoch", "found"), [(-1, (-1, -1)), (0, (0, 2)), (1, (0, 2)), (2, (2, 4)), (3, (-1, -1)), (99, (-1, -1))]
)
def test_an_epoch_ends_where_the_next_begins(epoch: int, found: tuple[int, int]) -> None:
    """Recorded from 2.3.1 and others: offset_for_leader_epoch. Epoch 1 had a leader, but no records."""
    assert end(grown("2.3"), epoch, 3) == (0, *found)


@pytest.mark.parametrize(("epoch", "offset"), [(-1, -1), (0, 2), (1, 2), (2, 4), (3, -1)])
def test_up_to_1_1_only_the_offset_is_reported(epoch: int, offset: int) -> None:
    assert end(grown("1.1"), epoch, 0) == (0, -1, offset)


def test_a_client_with_another_epoch_is_refused_from_version_2_on() -> None:
    kafka = grown("2.3")
    assert [end(kafka, 0, 2, current=n)[0] for n in (-1, 0, 1, 2, 3)] == [0, 74, 74, 0, 75]
    assert end(kafka, 0, 1, current=0)[0] == 0


def test_an_unknown_partition_is_error_3() -> None:
    assert end(booted("2.3"), 0, 3, index=7) == (3, -1, -1)


@pytest.mark.parametrize(("release", "version", "error"), [("1.1", 0, 3), ("2.0", 1, 3), ("2.3", 2, 6)])
def test_a_partition_on_another_broker_is_an_error(release: str, version: int, error: int) -> None:
    """Asked of 0.11.0.3 to 2.8.2."""
    kafka = FakeKafka(release, brokers=2, topics={"t": 2}).boot()
    assert end(kafka, 0, version, index=1)[0] == error
