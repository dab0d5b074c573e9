"""Members of streams groups go."""

from fakekafka.errors import ErrorCode

from tests.support.group_clients import clock_of
from tests.support.streams_group_clients import StreamsMember, described, group_of, settle, streaming


def test_a_member_that_leaves_frees_its_tasks() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    settle(one, two)
    left = one.leave()
    assert (left.member_epoch, left.status, left.active_tasks) == (-1, [], None)
    assert described(kafka).group_state == "Assigning"
    settle(two)
    assert len(two.tasks) == 4


def test_strangers_cannot_leave() -> None:
    kafka = streaming()
    assert StreamsMember(kafka).leave().error_message == "Group g not found."
    StreamsMember(kafka).join()
    stranger = StreamsMember(kafka, "x").leave()
    assert (stranger.error_code, stranger.error_message) == (25, "Member x is not a member of group g.")


def test_silent_members_are_forgotten() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    settle(one, two)
    clock_of(kafka).advance(44_000)
    one.beat()
    clock_of(kafka).advance(1_001)
    assert list(group_of(kafka).members) == ["one"]
    assert two.beat().error_code == ErrorCode.UNKNOWN_MEMBER_ID
    clock_of(kafka).advance(45_000)
    assert described(kafka).group_state == "Empty"


def test_a_member_that_does_not_give_up_tasks_in_time_is_forgotten() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    before = one.active
    one.beat()
    assert one.active < before
    clock_of(kafka).advance(1_999)
    assert "one" in group_of(kafka).members
    clock_of(kafka).advance(1)
    assert list(group_of(kafka).members) == ["two"]


def test_a_member_that_gives_up_tasks_in_time_stays() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    one.beat()
    one.beat()
    clock_of(kafka).advance(2_000)
    assert set(group_of(kafka).members) == {"one", "two"}


def test_deadlines_begin_anew_after_a_restart() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join(rebalance_timeout_ms=2000)
    two.join()
    one.beat()
    kafka.restart()
    assert set(group_of(kafka).members) == {"one", "two"}
    clock_of(kafka).advance(2_000)
    assert list(group_of(kafka).members) == ["two"]
    clock_of(kafka).advance(43_001)
    assert not group_of(kafka).members


def test_a_shutdown_is_told_to_everybody_until_the_last_one_is_gone() -> None:
    kafka = streaming()
    one, two = StreamsMember(kafka, "one"), StreamsMember(kafka, "two")
    one.join()
    two.join()
    one.send(-1, shutdown_application=True)
    (status,) = two.beat().status or []
    assert (status.status_code, "member one encountered a fatal error" in status.status_detail) == (4, True)
    two.leave()
    assert two.join().status == []
