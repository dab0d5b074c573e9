"""GetTelemetrySubscriptions, key 71: which metrics the broker wants from this client (KIP-714).

Behaviour: served without being advertised, as there is no telemetry receiver. The client metrics resources that match
the client say which metrics are wanted.
Versions: 0.
Not done: patterns on the client's software.
"""

from fakekafka.cluster.telemetry import RESERVED, labels
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)

ZSTD, LZ4, GZIP, SNAPPY = 4, 3, 1, 2


def handle(request: GetTelemetrySubscriptionsRequest, call: Call) -> GetTelemetrySubscriptionsResponse:
    """Tell the client which metrics to send."""
    broker, client = call.broker, request.client_instance_id
    if client in RESERVED:
        client = client if client == RESERVED[1] else broker.telemetry.new_id()
    subscription = broker.telemetry.get(client, labels(client, call.client_id, call.client_host), call.now)
    if isinstance(subscription, ErrorCode):
        return GetTelemetrySubscriptionsResponse(error_code=subscription)
    return GetTelemetrySubscriptionsResponse(
        client_instance_id=client,
        subscription_id=subscription.id,
        accepted_compression_types=[ZSTD, LZ4, GZIP, SNAPPY],
        push_interval_ms=subscription.push_interval_ms,
        telemetry_max_bytes=broker.config.int("telemetry.max.bytes"),
        delta_temporality=True,
        requested_metrics=list(subscription.metrics),
    )
