"""Sessions of members of share groups."""

import pytest
from fakekafka.coordinators.share_partitions.sessions import MAX_EPOCH, Disconnected, ShareSessions
from fakekafka.errors import ApiError, ErrorCode

T = b"t" * 16


def test_each_request_has_the_next_epoch() -> None:
    sessions = ShareSessions(2)
    session = sessions.open("g", "m", [(T, 0)], 1)
    assert sessions.go_on("g", "m", 1) is session
    with pytest.raises(ApiError) as refused:
        sessions.go_on("g", "m", 1)
    assert refused.value.code is ErrorCode.INVALID_SHARE_SESSION_EPOCH
    session.epoch = MAX_EPOCH
    sessions.go_on("g", "m", MAX_EPOCH)
    assert session.epoch == 1


def test_a_closed_session_no_longer_exists() -> None:
    sessions = ShareSessions(2)
    sessions.open("g", "m", [], 1)
    sessions.close("g", "m")
    with pytest.raises(ApiError) as refused:
        sessions.check("g", "m")
    assert refused.value.code is ErrorCode.SHARE_SESSION_NOT_FOUND


def test_the_number_of_sessions_is_limited() -> None:
    sessions = ShareSessions(1)
    sessions.open("g", "m", [], 1)
    sessions.open("g", "m", [], 1)
    with pytest.raises(ApiError) as refused:
        sessions.open("g", "n", [], 2)
    assert refused.value.code is ErrorCode.SHARE_SESSION_LIMIT_REACHED
    assert len(sessions) == 1
    sessions.clear()
    assert len(sessions) == 0


def test_a_session_ends_with_the_connection_that_opened_it() -> None:
    sessions = ShareSessions(9)
    session = sessions.open("g", "m", [(T, 0)], 1)
    sessions.open("g", "n", [], 2)
    assert sessions.disconnected(3) is None
    assert sessions.disconnected(1) == Disconnected("g", session, is_last=False)
    assert len(sessions) == 1
    ended = sessions.disconnected(2)
    assert ended is not None
    assert ended.is_last


@pytest.mark.parametrize("keeps", [True, False])
def test_a_session_that_is_reopened_on_another_connection_stays_or_ends_by_release(keeps: bool) -> None:
    sessions = ShareSessions(9, keeps_renewed=keeps)
    sessions.open("g", "m", [], 1)
    sessions.open("g", "m", [], 2)
    sessions.disconnected(1)
    assert len(sessions) == keeps


def test_only_the_last_of_several_sessions_of_a_connection_ends_with_it() -> None:
    sessions = ShareSessions(9)
    sessions.open("g", "m", [], 1)
    sessions.open("g", "n", [], 1)
    assert sessions.disconnected(1) is not None
    assert sessions.check("g", "m").member_id == "m"
    assert sessions.disconnected(1) is None
