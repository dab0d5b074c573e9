"""What the share coordinator answers to requests about states."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.share_partitions.state_records import Change, SharePartitionKey, Span
from fakekafka.coordinators.share_partitions.state_requests import Answered, StateRequests, answers
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID
from fakekafka.pieces import finished
from fakekafka.wire.apis.delete_share_group_state import DeleteStateData, PartitionData

from tests.support.seeded import broker_of
from tests.support.share_group_clients import ShareMember, place, shared


def requests_to(kafka: FakeKafka) -> StateRequests:
    return StateRequests(coordinators_of(broker_of(kafka)).share)


def begun(release: str = "4.3") -> FakeKafka:
    """A broker with the state topic, and a state of the group "p"."""
    kafka = shared(release)
    ShareMember(kafka).join()
    assert requests_to(kafka).initialize(place(kafka, group="p"), 5, 10).error is ErrorCode.NONE
    return kafka


def test_a_written_state_is_read_back() -> None:
    kafka = begun()
    asked, at = requests_to(kafka), place(kafka, group="p")
    assert asked.write(at, Change(11, (Span(11, 12, 2, 1),), 2), 0, 5) == Answered()
    found = asked.read(at, 0)
    assert (found.error, found.state.start, found.state.spans) == (ErrorCode.NONE, 11, (Span(11, 12, 2, 1),))
    assert asked.summarize(at).state.start == 11


def test_a_written_state_outlives_a_restart() -> None:
    kafka = begun()
    at = place(kafka, group="p")
    requests_to(kafka).write(at, Change(11, (Span(11, 12, 0, 4),), 0), 0, 5)
    coordinators_of(broker_of(kafka)).share.states.clear()
    assert requests_to(kafka).read(at, 0).state.spans == (Span(11, 12, 0, 4),)


def test_old_epochs_are_fenced() -> None:
    kafka = begun()
    asked, at = requests_to(kafka), place(kafka, group="p")
    asked.read(at, 3)
    assert asked.read(at, 2).error is ErrorCode.FENCED_LEADER_EPOCH
    assert asked.write(at, Change(11), 2, 5).error is ErrorCode.FENCED_LEADER_EPOCH
    assert asked.write(at, Change(11), 3, 4).error is ErrorCode.FENCED_STATE_EPOCH
    assert asked.initialize(at, 4, 0).error is ErrorCode.FENCED_STATE_EPOCH


@pytest.mark.parametrize(("release", "leader_epoch", "epoch"), [("4.1", 3, 7), ("4.3", 0, 5)])
def test_a_write_changes_the_epochs_in_some_releases(release: str, leader_epoch: int, epoch: int) -> None:
    kafka = begun(release)
    asked, at = requests_to(kafka), place(kafka, group="p")
    asked.write(at, Change(11), 3, 7)
    state = asked.summarize(at).state
    assert (state.leader_epoch, state.epoch) == (leader_epoch, epoch)


@pytest.mark.parametrize(("release", "error"), [("4.2", ErrorCode.FENCED_LEADER_EPOCH), ("4.3", ErrorCode.NONE)])
def test_a_read_without_a_leader_epoch_is_refused_in_some_releases(release: str, error: ErrorCode) -> None:
    kafka = begun(release)
    assert requests_to(kafka).read(place(kafka, group="p"), -1).error is error


def test_unknown_topics_and_groups_are_errors() -> None:
    kafka = begun()
    asked, at = requests_to(kafka), place(kafka, group="p")
    unknown, nobody = at._replace(topic=ZERO_UUID), at._replace(group="nobody")
    assert asked.initialize(unknown, 5, 0).error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert asked.delete(unknown).error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert asked.summarize(at._replace(partition=9)).error is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert asked.read(nobody, 0).words == "Read operation on uninitialized share partition not allowed."
    assert asked.write(nobody, Change(0), 0, 5).words == "Write operation on uninitialized share partition not allowed."
    assert asked.summarize(nobody).state.start == -1
    assert asked.delete(nobody).error is ErrorCode.NONE
    assert asked.read(at._replace(partition=-1), 0).error is ErrorCode.INVALID_REQUEST


def test_a_deleted_state_does_not_exist() -> None:
    kafka = begun()
    asked, at = requests_to(kafka), place(kafka, group="p")
    asked.delete(at)
    assert asked.read(at, 0).error is ErrorCode.INVALID_REQUEST


def test_no_broker_coordinates_share_groups_while_they_are_off() -> None:
    kafka = FakeKafka("4.1", topics={"t": 1}).boot()
    found = requests_to(kafka).read(place(kafka), 0)
    assert found.error is ErrorCode.NOT_COORDINATOR
    assert found.words == "Unable to read share group state: This is not the correct coordinator."


def test_answers_are_in_the_order_of_hash_maps_and_empty_without_a_group() -> None:
    low, high = bytes(15) + b"\1", bytes(15) + b"\2"
    rows = [PartitionData(partition=2), PartitionData(partition=1)]
    asked = [DeleteStateData(topic_id=high, partitions=rows), DeleteStateData(topic_id=low, partitions=rows[:1])]

    def named(at: SharePartitionKey, _: PartitionData) -> int:
        return at.partition

    assert finished(answers("g", asked, named)) == [(low, [2]), (high, [1, 2])]
    assert finished(answers("", asked, named)) == []
