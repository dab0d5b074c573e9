"""PushTelemetry (key 72): a client sends its metrics.

Advertised only when a telemetry receiver is configured.

v0   3.7      first version (KIP-714)
"""

from fakekafka.wire.message import Request, Response, binary, boolean, field, int8, int16, int32, uuid


class PushTelemetryRequest(Request, key=72, versions="0", flexible="0+"):
    client_instance_id: uuid = field("0+")
    subscription_id: int32 = field("0+")
    terminating: boolean = field("0+")
    compression_type: int8 = field("0+")  # codec id
    metrics: binary = field("0+")  # OpenTelemetry MetricsData v1, as protobuf


class PushTelemetryResponse(Response, key=72, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
