"""Client telemetry of one broker (KIP-714, ClientMetricsManager): tells clients what is wanted, and takes what they
push.

What is pushed is checked as real brokers do; it is kept for the test if there is a receiver.
"""

from random import Random
from typing import TYPE_CHECKING, Final

from fakekafka.cluster.telemetry.clients import KnownClient, KnownClients
from fakekafka.cluster.telemetry.pushed import Push, ReceivedMetrics
from fakekafka.cluster.telemetry.wanted import Client, Wanted, wanted
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID, TimestampMs, Uuid
from fakekafka.pieces import Stepwise
from fakekafka.records.compression import NONE, ZSTD, pieces
from fakekafka.records.malformed import UndecodablePayload
from fakekafka.releases.configs import client_metrics_configs
from fakekafka.waiting.timers import BrokerTimers

if TYPE_CHECKING:
    from fakekafka.releases.profile import Profile
    from fakekafka.state.cluster_settings import ClusterSettings
    from fakekafka.state.configs import BrokerConfig

RESERVED: Final = (ZERO_UUID, bytes(15) + b"\1")
"""Ids that no client can have."""


class Telemetry:
    """What the broker wants from clients. `received`: where pushed metrics go; None: they are dropped."""

    def __init__(
        self,
        profile: "Profile",
        config: "BrokerConfig",
        settings: "ClusterSettings",
        random: Random,
        timers: BrokerTimers,
        received: ReceivedMetrics | None = None,
    ) -> None:
        self._rules = profile.telemetry
        self._table = client_metrics_configs(profile.release)
        self._config = config
        self._settings = settings
        self._random = random
        self._clients = KnownClients(self._rules, timers)
        self.received = received

    def new_id(self) -> Uuid:
        """An id for a client that has none."""
        return self._random.randbytes(16)

    def get(self, client: Client, now: TimestampMs) -> Wanted | ErrorCode:
        """What is wanted from a client; 89 if it asks again too soon and no subscription has changed."""
        known = self._known(client)
        return known.wanted if known.asks(now, self._rules) else ErrorCode.THROTTLING_QUOTA_EXCEEDED

    def push(self, client: Client, now: TimestampMs, pushed: Push) -> Stepwise[ErrorCode]:
        """Take what a client sends; anything but 0 says why it is not taken."""
        if client.instance_id in RESERVED:
            return ErrorCode.INVALID_REQUEST
        known = self._known(client)
        error = self._refusal(known, now, pushed)
        known.is_terminating = pushed.is_terminating
        if error is ErrorCode.NONE and pushed.metrics:
            error = yield from self._take(client, now, pushed)
        known.last_error = error
        return error

    def end_connection(self, connection_id: int) -> None:
        """A connection has ended."""
        self._clients.end_connection(connection_id)

    def _take(self, client: Client, now: TimestampMs, pushed: Push) -> Stepwise[ErrorCode]:
        is_read = self.received is not None or self._rules.reads_unreceived
        if is_read and not (yield from _is_readable(pushed)):
            return ErrorCode.INVALID_RECORD
        if self.received is not None:
            self.received.add(now, client, pushed)
        return ErrorCode.NONE

    def _known(self, client: Client) -> KnownClient:
        """The client, told about the present subscriptions: a change of any begins everything again."""
        version, known = self._settings.client_metrics_version, self._clients.find(client.instance_id)
        if known is None or known.version != version:
            first_seen = client if known is None else known.client
            want = wanted(first_seen, self._settings.client_metrics, self._table, self._rules)
            known = KnownClient(first_seen, want, version)
            self._clients.add(known, client.connection_id)
        self._clients.note(known, client.connection_id)
        return known

    def _refusal(self, known: KnownClient, now: TimestampMs, pushed: Push) -> ErrorCode:
        if known.is_terminating:
            return ErrorCode.INVALID_REQUEST
        if not known.pushes(now) and not pushed.is_terminating:
            return ErrorCode.THROTTLING_QUOTA_EXCEEDED
        if pushed.subscription_id != known.wanted.subscription_id:
            return ErrorCode.UNKNOWN_SUBSCRIPTION_ID
        if not NONE <= pushed.codec <= ZSTD:
            return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
        too_large = len(pushed.metrics) > self._config.int("telemetry.max.bytes")
        return ErrorCode.TELEMETRY_TOO_LARGE if too_large else ErrorCode.NONE


def _is_readable(pushed: Push) -> Stepwise[bool]:
    """Whether the metrics can be decompressed, one piece in a step."""
    try:
        for _ in pieces(pushed.codec, pushed.metrics):
            yield
    except UndecodablePayload:
        return False
    return True
