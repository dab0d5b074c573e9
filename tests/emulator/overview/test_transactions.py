"""Transactions at a glance."""

from fakekafka import FakeKafka

from tests.support.transaction_clients import T0, TransactionalProducer, transactional


def test_without_the_topic_for_them_there_are_no_transactions() -> None:
    assert FakeKafka("2.3").boot().transactions() == {}


def test_an_open_transaction_shows_its_producer_and_its_partitions() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised(timeout_ms=30_000)
    assert kafka.transactions()["x"].state == "Empty"
    producer.add(T0)
    found = kafka.transactions()["x"]
    assert (found.state, found.partitions, found.timeout_ms, found.coordinator) == ("Ongoing", ["t-0"], 30_000, 0)
    assert (found.producer_id, found.producer_epoch) == producer.identity
    assert found.started_at_ms == found.updated_at_ms == kafka.clock.now_ms
