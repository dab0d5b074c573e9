"""The metrics that clients push."""

from confluent_kafka import Producer
from fakekafka import FakeKafka


def subscribe_to_metrics() -> None:
    with FakeKafka("3.9", telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(["org.apache.kafka.producer."], interval_ms=100, match={"client_id": "shop.*"})
        producer = Producer({"client.id": "shop-1", **kafka.client_config("confluent-kafka")})
        producer.produce("orders", b"two apples")
        producer.flush()
        [pushed, *_] = kafka.wait_for_request("PushTelemetry", answered=True)
        assert pushed.client_id == "shop-1"


def unsubscribe_from_metrics() -> None:
    with FakeKafka("3.9", telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(interval_ms=100)
        kafka.unsubscribe_from_metrics()
        producer = Producer(kafka.client_config("confluent-kafka"))
        producer.produce("orders", b"two apples")
        producer.flush()
        assert kafka.pushed_metrics() == []


def pushed_metrics() -> None:
    with FakeKafka("3.9", telemetry=True, topics={"orders": 1}) as kafka:
        kafka.subscribe_to_metrics(interval_ms=100)
        producer = Producer(kafka.client_config("confluent-kafka"))
        producer.produce("orders", b"two apples")
        producer.flush()
        kafka.wait_for_request("PushTelemetry", answered=True)
        points = kafka.pushed_metrics()[0].points()
        assert "org.apache.kafka.producer.connection.creation.total" in [point.name for point in points]
