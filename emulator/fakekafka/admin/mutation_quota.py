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
    from fakekafka.security.quotas import TokenBucket

KEY: Final = "controller_mutation_rate"


class MutationQuota:
    """What one request may change. `strict`: it is refused, rather than made to wait."""

    def __init__(self, bucket: "TokenBucket | None", now: TimestampMs, *, strict: bool) -> None:
        self._bucket, self._now, self._strict = bucket, now, strict
        self.wait_ms: DurationMs = 0
        """How long the client has to wait, for what was asked so far."""

    def use(self, partitions: int) -> None:
        """Count partitions that are created or deleted. Raises `ApiError` 89 if they may not be."""
        if self._bucket is None:
            return
        if not self._strict:
            self._bucket.use(partitions, self._now)
        wait_ms = self._bucket.wait_ms(self._now)
        self.wait_ms = max(0, low_int(wait_ms))
        if self._strict:
            if wait_ms:
                raise ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED)
            self._bucket.use(partitions, self._now)


def mutation_quota(broker: "Broker", user: str, client_id: str, now: TimestampMs, *, strict: bool) -> MutationQuota:
    """The quota of a client."""
    cluster = broker.cluster
    if not cluster.settings.quotas or not broker.profile.quotas.counts_mutations:
        return MutationQuota(None, now, strict=strict)
    from fakekafka.security.quotas import TokenBucket, found_quota  # few clusters have quotas

    quota_and_sharers = found_quota(cluster.settings.quotas, KEY, user, client_id)
    if quota_and_sharers is None:
        return MutationQuota(None, now, strict=strict)
    quota, sharers = quota_and_sharers
    if (sharers, quota) not in cluster.mutations:
        windows = broker.config.int("controller.quota.window.num", 11)
        seconds = broker.config.int("controller.quota.window.size.seconds", 1)
        cluster.mutations[sharers, quota] = TokenBucket(quota, quota * windows * seconds)
    return MutationQuota(cluster.mutations[sharers, quota], now, strict=strict)
