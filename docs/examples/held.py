"""A barrier: what `kafka.faults.hold` returns."""

from fakekafka import FakeKafka
from kafka import KafkaProducer


def requests(kafka: FakeKafka) -> None:
    with kafka.faults.hold("Produce", expected=False) as held:
        assert held.requests == []


def wait(kafka: FakeKafka) -> None:
    with kafka.faults.hold("Produce", times=1) as held:
        producer = KafkaProducer(**kafka.client_config("kafka-python"))
        producer.send("orders", b"two apples")
        [request] = held.wait(count=1, timeout=10)  # seconds
        assert request.topic_data[0].name == "orders"
    producer.close()


def release(kafka: FakeKafka) -> None:
    held = kafka.faults.hold("Produce", expected=False)
    held.release()
    assert held.is_released


def is_released(kafka: FakeKafka) -> None:
    with kafka.faults.hold("Produce", expected=False) as held:
        assert not held.is_released
    assert held.is_released
