"""The metrics that clients have pushed to any broker (KIP-714)."""

from fakekafka.cluster.cluster import Cluster
from fakekafka.cluster.telemetry.pushed import PushedMetrics
from fakekafka.errors import UsageError


def pushed_metrics(cluster: Cluster) -> list[PushedMetrics]:
    """What the running brokers remember, oldest first. Raises `UsageError` without a receiver."""
    received = [broker.telemetry.received for broker in cluster.brokers.values()]
    kept = [each.all for each in received if each is not None]
    if not kept:
        raise UsageError("no broker receives metrics: say FakeKafka(telemetry=True), from release 3.7 on")
    return sorted((each for one in kept for each in one), key=lambda pushed: pushed.at)
