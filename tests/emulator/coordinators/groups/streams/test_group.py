"""A streams group and what follows from its members."""

import pytest
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import NO_TASKS, MemberState, Owned, StreamsMember, Tasks
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue, Subtopology

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


def test_tasks_are_where_members_have_them_or_must_give_them_up(group: StreamsGroup) -> None:
    revoking = Owned({B: 1}, frozenset({A}))
    group.put(StreamsMember("n", process_id="q", revoking=revoking))
    assert group.places.active == {A: "p", B: "q"}
    assert group.places.standby == {A: {"q"}}
    assert not group.places.warmup


def test_only_a_group_with_members_subscribes(group: StreamsGroup) -> None:
    assert group.subscribes_to("t")
    assert not group.subscribes_to("u")
    group.remove("m")
    assert not group.subscribes_to("t")


def test_a_shutdown_is_over_with_the_last_member(group: StreamsGroup) -> None:
    group.shutdown_by = "m"
    group.put(StreamsMember("n"))
    group.remove("m")
    assert group.shutdown_by == "m"
    group.remove("n")
    assert group.shutdown_by is None


def test_who_has_no_target_is_to_have_nothing(group: StreamsGroup) -> None:
    group.target["m"] = Tasks(frozenset({A}))
    assert group.target_of("m").active == {A}
    assert group.target_of("n") == NO_TASKS
