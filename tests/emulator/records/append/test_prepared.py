"""Limits on timestamps, and what a refusal says."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.records.append.prepared import NO_LIMIT, AppendTarget, RecordError, SetRefused, limits

NOW = 1000


@pytest.mark.parametrize(
    "target", [AppendTarget(2), AppendTarget(2, append_time=True, before_max_ms=1, after_max_ms=1)]
)
def test_any_time_is_valid_without_limits_or_if_the_broker_gives_the_time(target: AppendTarget) -> None:
    assert limits(target, NOW) is None


def test_limits_lie_around_now() -> None:
    assert limits(AppendTarget(2, before_max_ms=10, after_max_ms=20), NOW) == (990, 1020)


def test_one_side_may_be_without_limit() -> None:
    assert limits(AppendTarget(2, after_max_ms=20), NOW) == (NOW - NO_LIMIT, 1020)


def test_a_refusal_without_a_message_is_named_after_its_error() -> None:
    refusal = SetRefused(ErrorCode.MESSAGE_TOO_LARGE)
    assert (str(refusal), refusal.message, refusal.records) == ("MESSAGE_TOO_LARGE", None, ())


def test_a_refusal_keeps_what_is_wrong_with_which_record() -> None:
    wrong = RecordError(3, ErrorCode.INVALID_RECORD, "no key")
    assert SetRefused(ErrorCode.INVALID_RECORD, "rejected", [wrong]).records == [wrong]
