"""How much of a quota a client has used, and how long it has to wait (ClientQuotaManager, SampledStat, Rate)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, Generic, Protocol, TypeVar

from fakekafka.ids import DurationMs, TimestampMs
from fakekafka.jvm.numbers import MAX_LONG, ratio, rounded, whole
from fakekafka.releases.behaviours.quotas import QuotasBehaviour

USER, CLIENT_ID = "user", "client-id"
UNLIMITED: Final = float(MAX_LONG)
MANY_SHARERS: Final = 1000
"""How many are remembered before those are looked for whose usage is over."""
Sharers = tuple[str, str]
"""The clients that share a quota: user and client id, "" for all."""
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


class Sample:
    """What was used in a part of the time."""

    __slots__ = ("began", "last", "used")

    def __init__(self, now: TimestampMs) -> None:
        self.restart(now)

    def restart(self, now: TimestampMs) -> None:
        """Begin again, with nothing."""
        self.began = self.last = now
        self.used = 0.0


class Rate:
    """The usage of the last samples, as a rate per second.

    Samples are in a ring. One that is too old begins again, empty, when that is noticed; so it may be the oldest later.
    """

    def __init__(self, samples: int, window_ms: DurationMs, rules: QuotasBehaviour) -> None:
        self._most, self._window_ms, self._rules = samples, window_ms, rules
        self._samples: list[Sample] = []
        self._current = 0

    def record(self, value: float, now: TimestampMs) -> None:
        """Count this usage."""
        if not self._samples:
            self._samples.append(Sample(now))
        elif now - self._samples[self._current].began >= self._window_ms:
            self._advance(now)
        sample = self._samples[self._current]
        sample.used += value
        sample.last = now

    def _advance(self, now: TimestampMs) -> None:
        self._current = (self._current + 1) % (self._most + self._rules.samples_overlap)
        if self._current == len(self._samples):
            self._samples.append(Sample(now))
        else:
            self._samples[self._current].restart(now)

    def is_over(self, now: TimestampMs) -> bool:
        """Whether all usage is too old to count."""
        return now - self._samples[self._current].last >= 2 * self._most * self._window_ms if self._samples else True

    def window_ms(self, now: TimestampMs) -> DurationMs:
        """The length of time that counts: at least all samples but the last."""
        self._purge(now)
        elapsed = now - min((sample.began for sample in self._samples), default=now)
        missing = self._most - 1 - whole(elapsed / self._window_ms)
        return max(elapsed + max(0, missing) * self._window_ms, self._rules.shortest_window_ms)

    def value(self, now: TimestampMs) -> float:
        """The rate; infinite, or no number, in a window without length."""
        window_ms = self.window_ms(now)
        return ratio(sum(sample.used for sample in self._samples), window_ms / 1000)

    def _purge(self, now: TimestampMs) -> None:
        for sample in self._samples:
            at = sample.last if self._rules.samples_overlap else sample.began
            if now - at >= self._most * self._window_ms:
                sample.restart(now)

    def throttle_ms(self, quota: float, now: TimestampMs) -> DurationMs:
        """How long to wait until the rate is within the quota: a long, which a quota close to 0 makes very long."""
        rate = self.value(now)
        return max(0, rounded(ratio(rate - quota, quota) * self.window_ms(now))) if rate > quota else 0


def found_quota(
    quotas: Mapping[Entity, Mapping[str, float]], key: str, user: str, client_id: str
) -> tuple[float, Sharers] | None:
    """The quota that applies to a client, and the clients that share it."""
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


Level = tuple[bool, bool]
"""Whether quotas name users, and whether they name client ids."""


def levels_of(entities: Iterable[Entity]) -> set[Level]:
    """The levels on which clients have quotas."""
    kinds = [{kind for kind, _ in entity} for entity in entities]
    return {(USER in each, CLIENT_ID in each) for each in kinds if each & {USER, CLIENT_ID}}


class Counter(Protocol):
    """What usage is counted with."""

    def is_over(self, now: TimestampMs) -> bool:
        """Whether it is as if nothing had been used."""


T = TypeVar("T", bound=Counter)


class KeptQuotas(Protocol):
    """The quotas of a cluster."""

    quotas: dict[Entity, dict[str, float]]
    """By key, of each entity that has any."""
    quota_entities: set[Entity]
    """The entities that have ever had quotas, or had some removed."""


class TokenBucket:
    """The usage that is allowed at once, refilled at the rate of a quota (TokenBucket.java, KIP-599). Full at first."""

    def __init__(self, seconds: float) -> None:
        """`seconds`: how long an empty bucket takes to be full."""
        self._seconds = seconds
        self._left = 0.0
        self._at: TimestampMs | None = None

    def use(self, amount: float, quota: float, now: TimestampMs) -> None:
        """Use this amount, even if less is left."""
        self._refill(quota, now)
        self._left = min(quota * self._seconds, self._left - amount)

    def is_over(self, now: TimestampMs) -> bool:
        """Whether the bucket is full again, whatever its quota."""
        return self._at is None or (self._left >= 0 and now - self._at >= self._seconds * 1000)

    def wait_ms(self, quota: float, now: TimestampMs) -> DurationMs:
        """How long until the deficit is refilled, as a long; 0: there is no deficit."""
        self._refill(quota, now)
        return rounded(ratio(-self._left, quota) * 1000) if self._left < 0 else 0

    def _refill(self, quota: float, now: TimestampMs) -> None:
        most = quota * self._seconds
        self._left = most if self._at is None else min(most, self._left + quota * (now - self._at) / 1000)
        self._at = now


class Usage(Generic[T]):
    """What the clients of a broker have used of one kind of quota, by the clients that share one (ClientQuotaManager).

    As soon as there is any quota, the usage of all clients counts, also of those that have none: it counts against the
    quota that they get later.
    """

    def __init__(
        self,
        key: str,
        new: Callable[[], T],
        *,
        by_key: bool,
        always: bool = False,
        default: float = UNLIMITED,
        nameless_by_user: bool = True,
    ) -> None:
        """`new`: makes what usage is counted with. `by_key`: whether only entities matter that have a quota of this
        kind, not those that have, or had, one of any kind. `always`: whether usage counts before there is any quota.
        `default`: the quota of a client id for which no other one counts. `nameless_by_user`: whether a client whose id
        is empty has the quota of its user alone.
        """
        self._key, self._new, self._by_key, self._always, self._default = key, new, by_key, always, default
        self._nameless_by_user = nameless_by_user
        self._levels: set[Level] = set() if default == UNLIMITED else {(False, True)}
        self._used: dict[Sharers, T] = {}
        self._room = MANY_SHARERS

    def of(self, settings: KeptQuotas, user: str, client_id: str, now: TimestampMs) -> tuple[float, T] | None:
        """A client's quota, which may be `UNLIMITED`, and its usage. None: nothing counts yet."""
        found = None
        if settings.quota_entities or settings.quotas:
            self._levels |= self._levels_now(settings)
            found = found_quota(settings.quotas, self._key, user, client_id)
        if not self._levels and not self._always:
            return None
        quota, sharers = self._without_quota(user, client_id) if found is None else found
        if not client_id and self._nameless_by_user:
            quota = self._of_user_alone(settings, sharers[0])
        if sharers not in self._used:
            if len(self._used) >= self._room:
                self._forget(now)
            self._used[sharers] = self._new()
        return quota, self._used[sharers]

    def _of_user_alone(self, settings: KeptQuotas, user: str) -> float:
        """The quota of the user, or else of all users; no quota without a user (DefaultQuotaCallback.quotaLimit)."""
        names = (user, None) if user else ()
        found = (settings.quotas.get(((USER, name),), {}).get(self._key) for name in names)
        return next((quota for quota in found if quota is not None), UNLIMITED)

    def _forget(self, now: TimestampMs) -> None:
        """Forget clients whose usage is over: their ids may be different ones each time."""
        self._used = {sharers: used for sharers, used in self._used.items() if not used.is_over(now)}
        self._room = max(MANY_SHARERS, 2 * len(self._used))

    def _levels_now(self, settings: KeptQuotas) -> set[Level]:
        if self._by_key:
            return levels_of(entity for entity, quotas in settings.quotas.items() if self._key in quotas)
        return levels_of({*settings.quota_entities, *settings.quotas})

    def _without_quota(self, user: str, client_id: str) -> tuple[float, Sharers]:
        """The default, and the clients with which a client is counted for which no other quota was found."""
        by_user, by_client = next(iter(self._levels)) if len(self._levels) == 1 else (False, True)
        quota = UNLIMITED if by_user else self._default
        return quota, (user if by_user else "", client_id if by_client else "")
