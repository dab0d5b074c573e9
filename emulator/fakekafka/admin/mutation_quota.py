"""`controller_mutation_rate` (KIP-599): how many partitions a client may create and delete.

Class name: ControllerMutationQuotaManager. Recorded at 2.8.2 and 4.3.1: quotas.

Clients that know the error are refused once the quota is used up; older versions of a request are carried out, and
their clients have to wait. Only what is refused costs nothing.
"""

from typing import TYPE_CHECKING, Final

from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import DurationMs, TimestampMs
from fakekafka.jvm.numbers import low_int

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.security.quotas import TokenBucket, Usage

KEY: Final = "controller_mutation_rate"


class MutationQuota:
    """What one request may change. `strict`: it is refused, rather than made to wait."""

    def __init__(self, quota: "tuple[float, TokenBucket] | None", now: TimestampMs, *, strict: bool) -> None:
        """`quota`: with what is left of it."""
        self._quota, self._now, self._strict = quota, now, strict
        self.wait_ms: DurationMs = 0
        """How long the client has to wait, for what was asked so far."""

    def use(self, partitions: int) -> None:
        """Count partitions that are created or deleted. Raises `ApiError` 89 if they may not be."""
        if self._quota is None:
            return
        quota, bucket = self._quota
        if not self._strict:
            bucket.use(partitions, quota, self._now)
        wait_ms = bucket.wait_ms(quota, self._now)
        self.wait_ms = max(0, low_int(wait_ms))
        if self._strict:
            if wait_ms:
                raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED)
            bucket.use(partitions, quota, self._now)


def mutation_quota(broker: "Broker", user: str, client_id: str, now: TimestampMs, *, strict: bool) -> MutationQuota:
    """The quota of a client. Its usage is known to KRaft's controllers, or to the broker that is the controller."""
    settings, keeper = broker.cluster.settings, broker.cluster if broker.profile.admin.by_controllers else broker
    counts = broker.profile.quotas.counts_mutations and (settings.quotas or keeper.mutations is not None)
    if not counts:
        return MutationQuota(None, now, strict=strict)
    if keeper.mutations is None:
        keeper.mutations = _usage(broker)
    return MutationQuota(keeper.mutations.of(settings, user, client_id, now), now, strict=strict)


def _usage(broker: "Broker") -> "Usage[TokenBucket]":
    from fakekafka.security.quotas import TokenBucket, Usage  # few clusters have quotas

    windows = broker.config.int("controller.quota.window.num", 11)
    seconds = windows * broker.config.int("controller.quota.window.size.seconds", 1)
    return Usage(KEY, lambda: TokenBucket(seconds), by_key=broker.profile.quotas.starts_by_kind)
