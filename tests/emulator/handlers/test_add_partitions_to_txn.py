"""The expected answers were asked of brokers: 0.11.0.3, 1.1.1, 2.3.1, 2.8.2, 3.9.1, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.transactions.state_manager import FEATURE
from fakekafka.coordinators.transactions.transaction import State
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.add_partitions_to_txn import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnTransaction,
    RequestAddPartitionsToTxnTopic,
)
from fakekafka.wire.frames import request_frame

from tests.support.brokers import answer
from tests.support.transaction_clients import TransactionalProducer, coordinator_of, known, state_of, transactional


def asked(who: TransactionalProducer, *places: tuple[str, int], verify: bool = False) -> AddPartitionsToTxnTransaction:
    """One transaction of a broker's request."""
    topics: dict[str, RequestAddPartitionsToTxnTopic] = {}
    for name, index in places:
        topics.setdefault(name, RequestAddPartitionsToTxnTopic(name=name, partitions=[])).partitions.append(index)
    return AddPartitionsToTxnTransaction(
        transactional_id=who.transactional_id,
        producer_id=who.id,
        producer_epoch=who.epoch,
        verify_only=verify,
        topics=list(topics.values()),
    )


def batched(
    kafka: FakeKafka, version: int, *transactions: AddPartitionsToTxnTransaction
) -> dict[str, dict[tuple[str, int], int]]:
    """The errors of a broker's request, by transactional id and partition."""
    request = AddPartitionsToTxnRequest(transactions=list(transactions))
    response = answer(kafka, request, version, AddPartitionsToTxnResponse)
    assert response.error_code == ErrorCode.NONE
    return {
        result.transactional_id: {
            (topic.name, row.partition_index): row.partition_error_code
            for topic in result.topic_results
            for row in topic.results_by_partition
        }
        for result in response.results_by_transaction
    }


@pytest.mark.parametrize(
    ("release", "versions"), [("0.11.0", [0]), ("2.3", [0, 1]), ("2.8", [0, 1, 2, 3]), ("4.3", [0, 1, 2, 3])]
)
def test_partitions_are_added_in_every_version(release: str, versions: list[int]) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    for version in versions:
        assert producer.add(("t", 0), ("t", 1), version=version) == [ErrorCode.NONE] * 2
    assert (state_of(kafka), known(kafka).partitions) == (State.ONGOING, (("t", 0), ("t", 1)))


@pytest.mark.parametrize(("release", "error"), [("0.11.0", 3), ("1.0", 0), ("1.1", 0), ("2.0", 3), ("4.3", 3)])
def test_a_partition_that_does_not_exist_is_an_error(release: str, error: int) -> None:
    producer = TransactionalProducer(transactional(release)).initialised()
    assert producer.add(("t", 9)) == [error]


def test_one_invalid_partition_keeps_the_others_from_being_added() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    errors = producer.add(("t", 0), ("nope", 0), ("t", 9))
    assert errors == [ErrorCode.OPERATION_NOT_ATTEMPTED, 3, 3]  # by topic
    assert state_of(kafka) is State.EMPTY


@pytest.mark.parametrize(
    ("release", "topic", "error"),
    [
        ("0.11.0", "__transaction_state", ErrorCode.OPERATION_NOT_ATTEMPTED),
        ("0.11.0", "__consumer_offsets", ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        ("2.3", "__transaction_state", ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        ("4.3", "__consumer_offsets", ErrorCode.TOPIC_AUTHORIZATION_FAILED),
    ],
)
def test_clients_cannot_add_internal_topics_to_a_transaction(release: str, topic: str, error: ErrorCode) -> None:
    producer = TransactionalProducer(transactional(release)).initialised()
    assert sorted(producer.add((topic, 0), ("t", 0))) == sorted([error, ErrorCode.OPERATION_NOT_ATTEMPTED])


def test_a_request_without_topics_begins_a_transaction_all_the_same() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    request = AddPartitionsToTxnRequest(
        v3_and_below_transactional_id="x", v3_and_below_producer_id=0, v3_and_below_producer_epoch=0
    )
    response = answer(kafka, request, 3, AddPartitionsToTxnResponse)
    assert response.results_by_topic_v3_and_below == []
    assert state_of(kafka) is State.ONGOING
    assert producer.end() is ErrorCode.NONE


@pytest.mark.parametrize(("version", "error"), [(1, 47), (2, 90)])
def test_from_version_2_on_an_old_epoch_has_its_own_error(version: int, error: int) -> None:
    kafka = transactional()
    old = TransactionalProducer(kafka).initialised()
    TransactionalProducer(kafka).initialised()
    assert old.add(version=version) == [error]


# ---- requests of brokers


def test_each_of_several_transactions_has_its_own_error() -> None:
    kafka = transactional("4.3")
    a, b = TransactionalProducer(kafka, "a").initialised(), TransactionalProducer(kafka, "b").initialised()
    b.epoch = 7
    found = batched(kafka, 4, asked(a, ("t", 0)), asked(b, ("t", 0), ("t", 1)))
    assert found == {"a": {("t", 0): 0}, "b": {("t", 0): 90, ("t", 1): 90}}
    assert known(kafka, "a").client_version == 2


def test_a_broker_may_add_internal_topics() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    assert batched(kafka, 5, asked(producer, ("__transaction_state", 0))) == {"x": {("__transaction_state", 0): 0}}


@pytest.mark.parametrize(("release", "version", "error"), [("3.6", 4, 48), ("3.9", 5, 120)])
def test_verification_alone_changes_nothing(release: str, version: int, error: int) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 0))
    before = known(kafka)
    found = batched(kafka, version, asked(producer, ("t", 0), ("t", 1), verify=True))
    assert found == {"x": {("t", 0): 0, ("t", 1): error}}
    assert known(kafka) == before


def test_a_request_without_transactions_is_never_answered() -> None:
    kafka = transactional("4.3")
    client = kafka.connect()
    assert client.send(request_frame(AddPartitionsToTxnRequest(), 4, 1, "test")) == b""
    assert client.expire() == b""
    assert not client.closed


def test_under_transaction_version_0_the_whole_request_is_refused() -> None:
    """Asked of 4.1.1 with the features of 3.3 and of 3.9."""
    kafka = transactional("4.1")
    coordinator_of(kafka).cluster.settings.features[FEATURE] = 0
    request = AddPartitionsToTxnRequest(transactions=[asked(TransactionalProducer(kafka).initialised(), ("t", 0))])
    response = answer(kafka, request, 4, AddPartitionsToTxnResponse)
    assert (response.error_code, response.results_by_transaction) == (ErrorCode.UNSUPPORTED_VERSION, [])
