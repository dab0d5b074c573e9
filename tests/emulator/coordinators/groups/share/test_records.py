"""Records of share groups as bytes."""

import pytest
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.share.records import (
    KINDS,
    current_record,
    decoded,
    encoded,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topics_record,
)
from fakekafka.errors import MalformedBytes

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
    pairs = [encoded(record) for record in records]
    kinds = [int.from_bytes(key[:2], "big") for key, _ in pairs]
    assert kinds == [10, 11, 13, 14, 15, 14, 13, 10, 12, 15, 11]
    assert [decoded(kind, key, value) for kind, (key, value) in zip(kinds, pairs)] == records


def test_every_kind_of_record_has_a_shape_of_its_own() -> None:
    assert len({key for key, _ in KINDS.values()}) == len(KINDS) == 6


def test_other_versions_are_refused() -> None:
    key, _ = encoded(epoch_record("g", 1, 5))
    with pytest.raises(MalformedBytes):
        decoded(11, key, b"\0\1")
