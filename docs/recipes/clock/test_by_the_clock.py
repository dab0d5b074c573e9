import pytest
from fakekafka import ManualClock
from kafka import KafkaConsumer

DAY_MS = 86_400_000
pytestmark = pytest.mark.fake_kafka(release=["0.11.0", "2.3", "4.0"], clock=ManualClock)


@pytest.mark.fake_kafka(topics={"orders": 1}, config={"log.retention.ms": 3 * DAY_MS})
def test_orders_are_kept_for_three_days(fake_kafka):
    clock = fake_kafka.clock
    fake_kafka.send("orders", b"two apples")
    clock.advance(2 * DAY_MS)
    assert [record.value for record in fake_kafka.records("orders")] == [b"two apples"]
    clock.advance(7 * DAY_MS)
    assert fake_kafka.records("orders") == []


@pytest.mark.fake_kafka(topics={"orders": 1})
def test_a_silent_consumer_leaves_its_group(fake_kafka):
    settings = fake_kafka.client_config("kafka-python")
    timeouts = {"session_timeout_ms": 10_000, "heartbeat_interval_ms": 3_000}
    fake_kafka.send("orders", b"two apples")
    with KafkaConsumer("orders", group_id="billing", auto_offset_reset="earliest", **timeouts, **settings) as consumer:
        assert next(consumer).value == b"two apples"
        fake_kafka.wait_for_group("billing", "Stable", members=1)
        fake_kafka.clock.advance(10_001)
        assert fake_kafka.groups()["billing"].state == "Empty"


@pytest.mark.fake_kafka(topics={"prices": 1})
def test_only_the_last_price_of_each_thing_is_kept(fake_kafka):
    fake_kafka.configure_topic("prices", {"cleanup.policy": "compact", "segment.ms": 1_000})
    for key, value in ((b"apple", b"1"), (b"pear", b"2"), (b"apple", b"3")):
        fake_kafka.send("prices", value, key=key)
    fake_kafka.clock.advance(DAY_MS)
    fake_kafka.send("prices", b"4", key=b"plum")  # the active segment is never cleaned: this record begins another one
    fake_kafka.clock.advance(DAY_MS)
    prices = [(record.key, record.value) for record in fake_kafka.records("prices")]
    assert prices == [(b"pear", b"2"), (b"apple", b"3"), (b"plum", b"4")]
