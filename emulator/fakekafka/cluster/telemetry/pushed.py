"""Metrics that clients have pushed (KIP-714), for the test to read."""

from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.cluster.telemetry.wanted import Client
from fakekafka.errors import UsageError
from fakekafka.ids import BrokerId, CodecId, TimestampMs
from fakekafka.records.compression import decompress
from fakekafka.state.client_software import ClientSoftware

if TYPE_CHECKING:
    from opentelemetry.proto.metrics.v1.metrics_pb2 import MetricsData, NumberDataPoint

REMEMBERED_BYTES: Final = 1 << 24
"""How many bytes of metrics are remembered, as they were sent, not counting the last push."""
OVERHEAD_BYTES: Final = 512
"""What each push counts besides, so that small ones fill no memory either."""


class MetricPoint(NamedTuple):
    """One number that a client has measured."""

    name: str
    """The metric's name, "org.apache.kafka.producer.connection.creation.total"."""
    value: int | float
    attributes: Mapping[str, str]
    """What tells it from other points of that metric, such as the topic."""


class PushedMetrics(NamedTuple):
    """One PushTelemetry request that a broker has accepted."""

    at: TimestampMs
    broker: BrokerId
    client_instance_id: str
    """The id that the client has for its metrics, as Kafka writes it."""
    client_id: str | None
    software: ClientSoftware
    """The name and the version of the client's software."""
    is_terminating: bool
    """Whether these are the client's last metrics."""
    codec: CodecId
    compressed: bytes
    """The metrics as they were sent."""

    @property
    def data(self) -> bytes:
        """The metrics: a `MetricsData` of OpenTelemetry's protocol, version 1, as protobuf."""
        return decompress(self.codec, self.compressed)

    def message(self) -> "MetricsData":
        """The metrics as an object of the package opentelemetry-proto. Raises `UsageError` without the extra
        "telemetry", and protobuf's `DecodeError` if the client has sent something else.
        """
        try:
            from opentelemetry.proto.metrics.v1.metrics_pb2 import MetricsData
        except ImportError:
            raise UsageError('metrics are decoded by the extra "telemetry": pip install fakekafka[telemetry]') from None
        message: MetricsData = MetricsData.FromString(self.data)
        return message

    def points(self) -> list[MetricPoint]:
        """The numbers in the metrics: gauges and sums, which are all that Kafka's clients send; histograms and
        summaries are only in `message()`, whose errors this raises, too.
        """
        metrics = [
            metric
            for resource in self.message().resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        ]
        numbers = [(each.name, point) for each in metrics for point in (*each.gauge.data_points, *each.sum.data_points)]
        return [MetricPoint(name, _value(point), _attributes(point)) for name, point in numbers]

    def __repr__(self) -> str:
        who = self.client_id or self.client_instance_id
        return f"<PushedMetrics of {who!r}, {len(self.compressed)} bytes>"


def _value(point: "NumberDataPoint") -> int | float:
    return point.as_int if point.HasField("as_int") else point.as_double


def _attributes(point: "NumberDataPoint") -> dict[str, str]:
    """The attributes as texts: clients give few that are not."""
    values = {each.key: each.value for each in point.attributes}
    return {key: str(getattr(value, value.WhichOneof("value") or "string_value")) for key, value in values.items()}


class Push(NamedTuple):
    """What a PushTelemetry request brings."""

    subscription_id: int
    is_terminating: bool
    codec: CodecId
    metrics: bytes


class ReceivedMetrics:
    """The last metrics that one broker has received."""

    def __init__(self, node_id: BrokerId) -> None:
        self._node_id = node_id
        self._all = deque[PushedMetrics]()
        self._bytes = 0

    def add(self, at: TimestampMs, client: Client, pushed: Push) -> None:
        """Remember what was pushed, and forget what was pushed longest ago if that is too much."""
        who = client.instance_text, client.client_id, client.software
        what = pushed.is_terminating, pushed.codec, pushed.metrics
        self._all.append(PushedMetrics(at, self._node_id, *who, *what))
        self._bytes += OVERHEAD_BYTES + len(pushed.metrics)
        while self._bytes > REMEMBERED_BYTES and len(self._all) > 1:
            self._bytes -= OVERHEAD_BYTES + len(self._all.popleft().compressed)

    @property
    def all(self) -> list[PushedMetrics]:
        """What is remembered, oldest first."""
        return list(self._all)
