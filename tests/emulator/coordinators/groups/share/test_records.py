"""Records of share groups as bytes."""

import pytest
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.share.records import (
    TYPES,
    assignment_epoch_record,
    current_record,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topics_record,
)
from fakekafka.coordinators.groups.typed_records import TypedRecord
from fakekafka.errors import MalformedBytes

from tests.support.group_clients import coordinator_of, grouped

REPLAY = coordinator_of(grouped("4.1")).share_groups.replay

T = b"t" * 16


def test_keys_begin_with_the_kind_of_the_record() -> None:
    member = ShareMember("m", topics=frozenset({"t"}), assigned={T: frozenset({0})})
    topics = StatedTopics({}, {T: Stated("t", frozenset({0}))}, {T: "t"})
    records = [
        member_record("g", member),
        epoch_record("g", 1, 5),
        target_record("g", "m", {T: frozenset({1})}),
        current_record("g", member),
        topics_record("g", topics),
        *member_tombstones("g", "m"),
        *group_tombstones(ShareGroup("g", 0)),
    ]
    pairs = [TYPES.encoded(record) for record in records]
    kinds = [int.from_bytes(key[:2], "big") for key, _ in pairs]
    assert kinds == [10, 11, 13, 14, 15, 14, 13, 10, 12, 15, 11]
    assert [TYPES.decoded(kind, key, value) for kind, (key, value) in zip(kinds, pairs)] == records


def test_every_kind_of_record_has_its_own_shape() -> None:
    assert [number for number in range(100) if number in TYPES] == list(range(10, 16))


def test_other_versions_are_refused() -> None:
    key, _ = TYPES.encoded(epoch_record("g", 1, 5))
    with pytest.raises(MalformedBytes):
        TYPES.decoded(11, key, b"\0\1")


T_replayed = b"t" * 16
ME = ShareMember("m", "rack", "client", "/host", frozenset({"t"}), 3, 2, {T_replayed: frozenset({0, 1})})
TOPICS = StatedTopics(
    {T_replayed: Stated("t", frozenset({1}))}, {T_replayed: Stated("t", frozenset({0}))}, {b"u" * 16: "u"}
)
WHOLE = [
    member_record("g", ME),
    epoch_record("g", 3, -7),
    target_record("g", "m", ME.assigned),
    assignment_epoch_record("g", 3, 9),
    current_record("g", ME),
    topics_record("g", TOPICS),
]


def replayed(*records: TypedRecord) -> dict[str, ShareGroup]:
    groups: dict[str, ShareGroup] = {}
    for record in records:
        REPLAY(groups, record)
    return groups


def test_a_group_is_read_as_it_was_written() -> None:
    group = replayed(*WHOLE)["g"]
    assert (group.members, group.target, group.topics) == ({"m": ME}, {"m": ME.assigned}, TOPICS)
    assert (group.epoch, group.metadata_hash) == (3, -7)
    assert (group.assignment_epoch, group.assignment_timestamp) == (3, 9)


def test_tombstones_remove_members_and_groups() -> None:
    group = replayed(*WHOLE, *member_tombstones("g", "m"))["g"]
    assert (group.members, group.target) == ({}, {})
    assert replayed(*WHOLE, *group_tombstones(ShareGroup("g", 0))) == {}
    assert replayed(*group_tombstones(ShareGroup("g", 0))) == {}
