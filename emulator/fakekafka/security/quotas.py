"""How much of a quota a client has used, and how long it has to wait (ClientQuotaManager, SampledStat, Rate)."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from fakekafka.ids import DurationMs, TimestampMs
from fakekafka.jvm.numbers import ratio, rounded

USER, CLIENT_ID = "user", "client-id"
Entity = tuple[tuple[str, str | None], ...]
"""The entity of a quota: types with names, in the order of the types; None is the default of a type."""
PRECEDENCE: Final = (
    (True, True, True, True),
    (True, True, True, False),
    (True, True, False, False),
    (True, False, True, True),
    (True, False, True, False),
    (True, False, False, False),
    (False, False, True, True),
    (False, False, True, False),
)
"""The precedence of quotas, strongest first: whether a quota names a user, whether that is this user (or the default),
and likewise for the client id.
"""


class Rate:
    """The usage of the last samples, as a rate per second."""

    def __init__(self, samples: int, window_ms: DurationMs) -> None:
        self._most, self._window_ms = samples, window_ms
        self._samples: deque[list[float]] = deque()  # when the sample began, and its usage

    def record(self, value: float, now: TimestampMs) -> None:
        """Count this usage."""
        if not self._samples or now - self._samples[-1][0] >= self._window_ms:
            self._samples.append([now, 0])
            while len(self._samples) > self._most:
                self._samples.popleft()
        self._samples[-1][1] += value

    def window_ms(self, now: TimestampMs) -> DurationMs:
        """The length of time that counts: at least all samples but the last."""
        self._purge(now)
        elapsed = now - int(self._samples[0][0]) if self._samples else 0
        whole = elapsed // self._window_ms
        return max(elapsed + max(0, self._most - 1 - whole) * self._window_ms, self._window_ms)

    def value(self, now: TimestampMs) -> float:
        """The rate."""
        window_ms = self.window_ms(now)
        return sum(amount for _, amount in self._samples) / (window_ms / 1000)

    def _purge(self, now: TimestampMs) -> None:
        while self._samples and now - self._samples[0][0] >= self._most * self._window_ms:
            self._samples.popleft()

    def throttle_ms(self, quota: float, now: TimestampMs) -> DurationMs:
        """How long to wait until the rate is within the quota: a long, which a quota close to 0 makes very long."""
        rate = self.value(now)
        return max(0, rounded(ratio(rate - quota, quota) * self.window_ms(now))) if rate > quota else 0


def found_quota(
    quotas: Mapping[Entity, Mapping[str, float]], key: str, user: str, client_id: str
) -> tuple[float, tuple[str, str]] | None:
    """The quota that applies to a client, and the clients that share it: user and client id, "" for all."""
    for by_user, own_user, by_client, own_client in PRECEDENCE:
        parts: list[tuple[str, str | None]] = []
        if by_client:
            parts.append((CLIENT_ID, client_id if own_client else None))
        if by_user:
            parts.append((USER, user if own_user else None))
        quota = quotas.get(tuple(parts), {}).get(key)
        if quota is not None:
            return quota, (user if by_user else "", client_id if by_client else "")
    return None


class TokenBucket:
    """The usage that is allowed at once, refilled at the rate of a quota (TokenBucket.java, KIP-599). Full at first."""

    def __init__(self, quota: float, burst: float) -> None:
        self._quota, self._burst = quota, burst
        self._left = burst
        self._at: TimestampMs | None = None

    def use(self, amount: float, now: TimestampMs) -> None:
        """Use this amount, even if less is left."""
        self._refill(now)
        self._left = min(self._burst, self._left - amount)

    def wait_ms(self, now: TimestampMs) -> DurationMs:
        """How long until the deficit is refilled, as a long; 0: there is no deficit."""
        self._refill(now)
        return rounded(ratio(-self._left, self._quota) * 1000) if self._left < 0 else 0

    def _refill(self, now: TimestampMs) -> None:
        if self._at is not None:
            self._left = min(self._burst, self._left + self._quota * (now - self._at) / 1000)
        self._at = now


class Usage:
    """What all clients of a broker have used, by quota and by the clients that share it."""

    def __init__(self, samples: int, window_ms: DurationMs) -> None:
        self._samples, self._window_ms = samples, window_ms
        self._rates: dict[tuple[str, tuple[str, str], float], Rate] = {}

    def rate(self, key: str, sharers: tuple[str, str], quota: float) -> Rate:
        """The rate of one quota. A quota with a new value starts a new rate."""
        rate = self._rates.get((key, sharers, quota))
        if rate is None:
            rate = self._rates[key, sharers, quota] = Rate(self._samples, self._window_ms)
        return rate
