import pytest
from kafka import KafkaConsumer, KafkaProducer

REPLICATED = {"default.replication.factor": 3, "min.insync.replicas": 2}
PHASES = ["0.10.2 -> 2.3: new code, old format", "0.10.2 -> 2.3: new format"]


@pytest.mark.fake_kafka(release="0.10.2", brokers=3, config=REPLICATED, topics={"orders": 1})
def test_every_order_survives_the_upgrade(fake_kafka):
    settings = fake_kafka.client_config("kafka-python")
    sent = []
    for step in fake_kafka.upgrade(to="2.3"):
        step.apply()
        sent.append(step.name.encode())
        with KafkaProducer(enable_idempotence=False, **settings) as producer:  # as a program of 0.10.2
            producer.send("orders", sent[-1]).get(timeout=20)
    with KafkaConsumer("orders", auto_offset_reset="earliest", **settings) as consumer:
        assert [next(consumer).value for _ in sent] == sent
    assert fake_kafka.release == "2.3.1"


@pytest.mark.fake_kafka(phase=PHASES, topics={"orders": 1})
def test_headers_are_sent_only_where_they_can_be_stored(fake_kafka):
    fake_kafka.send("orders", b"two apples")
    (record,) = fake_kafka.records("orders")
    assert record.magic == (1 if "old format" in str(fake_kafka.phase) else 2)
