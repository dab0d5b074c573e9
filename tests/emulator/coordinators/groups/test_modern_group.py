"""What all kinds of groups except classic ones have in common."""

import pytest
from fakekafka.coordinators.groups.modern_group import ModernGroup
from fakekafka.coordinators.groups.share.group import ShareGroup, ShareMember
from fakekafka.coordinators.groups.streams.group import StreamsGroup, StreamsMember
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.waiting.timers import Timers


def group_with_deadlines() -> tuple[ShareGroup, Timers]:
    group, timers = ShareGroup("g", 0), Timers(0)
    for member_id in ("m", "n"):
        group.put(ShareMember(member_id))
        group.set_timer("session", member_id, timers.after(10, lambda: None))
    return group, timers


def test_an_unknown_member_is_refused() -> None:
    with pytest.raises(ApiError, match="Member n is not a member of group g") as refused:
        StreamsGroup("g", 0).require_member("n")
    assert refused.value.code is ErrorCode.UNKNOWN_MEMBER_ID


def test_a_member_that_leaves_has_no_deadlines_left() -> None:
    group, _ = group_with_deadlines()
    group.remove("m")
    assert (list(group.members), list(group.timers)) == (["n"], [("session", "n")])


def test_a_new_deadline_replaces_the_previous_one_of_its_kind() -> None:
    group, timers = group_with_deadlines()
    before = group.timers["session", "m"]
    group.set_timer("session", "m", timers.after(20, lambda: None))
    assert before.action is None
    assert group.timers["session", "m"].action is not None
    group.stop_timers()
    assert group.timers == {}


@pytest.mark.parametrize("group", [StreamsGroup("g", 0), ShareGroup("g", 0)])
def test_clients_without_a_member_id_may_read_offsets(group: ModernGroup[StreamsMember, object]) -> None:
    assert group.validate_offset_fetch(-1, None) is ErrorCode.NONE


def test_offsets_cannot_be_committed_into_a_share_group() -> None:
    group = ShareGroup("g", 0)
    assert group.validate_offset_commit(-1, "", 9) is ErrorCode.GROUP_ID_NOT_FOUND
    assert group.validate_txn_offset_commit(-1, "", None) is ErrorCode.GROUP_ID_NOT_FOUND
