"""Records of streams groups as bytes."""

from contextlib import suppress

import pytest
from fakekafka.coordinators.groups.streams.group import (
    NO_TASKS,
    Endpoint,
    MemberState,
    Owned,
    StreamsGroup,
    StreamsMember,
    Tasks,
)
from fakekafka.coordinators.groups.streams.records import (
    TYPES,
    assignment_epoch_record,
    current_record,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topology_record,
)
from fakekafka.coordinators.groups.typed_records import TypedRecord, group_of
from fakekafka.errors import MalformedBytes
from fakekafka.wire.internal.streams_group_records import (
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupTopologyValue,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.support.group_clients import coordinator_of, grouped

NUMBERS = [17, 19, 20, 21, 22, 23]
REPLAY = coordinator_of(grouped("4.3")).streams_groups.replay

ME = StreamsMember(
    "m", "rack", "client", "/host", 1000, 2, "process", Endpoint("h", 65535), {"b": "2", "a": "1"}, 3, 2,
    assigned=Owned({("0", 1): 3, ("0", 0): 2}, frozenset({("1", 4)})),
)  # fmt: skip


def kind(record: TypedRecord) -> int:
    return int.from_bytes(TYPES.encoded(record)[0][:2], "big")


def test_keys_begin_with_the_kind_of_the_record() -> None:
    records = [
        epoch_record("g", 2, -1, 0, {}),
        member_record("g", ME),
        assignment_epoch_record("g", 2, 0),
        target_record("g", "m", NO_TASKS),
        current_record("g", ME),
        topology_record("g", StreamsGroupTopologyValue(epoch=0, subtopologies=[])),
    ]
    assert [kind(record) for record in records] == NUMBERS
    assert {group_of(record) for record in records} == {"g"}
    for record in records:
        key, value = TYPES.encoded(record)
        assert TYPES.decoded(kind(record), key, value) == record


def test_tombstones_come_in_the_order_in_which_members_and_groups_are_forgotten() -> None:
    assert [kind(record) for record in member_tombstones("g", "m")] == [22, 21, 19]
    found = group_tombstones(StreamsGroup("g", 1))
    assert [kind(record) for record in found] == [20, 17, 23]
    assert [TYPES.encoded(record)[1] for record in found] == [None, None, None]


def test_lists_in_records_are_sorted() -> None:
    _, value = member_record("g", ME)
    assert [tag.key for tag in value.client_tags] == ["a", "b"]  # type: ignore[union-attr]
    _, value = current_record("g", ME)
    (row,) = value.active_tasks  # type: ignore[union-attr]
    assert (row.partitions, row.assignment_epochs) == ([0, 1], [2, 3])
    (row,) = value.standby_tasks  # type: ignore[union-attr]
    assert not row.assignment_epochs, "only active tasks have epochs"
    _, value = target_record("g", "m", Tasks(frozenset({("1", 0), ("0", 9), ("0", 1)})))
    assert [(row.subtopology_id, row.partitions) for row in value.active_tasks] == [  # type: ignore[union-attr]
        ("0", [1, 9]),
        ("1", [0]),
    ]


def test_records_of_other_versions_cannot_be_read() -> None:
    key, _ = TYPES.encoded(epoch_record("g", 2, 0, 0, {}))
    for value in (b"", b"\0", b"\0\1"):
        with pytest.raises(MalformedBytes):
            TYPES.decoded(17, key, value)


@given(st.sampled_from(NUMBERS), st.binary(max_size=40), st.none() | st.binary(max_size=60))
def test_damaged_records_are_malformed_and_raise_no_other_error(kind: int, key: bytes, value: bytes | None) -> None:
    with suppress(MalformedBytes):
        record = TYPES.decoded(kind, b"\0\0" + key, value)
        assert (record[1] is None) == (value is None)


A, B, C = ("0", 0), ("0", 1), ("1", 0)
ME_replayed = StreamsMember(
    "m", None, "client", "/host", 1000, 2, "process", Endpoint("h", 1), {"zone": "z"}, 3, 2,
    MemberState.UNREVOKED_TASKS, Owned({A: 2}, frozenset({C})), Owned({B: 1}),
)  # fmt: skip
TARGET = Tasks(frozenset({A}), frozenset({B}), frozenset({C}))
TOPOLOGY = StreamsGroupTopologyValue(epoch=2, subtopologies=[])
WHOLE = [
    member_record("g", ME_replayed),
    topology_record("g", TOPOLOGY),
    epoch_record("g", 3, -7, 2, {"num.standby.replicas": "1"}),
    target_record("g", "m", TARGET),
    assignment_epoch_record("g", 3, 9),
    current_record("g", ME_replayed),
]


def replayed(*records: TypedRecord) -> dict[str, StreamsGroup]:
    groups: dict[str, StreamsGroup] = {}
    for record in records:
        REPLAY(groups, record)
    return groups


def test_a_group_is_read_as_it_was_written() -> None:
    group = replayed(*WHOLE)["g"]
    assert (group.members, group.target, group.topology) == ({"m": ME_replayed}, {"m": TARGET}, TOPOLOGY)
    assert (group.epoch, group.metadata_hash, group.validated_topology_epoch) == (3, -7, 2)
    assert group.configs == {"num.standby.replicas": "1"}
    assert (group.assignment_epoch, group.assignment_timestamp) == (3, 9)


def test_a_group_begins_in_the_first_epoch() -> None:
    group = replayed(member_record("g", ME_replayed))["g"]
    assert (group.epoch, group.assignment_epoch) == (1, 1)


def test_tombstones_remove_members_and_groups() -> None:
    group = replayed(*WHOLE, *member_tombstones("g", "m"))["g"]
    assert (group.members, group.target) == ({}, {})
    gone = group_tombstones(StreamsGroup("g", 1))
    assert replayed(*WHOLE, gone[0])["g"].assignment_epoch == -1
    assert replayed(*WHOLE, *gone) == {}
    assert replayed(*gone) == {}


def test_tasks_without_epochs_have_the_epoch_of_the_member() -> None:
    key, value = current_record("g", ME_replayed)
    assert isinstance(value, StreamsGroupCurrentMemberAssignmentValue)
    for row in value.active_tasks:
        row.assignment_epochs = None
    group = replayed(member_record("g", ME_replayed), (key, value))["g"]
    assert group.members["m"].assigned.active == {A: 3}
