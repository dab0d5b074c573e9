"""Client quotas: what a request and its answer use, and how long the client has to wait for that (KIP-13, KIP-124,
KIP-219).

Nothing is counted while the cluster has no quotas. A handler, or a fault rule, may throttle a request as well.
"""

from typing import Any, Final, NamedTuple

from fakekafka.cluster.broker import Broker
from fakekafka.handlers.call import Call
from fakekafka.ids import ApiKey, BrokerId, DurationMs
from fakekafka.jvm.numbers import low_int
from fakekafka.pieces import size_of
from fakekafka.security.principal import ANONYMOUS
from fakekafka.security.quotas import Usage, found_quota
from fakekafka.wire.apis.fetch import FetchRequest, FetchResponse
from fakekafka.wire.frames import SIZE, response_frame
from fakekafka.wire.message import Request, Response

PRODUCED, CONSUMED, REQUESTS = "producer_byte_rate", "consumer_byte_rate", "request_percentage"
NOMINAL_PERCENT: Final = 0.01
"""The thread time that one request is charged with: 0.1 ms of a second, whatever the machine."""
FIRST_WITH_TAGS: Final = 12
"""The first version of Fetch whose header has tags, which do not count."""
LONGEST_FOR_REQUESTS_MS: Final[DurationMs] = 1000


class Throttled(NamedTuple):
    """How an answer is throttled."""

    response: Response
    delay_ms: DurationMs = 0
    answers_first: bool = True
    """Whether the answer is sent at once, and the connection is muted afterwards; otherwise the answer waits."""


class Throttling:
    """The quotas of a cluster's brokers. Each broker counts for itself."""

    def __init__(self) -> None:
        self._usages: dict[tuple[BrokerId, str], Usage] = {}

    def apply(self, call: Call, request: Request, request_bytes: int, response: Response) -> Throttled:
        """Count an answer, and return how it is throttled."""
        rules = call.profile.quotas
        delay_ms = call.throttle_ms
        if call.key is ApiKey.PRODUCE:
            delay_ms = max(delay_ms, self._used(call, PRODUCED, request_bytes - rules.uncounted_of_produce))
        elif isinstance(request, FetchRequest) and isinstance(response, FetchResponse):
            delay_ms, response = self._fetched(call, response)
        if rules.by_time:
            by_time_ms = self._used(call, REQUESTS, NOMINAL_PERCENT)
            delay_ms = max(delay_ms, min(by_time_ms, LONGEST_FOR_REQUESTS_MS))
        if delay_ms and "throttle_time_ms" in response.FIELDS:
            shown: Any = response
            shown.throttle_time_ms = delay_ms
        return Throttled(response, delay_ms, rules.answers_first)

    def _fetched(self, call: Call, response: FetchResponse) -> tuple[DurationMs, FetchResponse]:
        counted = not call.profile.quotas.answers_first
        if call.throttle_ms and not counted:  # no records are sent, so none are counted
            return call.throttle_ms, _without_records(response)
        size = size_of(response_frame(response, call.answer_version, call.correlation_id))
        size -= SIZE.size + call.profile.quotas.uncounted_of_fetch
        size -= call.answer_version >= FIRST_WITH_TAGS
        if call.profile.quotas.counts_as_stored:
            size += call.converted_away
        delay_ms = self._used(call, CONSUMED, size, kept_if_over=counted)
        if delay_ms and not counted:
            return delay_ms, _without_records(response)
        return max(delay_ms, call.throttle_ms), response

    def _used(self, call: Call, key: str, amount: float, *, kept_if_over: bool = True) -> DurationMs:
        broker = call.broker
        who = (call.principal or ANONYMOUS).name
        quota_and_sharers = found_quota(broker.cluster.settings.quotas, key, who, call.client_id or "")
        if quota_and_sharers is None:
            return 0
        quota, sharers = quota_and_sharers
        rate, now = self._usage(broker, key).rate(key, sharers, quota), call.now
        rate.record(amount, now)
        delay_ms = rate.throttle_ms(quota, now)
        if key != REQUESTS:  # which have a longest delay instead
            delay_ms = max(0, low_int(delay_ms))
        if delay_ms and not kept_if_over:
            rate.record(-amount, now)
        return delay_ms

    def _usage(self, broker: Broker, key: str) -> Usage:
        place = broker.node_id, key
        if place not in self._usages:
            window_ms = 1000 * broker.config.int("quota.window.size.seconds", 1)
            self._usages[place] = Usage(broker.config.int("quota.window.num", 11), window_ms)
        return self._usages[place]


def _without_records(response: FetchResponse) -> FetchResponse:
    """The answer to a client that must wait and then ask again. A refused session stays refused
    (`FetchContext.getThrottledResponse`).
    """
    return FetchResponse(session_id=response.session_id, error_code=response.error_code, responses=[])
