import pytest
from fakekafka import FakeKafka
from fakekafka.wire.apis.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
    TopicData,
    TransactionState,
)

from tests.support.brokers import answer
from tests.support.seeded import NOW
from tests.support.transaction_clients import TransactionalProducer, coordinator_of, pass_time, transactional


def described(kafka: FakeKafka, *ids: str) -> list[TransactionState]:
    request = DescribeTransactionsRequest(transactional_ids=list(ids))
    return answer(kafka, request, 0, DescribeTransactionsResponse).transaction_states


@pytest.mark.parametrize("release", ["3.0", "4.3"])
def test_an_open_transaction_is_described_with_its_partitions(release: str) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised(timeout_ms=5000)
    pass_time(kafka, 10)
    producer.add(("t", 1), ("t", 0))
    producer.add_offsets()
    (found,) = described(kafka, "x")
    assert found == TransactionState(
        transactional_id="x",
        transaction_state="Ongoing",
        transaction_timeout_ms=5000,
        transaction_start_time_ms=NOW + 10,
        producer_id=0,
        producer_epoch=0,
        topics=[TopicData(topic="__consumer_offsets", partitions=[0]), TopicData(topic="t", partitions=[1, 0])],
    )


def test_a_transaction_that_is_over_has_no_partitions() -> None:
    kafka = transactional("3.9")
    producer = TransactionalProducer(kafka).initialised()
    (before,) = described(kafka, "x")
    producer.send()
    producer.end()
    (after,) = described(kafka, "x")
    assert (before.transaction_state, before.transaction_start_time_ms) == ("Empty", -1)
    assert (after.transaction_state, after.transaction_start_time_ms, after.topics) == ("CompleteCommit", NOW, [])


def test_ids_that_cannot_be_described_have_errors() -> None:
    kafka = transactional("3.9")
    assert [(state.transactional_id, state.error_code) for state in described(kafka, "nobody", "")] == [
        ("nobody", 105),
        ("", 42),
    ]
    coordinator_of(kafka).unload(0)
    assert [state.error_code for state in described(kafka, "x")] == [16]
