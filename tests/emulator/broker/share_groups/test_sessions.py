"""Sessions of members of share groups."""

import pytest
from fakekafka.broker.administration.api_error import ApiError
from fakekafka.broker.share_groups.sessions import MAX_EPOCH, ShareSessions
from fakekafka.errors import ErrorCode

T = b"t" * 16


def test_each_request_has_the_next_epoch() -> None:
    sessions = ShareSessions(2)
    session = sessions.open("g", "m", [(T, 0)])
    assert sessions.go_on("g", "m", 1) is session
    with pytest.raises(ApiError) as refused:
        sessions.go_on("g", "m", 1)
    assert refused.value.code is ErrorCode.INVALID_SHARE_SESSION_EPOCH
    session.epoch = MAX_EPOCH
    sessions.go_on("g", "m", MAX_EPOCH)
    assert session.epoch == 1


def test_a_closed_session_is_gone() -> None:
    sessions = ShareSessions(2)
    sessions.open("g", "m", [])
    sessions.close("g", "m")
    with pytest.raises(ApiError) as refused:
        sessions.check("g", "m")
    assert refused.value.code is ErrorCode.SHARE_SESSION_NOT_FOUND


def test_there_are_only_so_many() -> None:
    sessions = ShareSessions(1)
    sessions.open("g", "m", [])
    sessions.open("g", "m", [])
    with pytest.raises(ApiError) as refused:
        sessions.open("g", "n", [])
    assert refused.value.code is ErrorCode.SHARE_SESSION_LIMIT_REACHED
    assert len(sessions) == 1
    sessions.clear()
    assert len(sessions) == 0
