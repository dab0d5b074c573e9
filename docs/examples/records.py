"""Records and committed offsets."""

from fakekafka import FakeKafka
from kafka import KafkaConsumer, KafkaProducer


def send(kafka: FakeKafka) -> None:
    offset = kafka.send("orders", b"two apples", key=b"anna", headers=[("trace", b"1")], partition=0)
    assert offset == 0


def records(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", key=b"anna", timestamp=1_700_000_000_000)  # milliseconds since 1970
    [record] = kafka.records("orders")
    assert (record.key, record.value, record.timestamp) == (b"anna", b"two apples", 1_700_000_000_000)


def last_records(kafka: FakeKafka) -> None:
    for n in range(20):
        kafka.send("orders", b"%d" % n)
    assert [record.value for record in kafka.last_records("orders", most=2)] == [b"18", b"19"]


def decided(kafka: FakeKafka) -> None:
    producer = KafkaProducer(transactional_id="till", **kafka.client_config("kafka-python"))
    producer.init_transactions()
    producer.begin_transaction()
    producer.send("orders", b"two apples", partition=0).get(timeout=10)
    producer.abort_transaction()
    producer.close()
    assert kafka.decided("orders").left_out == {0}  # the offsets that a read_committed reader does not get


def damage(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples")
    assert kafka.damage("orders", 0, how="bad crc") == 0  # the offset of the first record that is damaged


def committed(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", partition=0)
    with KafkaConsumer(
        "orders", group_id="shop", auto_offset_reset="earliest", **kafka.client_config("kafka-python", quick=True)
    ) as consumer:
        next(consumer)
        consumer.commit()
    assert kafka.committed("shop")["orders", 0].offset == 1


def commit_if(kafka: FakeKafka) -> None:
    with KafkaConsumer("orders", group_id="shop", **kafka.client_config("kafka-python", quick=True)) as consumer:
        consumer.poll(timeout_ms=100)  # now a broker coordinates the group
    assert kafka.commit_if("shop", "orders", 0, offset=5, expected=None)
    assert not kafka.commit_if("shop", "orders", 0, offset=7, expected=6)
    assert kafka.committed("shop")["orders", 0].offset == 5
