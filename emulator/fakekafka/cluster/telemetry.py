"""Which metrics the broker wants from which clients, and when (KIP-714, ClientMetricsManager).

The metrics have no receiver: they are checked and dropped. A client's software and port are not known here, so patterns
on them match nothing.
"""

import base64
from collections.abc import Mapping
from random import Random
from typing import Final, NamedTuple

from fakekafka.binary import crc32c
from fakekafka.errors import ErrorCode
from fakekafka.ids import ZERO_UUID, DurationMs, TimestampMs, Uuid
from fakekafka.releases.configs import client_metrics_configs
from fakekafka.releases.configs.definition import parse_value
from fakekafka.releases.release import Release
from fakekafka.state.cluster_settings import ClusterSettings
from fakekafka.state.configs import BrokerConfig

RESERVED: Final = (ZERO_UUID, bytes(15) + b"\1")
"""Ids that no client can have."""
EVERYTHING: Final = "*"
LONGEST_INTERVAL_MS: Final = 300_000
HIGHEST_CODEC: Final = 4


class Subscription(NamedTuple):
    """What is wanted from one client."""

    id: int
    metrics: tuple[str, ...]
    push_interval_ms: DurationMs


class Instance:
    """A client, as seen by telemetry."""

    def __init__(self) -> None:
        self.last_get: TimestampMs | None = None
        self.last_push: TimestampMs | None = None
        self.subscription_id: int | None = None
        self.is_terminating = False


class Telemetry:
    """The clients of one broker that were told what to send."""

    def __init__(self, release: Release, config: BrokerConfig, settings: ClusterSettings, random: Random) -> None:
        self._table = client_metrics_configs(release)
        self._config = config
        self._settings = settings
        self._random = random
        self._instances: dict[Uuid, Instance] = {}

    def new_id(self) -> Uuid:
        """An id for a client that has none."""
        return self._random.randbytes(16)

    def get(self, client: Uuid, labels: Mapping[str, str], now: TimestampMs) -> Subscription | ErrorCode:
        """What is wanted from a client; 89 if it asks again too soon and nothing has changed."""
        subscription, instance = self._subscription(client, labels), self._instances.setdefault(client, Instance())
        if subscription.id == instance.subscription_id and _is_early(instance.last_get, subscription, now):
            return ErrorCode.THROTTLING_QUOTA_EXCEEDED
        instance.last_get, instance.subscription_id = now, subscription.id
        return subscription

    def push(self, client: Uuid, labels: Mapping[str, str], now: TimestampMs, pushed: "Push") -> ErrorCode:
        """Check what a client sends."""
        if client in RESERVED:
            return ErrorCode.INVALID_REQUEST
        subscription, instance = self._subscription(client, labels), self._instances.setdefault(client, Instance())
        error = self._refusal(subscription, instance, now, pushed)
        instance.is_terminating = pushed.terminating
        if error is ErrorCode.NONE:
            instance.last_push = now
        return error

    def _refusal(self, subscription: Subscription, instance: Instance, now: TimestampMs, pushed: "Push") -> ErrorCode:
        if instance.is_terminating:
            return ErrorCode.INVALID_REQUEST
        if _is_early(instance.last_push, subscription, now) and not pushed.terminating:
            return ErrorCode.THROTTLING_QUOTA_EXCEEDED
        if pushed.subscription_id != subscription.id:
            return ErrorCode.UNKNOWN_SUBSCRIPTION_ID
        if not 0 <= pushed.codec <= HIGHEST_CODEC:
            return ErrorCode.UNSUPPORTED_COMPRESSION_TYPE
        too_large = pushed.size > self._config.int("telemetry.max.bytes")
        return ErrorCode.TELEMETRY_TOO_LARGE if too_large else ErrorCode.NONE

    def _subscription(self, client: Uuid, labels: Mapping[str, str]) -> Subscription:
        metrics, interval_ms = dict[str, None](), LONGEST_INTERVAL_MS
        for overrides in self._settings.client_metrics.values():
            values = {name: parse_value(self._table[name], text) for name, text in overrides.items()}
            patterns, wanted = values.get("match", ()), values.get("metrics", ())
            interval = values.get("interval.ms", LONGEST_INTERVAL_MS)
            assert isinstance(patterns, tuple)
            assert isinstance(wanted, tuple)
            assert isinstance(interval, int)
            if all(_matches(pattern, labels) for pattern in patterns):
                metrics |= dict.fromkeys(wanted)
                interval_ms = min(interval_ms, interval)
        names = (EVERYTHING,) if EVERYTHING in metrics else tuple(metrics)
        return Subscription(_subscription_id(names, interval_ms, client), names, interval_ms)


class Push(NamedTuple):
    """What a PushTelemetry request says about its metrics."""

    subscription_id: int
    terminating: bool
    codec: int
    size: int


def labels(client: Uuid, client_id: str | None, host: str) -> dict[str, str]:
    """What patterns can match of a client."""
    instance = base64.urlsafe_b64encode(client).decode().rstrip("=")
    return {"client_instance_id": instance, "client_id": client_id or "", "client_source_address": host}


def _is_early(last: TimestampMs | None, subscription: Subscription, now: TimestampMs) -> bool:
    return last is not None and now - last < subscription.push_interval_ms


def _matches(pattern: str, labels: Mapping[str, str]) -> bool:
    """Whether a label matches `pattern`. Patterns that need backtracking match nothing (`jvm.re2`)."""
    from fakekafka.jvm.re2 import BadPattern, PatternTooLarge, compiled  # only here: few tests subscribe to metrics

    label, _, expression = pattern.partition("=")
    value = labels.get(label.strip())
    try:
        return value is not None and compiled(expression.strip()).fullmatch(value)
    except (BadPattern, PatternTooLarge):
        return False


def _subscription_id(metrics: tuple[str, ...], interval_ms: DurationMs, client: Uuid) -> int:
    """A checksum of what is wanted, mixed with the client's id. Recorded for no metrics from 3.7.2 to 4.3.1."""
    checksum = crc32c(f"[{', '.join(metrics)}]{interval_ms}".encode())
    most, least = int.from_bytes(client[:8], "big"), int.from_bytes(client[8:], "big")
    mixed = checksum ^ ((most ^ least) >> 32) ^ ((most ^ least) & 0xFFFFFFFF)
    return mixed - (1 << 32) if mixed >> 31 else mixed
