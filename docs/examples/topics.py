"""Topics."""

from fakekafka import FakeKafka


def topics(kafka: FakeKafka) -> None:
    assert kafka.topics() == {"orders": 2}


def create_topic(kafka: FakeKafka) -> None:
    kafka.create_topic("bills", 3, config={"cleanup.policy": "compact"})
    assert kafka.topics() == {"bills": 3, "orders": 2}


def configure_topic(kafka: FakeKafka) -> None:
    kafka.configure_topic("orders", {"retention.ms": 60_000, "segment.bytes": None})  # None: back to the broker's value
    assert kafka.describe_topics()["orders"].config == {"retention.ms": "60000"}


def delete_topic(kafka: FakeKafka) -> None:
    kafka.delete_topic("orders")
    assert kafka.topics() == {}


def describe_topics(kafka: FakeKafka) -> None:
    kafka.send("orders", b"two apples", partition=1)
    partition = kafka.describe_topics()["orders"].partitions[1]
    assert (partition.end_offset, partition.message_format) == (1, 2)
    assert partition.size > 0  # bytes


def compact(kafka: FakeKafka) -> None:
    kafka.create_topic("prices", config={"cleanup.policy": "compact"})
    for price in (b"3", b"4"):
        kafka.send("prices", price, key=b"apple")
    kafka.compact("prices", roll=True)
    assert [record.value for record in kafka.records("prices")] == [b"4"]
