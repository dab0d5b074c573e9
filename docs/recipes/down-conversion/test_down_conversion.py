import pytest
from kafka import KafkaConsumer


def read(kafka, count):
    settings = kafka.client_config("kafka-python")
    with KafkaConsumer("orders", auto_offset_reset="earliest", **settings) as consumer:
        return [next(consumer).value for _ in range(count)]


def converted(kafka):
    """How many records were converted for consumers."""
    return sum(one.records for one in kafka.conversions() if one.api == "Fetch" and one.direction == "down")


@pytest.mark.fake_kafka(release="2.3", topics={"orders": 1}, api_versions={"Fetch": 3})
def test_an_old_consumer_makes_the_broker_convert(fake_kafka):
    for n in range(100):
        fake_kafka.send("orders", b"%d" % n)
    assert len(read(fake_kafka, 100)) == 100
    assert converted(fake_kafka) >= 100


@pytest.mark.fake_kafka(release="2.3", topics={"orders": 1})
def test_a_consumer_as_new_as_the_broker_needs_no_conversion(fake_kafka):
    fake_kafka.send("orders", b"two apples")
    assert read(fake_kafka, 1) == [b"two apples"]
    assert converted(fake_kafka) == 0
