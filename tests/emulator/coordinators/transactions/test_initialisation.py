"""The expected answers were asked of brokers: 2.3.1, 2.5.1, 2.8.2, 3.9.1, 4.0.1, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.transactions.transaction import LAST_EPOCH, State
from fakekafka.errors import ErrorCode

from tests.support.committed_readers import fetched
from tests.support.transaction_clients import TransactionalProducer, coordinator_of, known, state_of, transactional


def exhausted(kafka: FakeKafka) -> TransactionalProducer:
    """A producer with the last possible epoch for its id."""
    producer = TransactionalProducer(kafka).initialised()
    coordinator_of(kafka).write(known(kafka)._replace(epoch=LAST_EPOCH))
    producer.epoch = LAST_EPOCH
    return producer


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "4.0", "4.3"])
def test_initialisation_keeps_the_producer_id_and_raises_the_epoch(release: str) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka)
    assert [(producer.init(), *producer.identity) for _ in range(3)] == [(0, 0, 0), (0, 0, 1), (0, 0, 2)]
    other = TransactionalProducer(kafka, "other").initialised()
    assert other.identity == (1, 0)


@pytest.mark.parametrize("timeout_ms", [0, -1, 900_001])
def test_a_transaction_timeout_is_positive_and_at_most_the_brokers_maximum(timeout_ms: int) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka)
    assert producer.init(timeout_ms=timeout_ms) is ErrorCode.INVALID_TRANSACTION_TIMEOUT
    assert producer.init(timeout_ms=900_000) is ErrorCode.NONE


def test_the_last_given_transaction_timeout_counts() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka)
    producer.init(timeout_ms=5)
    producer.init(timeout_ms=7)
    assert known(kafka).timeout_ms == 7


def test_an_open_transaction_is_aborted_first_and_the_epoch_rises_twice() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send(b"lost")
    second = TransactionalProducer(kafka)
    assert second.init() is ErrorCode.CONCURRENT_TRANSACTIONS
    assert state_of(kafka) is State.COMPLETE_ABORT
    assert second.init() is ErrorCode.NONE
    assert second.identity == (0, 2)
    assert fetched(kafka) == []
    assert fetched(kafka, committed=False) == [b"lost"]


def test_no_producer_gets_an_epoch_while_a_transaction_is_being_completed() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    transactions = coordinator_of(kafka).transactions
    for state in (State.PREPARE_COMMIT, State.PREPARE_ABORT):
        transactions["x"] = transactions["x"]._replace(state=state)
        assert TransactionalProducer(kafka).init() is ErrorCode.CONCURRENT_TRANSACTIONS


# ---- producers that name their id and epoch (KIP-360)


def test_a_producer_that_names_its_epoch_gets_the_next_one_and_may_ask_again() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    first = (producer.init(resume=True), *producer.identity)
    producer.epoch = 0
    again = (producer.init(resume=True), *producer.identity)
    assert first == again == (0, 0, 1)


@pytest.mark.parametrize(("version", "error"), [(3, 47), (4, 90)])
def test_a_producer_that_was_replaced_is_fenced(version: int, error: int) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    TransactionalProducer(kafka).initialised()
    assert producer.init(version, resume=True) == error


def test_another_producer_id_is_fenced() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.id = 99
    assert producer.init(resume=True) is ErrorCode.PRODUCER_FENCED


def test_any_producer_may_initialise_an_unknown_id() -> None:
    producer = TransactionalProducer(transactional())
    producer.id, producer.epoch = 99, 5
    assert producer.init(resume=True) is ErrorCode.NONE
    assert producer.identity == (0, 0)


# ---- epochs come to an end


@pytest.mark.statement("S1-3")
@pytest.mark.parametrize("release", ["2.3", "2.8", "3.9", "4.1"])
def test_after_the_last_epoch_there_is_another_producer_id(release: str) -> None:
    """The draft of KIP-98 lets the epoch wrap around."""
    producer = exhausted(transactional(release))
    assert [(producer.init(), *producer.identity) for _ in range(2)] == [(0, 1, 0), (0, 1, 1)]


def test_a_producer_that_names_the_last_epoch_gets_it_too_and_may_ask_again() -> None:
    kafka = transactional()
    producer = exhausted(kafka)
    assert (producer.init(resume=True), *producer.identity) == (0, 1, 0)
    producer.id, producer.epoch = 0, LAST_EPOCH
    assert (producer.init(resume=True), *producer.identity) == (0, 1, 0)


def test_an_older_epoch_of_an_exhausted_producer_is_an_error_of_the_broker() -> None:
    producer = exhausted(transactional())
    producer.epoch = LAST_EPOCH - 1
    assert producer.init(resume=True) is ErrorCode.UNKNOWN_SERVER_ERROR


# ---- two phases (KIP-939)


def test_a_two_phase_commit_needs_permission() -> None:
    kafka = transactional("4.3", unstable_api_versions_enable="true", unstable_feature_versions_enable="true")
    producer = TransactionalProducer(kafka)
    assert producer.init(6, enable2_pc=True) is ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    assert producer.init(6, keep_prepared_txn=True) is ErrorCode.UNSUPPORTED_VERSION


def test_a_permitted_two_phase_commit_has_the_largest_timeout() -> None:
    kafka = transactional("4.3", transaction_two_phase_commit_enable="true", unstable_api_versions_enable="true")
    assert TransactionalProducer(kafka).init(6, enable2_pc=True, timeout_ms=5) is ErrorCode.NONE
    assert known(kafka).timeout_ms == 2**31 - 1


@pytest.mark.parametrize(("release", "kept"), [("3.9", True), ("4.0", True), ("4.1", False)])
def test_some_releases_keep_the_start_of_the_previous_transaction(release: str, kept: bool) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.end()
    producer.init()
    assert (known(kafka).started_at > 0) is kept
