"""Records of streams groups, read again."""

from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import Endpoint, MemberState, Owned, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.records import (
    StreamsRecord,
    assignment_epoch_record,
    current_record,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topology_record,
)
from fakekafka.coordinators.groups.streams.replay import replay
from fakekafka.wire.internal.streams_group_records import (
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupTopologyValue,
)

A, B, C = ("0", 0), ("0", 1), ("1", 0)
ME = StreamsMember(
    "m", None, "client", "/host", 1000, 2, "process", Endpoint("h", 1), {"zone": "z"}, 3, 2,
    MemberState.UNREVOKED_TASKS, Owned({A: 2}, frozenset({C})), Owned({B: 1}),
)  # fmt: skip
TARGET = Tasks(frozenset({A}), frozenset({B}), frozenset({C}))
TOPOLOGY = StreamsGroupTopologyValue(epoch=2, subtopologies=[])
WHOLE = [
    member_record("g", ME),
    topology_record("g", TOPOLOGY),
    epoch_record("g", 3, -7, 2, {"num.standby.replicas": "1"}),
    target_record("g", "m", TARGET),
    assignment_epoch_record("g", 3, 9),
    current_record("g", ME),
]


def replayed(*records: StreamsRecord) -> dict[str, StreamsGroup]:
    groups: dict[str, StreamsGroup] = {}
    for record in records:
        replay(groups, 1, record)
    return groups


def test_a_group_is_read_as_it_was_written() -> None:
    group = replayed(*WHOLE)["g"]
    assert (group.members, group.target, group.topology) == ({"m": ME}, {"m": TARGET}, TOPOLOGY)
    assert (group.epoch, group.metadata_hash, group.validated_topology_epoch) == (3, -7, 2)
    assert group.configs == {"num.standby.replicas": "1"}
    assert (group.assignment_epoch, group.assignment_timestamp) == (3, 9)


def test_a_group_begins_in_the_first_epoch() -> None:
    group = replayed(member_record("g", ME))["g"]
    assert (group.epoch, group.assignment_epoch) == (1, 1)


def test_tombstones_take_members_and_groups_away() -> None:
    group = replayed(*WHOLE, *member_tombstones("g", "m"))["g"]
    assert (group.members, group.target) == ({}, {})
    gone = group_tombstones(StreamsGroup("g", 1))
    assert replayed(*WHOLE, gone[0])["g"].assignment_epoch == -1
    assert replayed(*WHOLE, *gone) == {}
    assert replayed(*gone) == {}


def test_tasks_without_epochs_are_as_old_as_the_member() -> None:
    key, value = current_record("g", ME)
    assert isinstance(value, StreamsGroupCurrentMemberAssignmentValue)
    for row in value.active_tasks:
        row.assignment_epochs = None
    group = replayed(member_record("g", ME), (key, value))["g"]
    assert group.members["m"].assigned.active == {A: 3}
