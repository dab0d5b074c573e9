"""GetTelemetrySubscriptions (key 71): which metrics the broker wants from a client.

Advertised only when a telemetry receiver is configured.

v0   3.7      first version (KIP-714)
"""

from fakekafka.wire.message import Request, Response, boolean, field, int8, int16, int32, string, uuid


class GetTelemetrySubscriptionsRequest(Request, key=71, versions="0", flexible="0+"):
    client_instance_id: uuid = field("0+")  # zero at first: the broker makes one up


class GetTelemetrySubscriptionsResponse(Response, key=71, versions="0", flexible="0+"):
    throttle_time_ms: int32 = field("0+")
    error_code: int16 = field("0+")
    client_instance_id: uuid = field("0+")  # zero if the client had one
    subscription_id: int32 = field("0+")
    accepted_compression_types: list[int8] = field("0+")  # codec ids, the best first
    push_interval_ms: int32 = field("0+")
    telemetry_max_bytes: int32 = field("0+")
    delta_temporality: boolean = field("0+")
    requested_metrics: list[string] = field("0+")  # prefixes; empty: none; one empty string: all
