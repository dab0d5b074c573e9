import pytest
from kafka import KafkaProducer


@pytest.mark.fake_kafka(topics={"orders": 1})
def test_an_order_is_stored(fake_kafka):
    with KafkaProducer(**fake_kafka.client_config("kafka-python")) as producer:
        producer.send("orders", b"two apples").get(timeout=10)
    assert [record.value for record in fake_kafka.records("orders")] == [b"two apples"]
