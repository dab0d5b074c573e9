"""The section of the handle on client telemetry (KIP-714): which metrics clients push, and what they have pushed."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fakekafka.handle.section import Section

if TYPE_CHECKING:
    from fakekafka.cluster.telemetry.pushed import PushedMetrics
    from fakekafka.ids import DurationMs


class ClientMetrics(Section):
    """The metrics of clients, where the cluster was made with `telemetry=True`."""

    def subscribe_to_metrics(
        self,
        metrics: Sequence[str] = ("*",),
        *,
        name: str = "all",
        interval_ms: "DurationMs" = 1000,
        match: Mapping[str, str] | None = None,
    ) -> None:
        """Have clients push metrics, as `kafka-client-metrics.sh` does.

        `metrics`: with what their names begin, "org.apache.kafka.producer."; "*": all. `name`: of the subscription,
        which replaces an earlier one of that name. `interval_ms`: how often clients push. `match`: patterns by label,
        `{"client_id": "shop.*"}`; None: all clients. Clients hear of it when they connect, or after their last
        interval: five minutes, if nothing was asked of them before. Raises `UsageError` with the broker's
        words, and before 3.7 or under ZooKeeper.
        """
        from fakekafka.admin import direct

        self._on_loop(lambda: direct.subscribe_to_metrics(self._running.cluster, name, metrics, interval_ms, match))

    def unsubscribe_from_metrics(self, name: str = "all") -> None:
        """End a subscription, if there is one of that name."""
        self._on_loop(lambda: self._running.cluster.settings.set_client_metrics(name, {}))

    def pushed_metrics(self) -> "list[PushedMetrics]":
        """The last metrics that clients have pushed, oldest first: `[0].points()` are the numbers.

        `wait_for_request("PushTelemetry", answered=True)` waits for some.

        Raises `UsageError` if the cluster was not made with `telemetry=True`.
        """
        from fakekafka.watching.pushed_metrics import pushed_metrics

        return self._on_loop(lambda: pushed_metrics(self._running.cluster))
