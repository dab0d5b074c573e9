"""PushTelemetry, key 72: a client sends its metrics (KIP-714).

Behaviour: the metrics are checked, and kept for the test if the cluster has a receiver. Served in any case, but
advertised only with a receiver.
Versions: 0.
"""

from fakekafka.cluster.telemetry.pushed import Push
from fakekafka.handlers.call import Call, Result, stepwise
from fakekafka.handlers.get_telemetry_subscriptions import asking
from fakekafka.pieces import Stepwise
from fakekafka.wire.apis.push_telemetry import PushTelemetryRequest, PushTelemetryResponse


@stepwise
def handle(request: PushTelemetryRequest, call: Call) -> Stepwise[Result]:
    """Check the metrics."""
    pushed = Push(request.subscription_id, request.terminating, request.compression_type, bytes(request.metrics))
    error = yield from call.broker.telemetry.push(asking(request.client_instance_id, call), call.now, pushed)
    return PushTelemetryResponse(error_code=error)
