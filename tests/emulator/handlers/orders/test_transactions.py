"""Facts: what brokers of these releases answered in recordings (internal_questions, acls, transactions_random)."""

import pytest
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTransaction,
    RequestAddPartitionsToTxnTopic,
)
from fakekafka.wire.apis.describe_transactions import DescribeTransactionsRequest, DescribeTransactionsResponse

from tests.support.brokers import answer
from tests.support.transaction_clients import TransactionalProducer, transactional

GREEK = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]


def added(release: str, *names: str) -> list[str]:
    """The topics in the order in which adding one partition of each to a transaction is answered."""
    kafka = transactional(release)
    for name in GREEK:
        kafka.create_topic(name)
    producer = TransactionalProducer(kafka).initialised()
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="x",
        v3_and_below_producer_id=producer.id,
        v3_and_below_producer_epoch=producer.epoch,
        v3_and_below_topics=[AddPartitionsToTxnTopic(name=name, partitions=[0]) for name in names],
    )
    done = answer(kafka, request, 0, AddPartitionsToTxnResponse)
    return [topic.name for topic in done.results_by_topic_v3_and_below]


@pytest.mark.parametrize(
    ("release", "order"),
    [
        ("2.4", ["epsilon", "zeta", "alpha", "delta", "beta", "gamma"]),
        ("2.6", ["zeta", "epsilon", "alpha", "delta", "gamma", "beta"]),
        ("3.5", GREEK),
        ("4.3", GREEK),
    ],
)
def test_added_topics_come_in_the_order_of_the_releases_maps(release: str, order: list[str]) -> None:
    assert added(release, *GREEK) == order


@pytest.mark.parametrize("release", ["2.8", "3.5", "4.3"])
def test_if_a_topic_is_missing_all_come_in_the_order_of_a_map(release: str) -> None:
    """4.3.1 acls: "other" before "t" before "nope"."""
    assert added(release, "t", "zeta", "nope") == ["zeta", "t", "nope"]


def test_what_brokers_ask_about_comes_in_the_order_of_a_map() -> None:
    """4.3.1 transactions_random."""
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    for name in ("d", "e"):
        kafka.create_topic(name)
    asked = AddPartitionsToTxnTransaction(
        transactional_id="x",
        producer_id=producer.id,
        producer_epoch=producer.epoch,
        verify_only=True,
        topics=[RequestAddPartitionsToTxnTopic(name=name, partitions=[0]) for name in ("e", "d")],
    )
    (done,) = answer(
        kafka, AddPartitionsToTxnRequest(transactions=[asked]), 4, AddPartitionsToTxnResponse
    ).results_by_transaction
    assert [topic.name for topic in done.topic_results] == ["d", "e"]


@pytest.mark.parametrize("release", ["3.2", "4.3"])
def test_the_partitions_of_a_transaction_come_in_the_order_of_a_set(release: str) -> None:
    """3.2.3 and 4.3.1 transactions."""
    kafka = transactional(release)
    kafka.create_topic("d")
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("d", 0))
    producer.add(("t", 0))
    producer.add_offsets()
    request = DescribeTransactionsRequest(transactional_ids=["x"])
    (found,) = answer(kafka, request, 0, DescribeTransactionsResponse).transaction_states
    assert [topic.topic for topic in found.topics] == ["__consumer_offsets", "d", "t"]
