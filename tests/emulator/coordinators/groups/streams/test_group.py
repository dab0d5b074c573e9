"""A streams group and what follows from its members."""

import pytest
from fakekafka.coordinators.groups.modern_group import NameAndId
from fakekafka.coordinators.groups.streams.group import (
    NO_TASKS,
    NOTHING,
    MemberState,
    Owned,
    StreamsGroup,
    StreamsMember,
    Tasks,
    by_subtopology,
)
from fakekafka.errors import ErrorCode
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue, Subtopology

ONE, TWO = ("0", 1), ("0", 2)


def test_tasks_are_sorted_by_subtopology_and_number() -> None:
    assert by_subtopology({("1", 0), TWO, ONE}) == {"0": [1, 2], "1": [0]}
    assert by_subtopology(()) == {}


def test_owned_tasks_overlap_only_with_tasks_of_the_same_role() -> None:
    owned = Owned({ONE: 3}, frozenset({TWO}))
    assert owned.tasks == Tasks(frozenset({ONE}), frozenset({TWO}))
    assert owned.meets(Tasks(frozenset({ONE})))
    assert not owned.meets(Tasks(frozenset({TWO}), frozenset({ONE})))
    assert not owned.meets(NO_TASKS)
    assert NOTHING.tasks == NO_TASKS


def test_a_member_moves_to_a_new_epoch() -> None:
    member = StreamsMember("m", epoch=3).in_epoch(5)
    assert (member.epoch, member.previous_epoch) == (5, 3)
    assert member.is_reconciled(5)
    assert not member.is_reconciled(6)
    assert not member._replace(state=MemberState.UNRELEASED_TASKS).is_reconciled(5)


A, B = ("0", 0), ("0", 1)
TOPOLOGY = StreamsGroupTopologyValue(
    epoch=0,
    subtopologies=[
        Subtopology(subtopology_id="0", source_topics=["t"], repartition_source_topics=[], state_changelog_topics=[])
    ],
)


@pytest.fixture
def group() -> StreamsGroup:
    group = StreamsGroup("g", 1)
    group.topology = TOPOLOGY
    group.epoch = group.assignment_epoch = 2
    group.put(StreamsMember("m", epoch=2, process_id="p", assigned=Owned({A: 2})))
    return group


def test_the_state_follows_from_epochs_and_members(group: StreamsGroup) -> None:
    assert group.state == "Stable"
    group.put(group.members["m"]._replace(state=MemberState.UNRELEASED_TASKS))
    assert group.state == "Reconciling"
    group.epoch = 3
    assert group.state == "Assigning"
    group.validated_topology_epoch = -1
    assert group.state == "NotReady"
    group.remove("m")
    assert group.state == "Empty"


def test_a_task_belongs_to_members_that_have_it_or_must_give_it_up(group: StreamsGroup) -> None:
    revoking = Owned({B: 1}, frozenset({A}))
    group.put(StreamsMember("n", process_id="q", revoking=revoking))
    assert group.processes.active == {A: "p", B: "q"}
    assert group.processes.standby == {A: {"q"}}
    assert not group.processes.warmup


def test_only_a_group_with_members_subscribes_to_topics(group: StreamsGroup) -> None:
    assert group.subscribes_to("t")
    assert not group.subscribes_to("u")
    group.remove("m")
    assert not group.subscribes_to("t")


def test_a_shutdown_ends_when_the_last_member_leaves(group: StreamsGroup) -> None:
    group.shutdown_by = "m"
    group.put(StreamsMember("n"))
    group.remove("m")
    assert group.shutdown_by == "m"
    group.remove("n")
    assert group.shutdown_by is None


def test_the_target_of_a_member_without_one_is_empty(group: StreamsGroup) -> None:
    group.target["m"] = Tasks(frozenset({A}))
    assert group.target_of("m").active == {A}
    assert group.target_of("n") == NO_TASKS


NONE, STALE = ErrorCode.NONE, ErrorCode.STALE_MEMBER_EPOCH
UNKNOWN, OLD = ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.UNSUPPORTED_VERSION


@pytest.fixture
def committing() -> StreamsGroup:
    committing = StreamsGroup("g", 1)
    committing.topology = TOPOLOGY
    committing.put(StreamsMember("m", epoch=5, assigned=Owned({("0", 0): 3}), revoking=Owned({("0", 1): 2})))
    return committing


def test_members_commit_in_epochs_up_to_their_own(committing: StreamsGroup) -> None:
    assert [committing.validate_offset_commit(epoch, "m", 9) for epoch in (-1, 4, 5, 6)] == [NONE, NONE, NONE, STALE]
    assert committing.validate_offset_commit(5, "m", 8) is OLD
    assert committing.validate_offset_commit(5, "n", 8) is UNKNOWN
    assert committing.validate_offset_commit(-1, "", 9) is UNKNOWN
    assert StreamsGroup("e", 1).validate_offset_commit(-1, "", 2) is NONE


@pytest.mark.parametrize(
    ("epoch", "topic", "partition", "error"),
    [
        (5, "u", 9, NONE),
        (4, "t", 0, NONE),
        (2, "t", 0, STALE),
        (2, "t", 1, NONE),
        (4, "t", 2, STALE),
        (4, "u", 0, STALE),
    ],
)
def test_members_commit_in_older_epochs_only_for_tasks_that_they_had(
    committing: StreamsGroup, epoch: int, topic: str, partition: int, error: ErrorCode
) -> None:
    assert committing.validate_partition(epoch, "m", NameAndId(topic, b""), partition) is error


def test_a_transaction_may_commit_without_a_member_id(committing: StreamsGroup) -> None:
    assert committing.validate_txn_offset_commit(-1, "", None) is NONE
    assert committing.validate_txn_offset_commit(-1, "n", None) is UNKNOWN
    assert committing.validate_txn_offset_commit(6, "m", None) is ErrorCode.ILLEGAL_GENERATION
    assert committing.validate_txn_offset_commit(4, "m", None) is NONE


def test_members_read_in_their_own_epoch(committing: StreamsGroup) -> None:
    assert [committing.validate_offset_fetch(epoch, "m") for epoch in (4, 5)] == [STALE, NONE]
    assert committing.validate_offset_fetch(-1, None) is NONE
    assert committing.validate_offset_fetch(0, "") is UNKNOWN
    assert committing.validate_offset_fetch(0, None) is ErrorCode.UNKNOWN_SERVER_ERROR, "asked of 4.3.1"
