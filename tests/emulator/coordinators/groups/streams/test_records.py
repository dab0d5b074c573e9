"""Records of streams groups as bytes."""

from contextlib import suppress

import pytest
from fakekafka.coordinators.groups.streams.group import StreamsGroup
from fakekafka.coordinators.groups.streams.member import NO_TASKS, Endpoint, Owned, StreamsMember, Tasks
from fakekafka.coordinators.groups.streams.records import (
    KINDS,
    StreamsRecord,
    assignment_epoch_record,
    current_record,
    decoded,
    encoded,
    epoch_record,
    group_of,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topology_record,
)
from fakekafka.errors import MalformedBytes
from fakekafka.wire.internal.streams_group_records import StreamsGroupTopologyValue
from hypothesis import given
from hypothesis import strategies as st

ME = StreamsMember(
    "m", "rack", "client", "/host", 1000, 2, "process", Endpoint("h", 65535), {"b": "2", "a": "1"}, 3, 2,
    assigned=Owned({("0", 1): 3, ("0", 0): 2}, frozenset({("1", 4)})),
)  # fmt: skip


def kind(record: StreamsRecord) -> int:
    return int.from_bytes(encoded(record)[0][:2], "big")


def test_keys_begin_with_the_kind_of_the_record() -> None:
    records = [
        epoch_record("g", 2, -1, 0, {}),
        member_record("g", ME),
        assignment_epoch_record("g", 2, 0),
        target_record("g", "m", NO_TASKS),
        current_record("g", ME),
        topology_record("g", StreamsGroupTopologyValue(epoch=0, subtopologies=[])),
    ]
    assert [kind(record) for record in records] == list(KINDS)
    assert {group_of(record) for record in records} == {"g"}
    for record in records:
        key, value = encoded(record)
        assert decoded(kind(record), key, value) == record


def test_tombstones_come_in_the_order_in_which_members_and_groups_are_forgotten() -> None:
    assert [kind(record) for record in member_tombstones("g", "m")] == [22, 21, 19]
    found = group_tombstones(StreamsGroup("g", 1))
    assert [kind(record) for record in found] == [20, 17, 23]
    assert [encoded(record)[1] for record in found] == [None, None, None]


def test_lists_are_sorted() -> None:
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


def test_other_versions_cannot_be_read() -> None:
    key, _ = encoded(epoch_record("g", 2, 0, 0, {}))
    for value in (b"", b"\0", b"\0\1"):
        with pytest.raises(MalformedBytes):
            decoded(17, key, value)


@given(st.sampled_from(list(KINDS)), st.binary(max_size=40), st.none() | st.binary(max_size=60))
def test_what_is_broken_is_malformed_and_nothing_else(kind: int, key: bytes, value: bytes | None) -> None:
    with suppress(MalformedBytes):
        _, read = decoded(kind, b"\0\0" + key, value)
        assert (read is None) == (value is None)
