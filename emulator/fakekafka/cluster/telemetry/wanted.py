"""What subscriptions want from a client: those that it matches add up (ClientMetricsManager.createClientInstance)."""

import base64
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.binary import crc32c
from fakekafka.ids import DurationMs, Uuid
from fakekafka.jvm.hashes import MASK, uuid_hash
from fakekafka.jvm.maps import MapKind, texts_in_order
from fakekafka.releases.behaviours.telemetry import TelemetryBehaviour
from fakekafka.releases.configs.definition import parse_value
from fakekafka.state.client_software import ClientSoftware

if TYPE_CHECKING:
    from fakekafka.releases.configs.definition import ConfigTable

EVERYTHING: Final = "*"
LONGEST_INTERVAL_MS: Final = 300_000
UNKNOWN: Final = "unknown"
"""The name and the version of a client's software if it has told none (ClientInformation)."""

Subscriptions = Mapping[str, Mapping[str, str]]
"""The configs of each client metrics resource, by its name."""


class Client(NamedTuple):
    """A client as telemetry knows it: its own id, and what its first request showed."""

    instance_id: Uuid
    client_id: str | None
    software: ClientSoftware
    host: str
    port: int
    connection_id: int

    @property
    def instance_text(self) -> str:
        """The client's own id as Kafka writes it."""
        return base64.urlsafe_b64encode(self.instance_id).decode().rstrip("=")

    def labels(self, source_port: str) -> dict[str, str]:
        """What patterns are compared with, by label."""
        return {
            "client_instance_id": self.instance_text,
            "client_id": self.client_id or "",
            "client_software_name": self.software.name or UNKNOWN,
            "client_software_version": self.software.version or UNKNOWN,
            "client_source_address": self.host,
            "client_source_port": source_port,
        }


class Wanted(NamedTuple):
    """What is wanted from one client."""

    subscription_id: int
    metrics: tuple[str, ...]
    push_interval_ms: DurationMs


class Subscription(NamedTuple):
    """What one resource wants."""

    metrics: tuple[str, ...]
    push_interval_ms: DurationMs
    patterns: Mapping[str, str]
    """Patterns by label: of several for one label, the last."""


def wanted(client: Client, subscriptions: Subscriptions, table: "ConfigTable", rules: TelemetryBehaviour) -> Wanted:
    """What all subscriptions together want from `client`."""
    labels = client.labels(client.host if rules.source_port == "address" else str(client.port))
    names, interval_ms = dict[str, None](), LONGEST_INTERVAL_MS
    for one in _parsed(subscriptions, table):
        if all(_matches(pattern, labels[label]) for label, pattern in one.patterns.items()):
            names |= dict.fromkeys(one.metrics)
            interval_ms = min(interval_ms, one.push_interval_ms)
    metrics = (EVERYTHING,) if EVERYTHING in names else tuple(texts_in_order(names, MapKind.JAVA))
    return Wanted(_subscription_id(metrics, interval_ms, client.instance_id), metrics, interval_ms)


def _parsed(subscriptions: Subscriptions, table: "ConfigTable") -> Iterator[Subscription]:
    """The subscriptions, in the order of the broker's map."""
    for name in texts_in_order(subscriptions, MapKind.JAVA_CONCURRENT):
        values = {config: parse_value(table[config], text) for config, text in subscriptions[name].items()}
        metrics, patterns = values.get("metrics", ()), values.get("match", ())
        interval_ms = values.get("interval.ms", LONGEST_INTERVAL_MS)
        assert isinstance(metrics, tuple)
        assert isinstance(patterns, tuple)
        assert isinstance(interval_ms, int)
        halves = [pattern.partition("=") for pattern in patterns]
        by_label = {label.strip(): pattern.rstrip("=").strip() for label, _, pattern in halves}
        yield Subscription(tuple(texts_in_order(dict.fromkeys(metrics), MapKind.JAVA_COPY)), interval_ms, by_label)


def _matches(pattern: str, label: str) -> bool:
    """Whether a label matches `pattern`. Patterns that need backtracking match nothing (`jvm.re2`)."""
    from fakekafka.jvm.re2 import BadPattern, PatternTooLarge, compiled  # only here: few tests subscribe to metrics

    try:
        return compiled(pattern).fullmatch(label)
    except (BadPattern, PatternTooLarge):
        return False


def _subscription_id(metrics: tuple[str, ...], interval_ms: DurationMs, client: Uuid) -> int:
    """A checksum of what is wanted, mixed with the client's id. Recorded from 3.7.0 to 4.3.1: random_telemetry."""
    mixed = (crc32c(f"[{', '.join(metrics)}]{interval_ms}".encode()) ^ uuid_hash(client)) & MASK
    return mixed - (1 << 32) if mixed >> 31 else mixed
