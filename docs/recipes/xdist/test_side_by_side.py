import pytest


@pytest.mark.fake_kafka(topics={"orders": 1})
@pytest.mark.parametrize("n", range(8))
def test_each_test_finds_an_empty_broker(fake_kafka_session, n):
    assert fake_kafka_session.records("orders") == []
    fake_kafka_session.send("orders", b"%d" % n)


def test_a_broker_for_one_test_alone(fake_kafka):
    fake_kafka.create_topic("orders")
    assert fake_kafka.topics() == {"orders": 1}
