"""PushTelemetry, key 72: a client sends its metrics (KIP-714).

Behaviour: the metrics are checked and dropped; served without being advertised, as there is no telemetry receiver.
Versions: 0.
"""

from fakekafka.cluster.telemetry import Push, labels
from fakekafka.handlers.call import Call
from fakekafka.wire.apis.push_telemetry import PushTelemetryRequest, PushTelemetryResponse


def handle(request: PushTelemetryRequest, call: Call) -> PushTelemetryResponse:
    """Check and drop the metrics."""
    client = request.client_instance_id
    pushed = Push(request.subscription_id, request.terminating, request.compression_type, len(request.metrics))
    known = labels(client, call.client_id, call.client_host)
    return PushTelemetryResponse(error_code=call.broker.telemetry.push(client, known, call.now, pushed))
