"""A share group as its coordinator sees it."""

from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember, Stated, StatedTopics

T = b"t" * 16


def test_a_share_group_is_empty_or_stable() -> None:
    group = ShareGroup("g", 1)
    assert group.state == "Empty"
    group.members["m"] = ShareMember("m")
    assert group.state == "Stable"
    assert [member.id for member in group.ordered_members()] == ["m"]
    assert list(group.with_member(ShareMember("n"))) == ["m", "n"]


def test_partitions_of_a_share_group_become_initialized() -> None:
    topics = StatedTopics({T: Stated("t", frozenset({0, 1}))}, {T: Stated("t", frozenset({2}))})
    ready = topics.with_initialized(T, [0, 1])
    assert (ready.initializing, ready.initialized) == ({}, {T: Stated("t", frozenset({0, 1, 2}))})
