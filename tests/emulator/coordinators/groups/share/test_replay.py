"""Records of share groups, read again."""

from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics
from fakekafka.coordinators.groups.share.records import (
    ShareRecord,
    assignment_epoch_record,
    current_record,
    epoch_record,
    group_tombstones,
    member_record,
    member_tombstones,
    target_record,
    topics_record,
)
from fakekafka.coordinators.groups.share.replay import replay

T = b"t" * 16
ME = ShareMember("m", "rack", "client", "/host", frozenset({"t"}), 3, 2, {T: frozenset({0, 1})})
TOPICS = StatedTopics({T: Stated("t", frozenset({1}))}, {T: Stated("t", frozenset({0}))}, {b"u" * 16: "u"})
WHOLE = [
    member_record("g", ME),
    epoch_record("g", 3, -7),
    target_record("g", "m", ME.assigned),
    assignment_epoch_record("g", 3, 9),
    current_record("g", ME),
    topics_record("g", TOPICS),
]


def replayed(*records: ShareRecord) -> dict[str, ShareGroup]:
    groups: dict[str, ShareGroup] = {}
    for record in records:
        replay(groups, 0, record)
    return groups


def test_a_group_is_read_as_it_was_written() -> None:
    group = replayed(*WHOLE)["g"]
    assert (group.members, group.target, group.topics) == ({"m": ME}, {"m": ME.assigned}, TOPICS)
    assert (group.epoch, group.metadata_hash) == (3, -7)
    assert (group.assignment_epoch, group.assignment_timestamp) == (3, 9)


def test_tombstones_take_members_and_groups_away() -> None:
    group = replayed(*WHOLE, *member_tombstones("g", "m"))["g"]
    assert (group.members, group.target) == ({}, {})
    assert replayed(*WHOLE, *group_tombstones(ShareGroup("g", 0))) == {}
    assert replayed(*group_tombstones(ShareGroup("g", 0))) == {}
