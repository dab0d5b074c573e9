"""Groups that are waited for: `watching/groups.py`."""

import pytest
from fakekafka import FakeKafka, UsageError
from kafka import KafkaConsumer


@pytest.mark.parametrize("release", ["0.9.0", "2.3", "4.3"])
def test_a_group_is_waited_for_by_state_and_members(release: str) -> None:
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        settings = kafka.client_config("kafka-python")
        consumer = KafkaConsumer("orders", group_id="shop", **settings)
        consumer.poll(5000)
        found = kafka.wait_for_group("shop", "Stable", members=1, timeout=20)
        assert (found.id, found.state, found.kind, len(found.members)) == ("shop", "Stable", "classic", 1)
        with pytest.raises(TimeoutError, match="group 'shop' is Stable, with 1 members"):
            kafka.wait_for_group("shop", members=2, timeout=0)
        consumer.close()
        assert kafka.wait_for_group("shop", members=0, timeout=20).members == ()


def test_a_group_of_the_consumer_protocol_is_waited_for_like_others() -> None:
    from confluent_kafka import Consumer

    with FakeKafka("4.3", topics={"orders": 1}) as kafka:
        settings = {**kafka.client_config("confluent-kafka"), "group.id": "shop", "group.protocol": "consumer"}
        consumer = Consumer(settings)
        consumer.subscribe(["orders"])
        consumer.poll(0.1)
        assert kafka.wait_for_group("shop", "Stable", members=1, timeout=30).kind == "consumer"
        consumer.close()


def test_an_unknown_group_is_dead() -> None:
    kafka = FakeKafka("2.3").boot()
    assert kafka.wait_for_group("shop", "Dead") == ("shop", "Dead", (), "classic")


def test_a_state_that_no_group_has_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no group state 'Stale': one of Empty, PreparingRebalance"):
        FakeKafka("2.3").boot().wait_for_group("shop", "Stale")
