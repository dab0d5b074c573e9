"""Client quotas: what a request and its answer use, and how long the client has to wait for that (KIP-13, KIP-124,
KIP-219).

Nothing is counted before the cluster has quotas, but for releases up to 0.11, which always count bytes. A handler, or
a fault rule, may throttle a request as well.
"""

from typing import Any, Final, NamedTuple

from fakekafka.handlers.call import Call
from fakekafka.handlers.quotas import CONSUMED, PRODUCED, REQUESTS, usage_of
from fakekafka.ids import ApiKey, DurationMs
from fakekafka.jvm.numbers import low_int
from fakekafka.pieces import Piece, size_of
from fakekafka.security.quotas import UNLIMITED
from fakekafka.wire.apis.fetch import FetchResponse
from fakekafka.wire.frames import SIZE, response_frame
from fakekafka.wire.message import Response

NOMINAL_PERCENT: Final = 0.01
"""The thread time that one request is charged with: 0.1 ms of a second, whatever the machine."""
FIRST_WITH_TAGS: Final = 12
"""The first version of Fetch whose header has tags, which do not count."""


class Throttled(NamedTuple):
    """How an answer is throttled."""

    response: Response
    delay_ms: DurationMs = 0
    answers_first: bool = True
    """Whether the answer is sent at once, and the connection is muted afterwards; otherwise the answer waits."""
    written: list[Piece] | None = None
    """The answer's frame, if it was needed."""


def throttled(call: Call, asked: int, response: Response) -> Throttled:
    """Count a request of `asked` bytes and its answer, and return how that is throttled."""
    rules, written = call.profile.quotas, None
    delay_ms = call.throttle_ms
    if rules.by_time:
        longest_ms = 1000 * call.broker.config.int("quota.window.size.seconds", 1)
        delay_ms = max(delay_ms, min(_used(call, REQUESTS, NOMINAL_PERCENT), longest_ms))
    if call.key is ApiKey.PRODUCE:
        delay_ms = max(delay_ms, _produced(call, asked))
    elif isinstance(response, FetchResponse) and usage_of(call, CONSUMED) is not None:
        written = response_frame(response, call.answer_version, call.correlation_id)
        delay_ms = _fetched(call, size_of(written), delay_ms)
    if delay_ms and rules.answers_first and isinstance(response, FetchResponse):
        response = _without_records(call, response)
    if delay_ms and "throttle_time_ms" in response.FIELDS:
        shown: Any = response
        shown.throttle_time_ms = delay_ms
    return Throttled(response, delay_ms, rules.answers_first, None if delay_ms else written)


def throttle_of_unanswered(call: Call, asked: int) -> DurationMs:
    """Count a Produce of `asked` bytes with acks 0, and return how long its client has to wait. The time that such
    requests take is exempt.
    """
    return max(call.throttle_ms, _produced(call, asked))


def count(call: Call, asked: int, answered: int) -> None:
    """Count the bytes of a request and its answer that are not throttled."""
    if call.key is ApiKey.PRODUCE:
        _produced(call, asked)
    elif call.key is ApiKey.FETCH:
        _consumed(call, answered)


def _produced(call: Call, size: int) -> DurationMs:
    return _used(call, PRODUCED, size - call.profile.quotas.uncounted_of_produce)


def _consumed(call: Call, size: int, times: int = 1) -> DurationMs:
    rules = call.profile.quotas
    size -= SIZE.size + rules.uncounted_of_fetch
    size -= call.answer_version >= FIRST_WITH_TAGS
    if rules.counts_as_stored:
        size += call.converted_away
    return _used(call, CONSUMED, times * size)


def _fetched(call: Call, size: int, delay_ms: DurationMs) -> DurationMs:
    """The delay of a Fetch's answer of this size. What is not sent does not count."""
    delay_ms = max(delay_ms, _consumed(call, size))
    if delay_ms and call.profile.quotas.answers_first:
        _consumed(call, size, -1)
    return delay_ms


def _used(call: Call, key: str, amount: float) -> DurationMs:
    """Count this amount. Returns how long the client has to wait."""
    quota_and_rate = usage_of(call, key)
    if quota_and_rate is None:
        return 0
    (quota, rate), now = quota_and_rate, call.now
    rate.record(amount, now)
    if quota == UNLIMITED:
        return 0
    delay_ms = rate.throttle_ms(quota, now)
    return delay_ms if key == REQUESTS else max(0, low_int(delay_ms))  # requests have a longest delay instead


def _without_records(call: Call, response: FetchResponse) -> FetchResponse:
    """The answer to a client that must wait and then ask again. A refused session stays refused, a new one is not made,
    and an old one does not know what the client has not heard (`FetchContext.getThrottledResponse`).
    """
    session_id = response.session_id if call.undo is None else call.undo()
    return FetchResponse(session_id=session_id, error_code=response.error_code, responses=[])
