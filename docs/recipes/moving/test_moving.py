import pytest
from confluent_kafka import Producer
from kafka import KafkaProducer


@pytest.mark.fake_kafka(topics={"orders": 1})
def test_a_refused_order_is_sent_again(fake_kafka):
    fake_kafka.faults.fail("Produce", "NOT_LEADER_OR_FOLLOWER", times=1)
    with KafkaProducer(**fake_kafka.client_config("kafka-python"), retry_backoff_ms=10) as producer:
        producer.send("orders", b"apples").get(timeout=20)
    assert [record.value for record in fake_kafka.records("orders")] == [b"apples"]


@pytest.mark.fake_kafka(brokers=3, config={"default.replication.factor": 3}, topics={"orders": 1})
def test_orders_are_taken_while_a_broker_is_down(fake_kafka):
    fake_kafka.stop_broker(1)
    producer = Producer(fake_kafka.client_config("confluent-kafka"))
    producer.produce("orders", b"apples")
    assert producer.flush(20) == 0
