"""Transactions that are waited for: `watching/transactions.py`."""

import pytest
from fakekafka import FakeKafka, UsageError
from fakekafka.watching.transactions import open_transactions

from tests.support.librdkafka import librdkafka_producer


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "4.3"])
def test_a_transaction_is_waited_for_by_its_state(release: str) -> None:
    with FakeKafka(release, topics={"orders": 1}) as kafka:
        settings = {**kafka.client_config("confluent-kafka"), "transactional.id": "shop"}
        with librdkafka_producer(settings) as producer:
            producer.init_transactions(20)
            producer.begin_transaction()
            producer.produce("orders", b"1")
            producer.flush(20)
            found = kafka.wait_for_transaction("shop", "Ongoing", timeout=20)
            assert found.partitions == (("orders", 0),)
            cluster = kafka._running.cluster
            assert [each.id for each in kafka._on_loop(lambda: open_transactions(cluster))] == ["shop"]
            with pytest.raises(TimeoutError, match="transactional id 'shop' is Ongoing"):
                kafka.wait_for_transaction("shop", timeout=0)
            producer.commit_transaction(20)
            assert kafka.wait_for_transaction("shop", timeout=20).state == "CompleteCommit"
            assert kafka._on_loop(lambda: open_transactions(cluster)) == []


def test_an_unused_transactional_id_is_not_known() -> None:
    with pytest.raises(TimeoutError, match="transactional id 'shop' is not known"):
        FakeKafka("2.3").boot().wait_for_transaction("shop")


def test_a_state_that_no_transaction_has_is_refused() -> None:
    with pytest.raises(UsageError, match="there is no transaction state 'Done': one of Empty, Ongoing"):
        FakeKafka("2.3").boot().wait_for_transaction("shop", "Done")
