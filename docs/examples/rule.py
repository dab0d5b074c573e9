"""A rule, and a barrier: what the methods of `kafka.faults` return."""

from fakekafka import FakeKafka
from kafka import KafkaProducer


def active(kafka: FakeKafka) -> None:
    with kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", expected=False) as rule:
        assert rule.active
    assert not rule.active


def is_spent(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
    with KafkaProducer(**kafka.client_config("kafka-python"), retry_backoff_ms=10) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert rule.is_spent


def near_misses(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", topic="bills", expected=False)
    with KafkaProducer(**kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=20)
    assert "orders" in rule.near_misses[0]  # why it has not acted


def remove(kafka: FakeKafka) -> None:
    rule = kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", expected=False)
    rule.remove()
    assert list(kafka.faults.rules) == []
