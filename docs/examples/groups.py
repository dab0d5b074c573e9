"""Groups and transactions."""

from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer


def groups(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    settings = kafka.client_config("kafka-python", quick=True)
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)  # by then it has joined
        group = kafka.settle("shop", members=1)
        assert group == kafka.groups()["shop"]
        assert group.state == "Stable"


def settle(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    settings = kafka.client_config("kafka-python", quick=True)
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)  # by then it has joined
        assert kafka.settle("shop", members=1, timeout=10).members[0].partitions == ["orders-0", "orders-1"]


def evict(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    settings = kafka.client_config("kafka-python", quick=True) | {"client_id": "svc-1"}
    with KafkaConsumer("orders", group_id="shop", auto_offset_reset="earliest", **settings) as consumer:
        next(consumer)
        kafka.settle("shop", members=1)
        kafka.evict("shop", "svc-1")
        assert kafka.groups()["shop"].members == []  # until the client learns of it, and joins again


def transactions(kafka: FakeKafka) -> None:
    producer = KafkaProducer(transactional_id="till-1", **kafka.client_config("kafka-python"))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b"two apples").get(timeout=10)
    assert kafka.transactions()["till-1"].state == "Ongoing"
    producer.commit_transaction()
    producer.close()
