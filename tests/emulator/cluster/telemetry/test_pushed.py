"""Pushed metrics as a test reads them."""

import sys

import pytest
from fakekafka import UsageError
from fakekafka.cluster.telemetry.pushed import (
    OVERHEAD_BYTES,
    REMEMBERED_BYTES,
    MetricPoint,
    Push,
    PushedMetrics,
    ReceivedMetrics,
)
from fakekafka.cluster.telemetry.wanted import Client
from fakekafka.records.compression import compress
from fakekafka.state.client_software import UNNAMED
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue
from opentelemetry.proto.metrics.v1.metrics_pb2 import (
    Gauge,
    Histogram,
    Metric,
    MetricsData,
    NumberDataPoint,
    ResourceMetrics,
    ScopeMetrics,
    Sum,
)

TOPIC = KeyValue(key="topic", value=AnyValue(string_value="orders"))
NODE = KeyValue(key="node", value=AnyValue(int_value=3))
DATA = MetricsData(
    resource_metrics=[
        ResourceMetrics(
            scope_metrics=[
                ScopeMetrics(
                    metrics=[
                        Metric(name="lag", gauge=Gauge(data_points=[NumberDataPoint(as_double=0.5)])),
                        Metric(name="sent", sum=Sum(data_points=[NumberDataPoint(as_int=7, attributes=[TOPIC, NODE])])),
                        Metric(name="times", histogram=Histogram()),
                    ]
                )
            ]
        )
    ]
)


def pushed(metrics: bytes, codec: int = 0) -> PushedMetrics:
    return PushedMetrics(0, 0, "AAAA", "shop", UNNAMED, False, codec, metrics)


def test_points_are_the_numbers_of_gauges_and_sums() -> None:
    points = pushed(compress(4, DATA.SerializeToString()), codec=4).points()
    assert points == [MetricPoint("lag", 0.5, {}), MetricPoint("sent", 7, {"topic": "orders", "node": "3"})]


def test_the_whole_message_can_be_read() -> None:
    assert pushed(DATA.SerializeToString()).message() == DATA


def test_without_the_package_that_decodes_metrics_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.proto.metrics.v1.metrics_pb2", None)
    with pytest.raises(UsageError, match=r"pip install fakekafka\[telemetry\]"):
        pushed(b"").message()


def test_what_was_pushed_longest_ago_is_forgotten_when_it_becomes_too_much() -> None:
    received, client = ReceivedMetrics(0), Client(bytes(16), "shop", UNNAMED, "127.0.0.1", 1, 1)
    for at in range(4):
        received.add(at, client, Push(1, False, 0, bytes(REMEMBERED_BYTES // 2 - OVERHEAD_BYTES)))
    assert [each.at for each in received.all] == [2, 3]


def test_small_pushes_are_bounded_too() -> None:
    received, client = ReceivedMetrics(0), Client(bytes(16), "shop", UNNAMED, "127.0.0.1", 1, 1)
    for at in range(REMEMBERED_BYTES // OVERHEAD_BYTES + 10):
        received.add(at, client, Push(1, False, 0, b"m"))
    assert len(received.all) == REMEMBERED_BYTES // (OVERHEAD_BYTES + 1)


def test_the_last_push_is_remembered_however_large_it_is() -> None:
    received, client = ReceivedMetrics(0), Client(bytes(16), "shop", UNNAMED, "127.0.0.1", 1, 1)
    for at in range(2):
        received.add(at, client, Push(1, False, 0, bytes(REMEMBERED_BYTES + 1)))
    assert [each.at for each in received.all] == [1]
