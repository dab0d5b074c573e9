"""GetTelemetrySubscriptions, key 71: which metrics the broker wants from this client (KIP-714).

Behaviour: the client metrics resources that match the client say which metrics are wanted. Served in any case, but
advertised only with a receiver.
Versions: 0.
"""

from fakekafka.cluster.telemetry.wanted import Client
from fakekafka.errors import ErrorCode
from fakekafka.handlers.call import Call
from fakekafka.ids import ZERO_UUID, Uuid
from fakekafka.wire.apis.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)

ZSTD, LZ4, GZIP, SNAPPY = 4, 3, 1, 2


def handle(request: GetTelemetrySubscriptionsRequest, call: Call) -> GetTelemetrySubscriptionsResponse:
    """Tell the client which metrics to send."""
    broker, id = call.broker, request.client_instance_id
    if id == ZERO_UUID:
        id = broker.telemetry.new_id()
    wanted = broker.telemetry.get(asking(id, call), call.now)
    if isinstance(wanted, ErrorCode):
        return GetTelemetrySubscriptionsResponse(error_code=wanted)
    return GetTelemetrySubscriptionsResponse(
        client_instance_id=id,
        subscription_id=wanted.subscription_id,
        accepted_compression_types=[ZSTD, LZ4, GZIP, SNAPPY],
        push_interval_ms=wanted.push_interval_ms,
        telemetry_max_bytes=broker.config.int("telemetry.max.bytes"),
        delta_temporality=True,
        requested_metrics=list(wanted.metrics),
    )


def asking(instance_id: Uuid, call: Call) -> Client:
    """The client that sends a request of telemetry."""
    address = call.client_host, call.client_port, call.connection_id
    return Client(instance_id, call.client_id, call.software, *address)
