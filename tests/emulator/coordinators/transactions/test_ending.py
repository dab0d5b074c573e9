"""The expected answers were asked of brokers: 2.3.1, 2.5.1, 2.8.2, 3.9.1, 4.0.0, 4.0.1, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.transactions.ending import RISING, RISING_AGAIN, WITH_ITS_EPOCH, Outcome, Table
from fakekafka.coordinators.transactions.transaction import COMES_FROM, LAST_EPOCH, State
from fakekafka.errors import ErrorCode

from tests.support.committed_readers import fetched
from tests.support.seeded import NOW
from tests.support.transaction_clients import (
    TransactionalProducer,
    coordinator_of,
    known,
    markers,
    pass_time,
    state_of,
    transactional,
)

ERRORS = {Outcome.DONE: 0, Outcome.WAIT: 51, Outcome.WRONG: 48}


def resting_in(kafka: FakeKafka, state: State) -> TransactionalProducer:
    """A producer whose transactional id is in `state`."""
    producer = TransactionalProducer(kafka).initialised()
    transactions = coordinator_of(kafka).transactions
    transactions["x"] = transactions["x"]._replace(state=state)
    return producer


@pytest.mark.parametrize("table", [WITH_ITS_EPOCH, RISING, RISING_AGAIN])
def test_the_table_of_endings_agrees_with_the_allowed_transitions(table: Table) -> None:
    for state, (commit, abort) in table.items():
        assert commit is not Outcome.END or state in COMES_FROM[State.PREPARE_COMMIT]
        assert abort is not Outcome.END or state in COMES_FROM[State.PREPARE_ABORT]


@pytest.mark.parametrize("state", list(WITH_ITS_EPOCH))
@pytest.mark.parametrize("commit", [True, False])
def test_old_clients_get_the_error_of_the_state(state: State, commit: bool) -> None:
    producer = resting_in(transactional(), state)
    assert producer.end(commit) == ERRORS.get(WITH_ITS_EPOCH[state][not commit], 0)


@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "3.9", "4.3"])
def test_a_transaction_is_committed_or_aborted_once(release: str) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send(b"a")
    assert [producer.end(), producer.end(), producer.end(commit=False)] == [0, 0, ErrorCode.INVALID_TXN_STATE]
    producer.send(b"b")
    assert [producer.end(commit=False), producer.end(commit=False), producer.end()] == [0, 0, 48]
    assert fetched(kafka) == [b"a"]
    assert [marker.commit for _, _, marker in markers(kafka)] == [True, False]


def test_an_unknown_producer_cannot_end_a_transaction() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    assert TransactionalProducer(kafka, "nobody").end() is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    assert TransactionalProducer(kafka, "").end() is ErrorCode.INVALID_REQUEST
    producer.id = 7
    assert producer.end() is ErrorCode.INVALID_PRODUCER_ID_MAPPING


@pytest.mark.parametrize(("version", "error"), [(1, 47), (2, 90)])
def test_a_replaced_producer_cannot_end_the_transaction_of_its_successor(version: int, error: int) -> None:
    kafka = transactional()
    old = TransactionalProducer(kafka).initialised()
    TransactionalProducer(kafka).initialised().send()
    assert old.end(version=version) == error
    assert state_of(kafka) is State.ONGOING


@pytest.mark.parametrize(
    ("release", "hangs"),
    [("0.11.0.1", False), ("0.11.0.2", True), ("2.3", True), ("2.5", True), ("2.6", False), ("3.9", False)],
)
def test_in_old_releases_a_later_epoch_leaves_a_transaction_in_prepare_commit_for_ever(
    release: str, hangs: bool
) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.epoch += 1
    assert producer.end() in (ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED)
    producer.epoch -= 1
    pass_time(kafka, 10_000)
    assert producer.end() == (ErrorCode.CONCURRENT_TRANSACTIONS if hangs else ErrorCode.NONE)
    assert state_of(kafka) is (State.PREPARE_COMMIT if hangs else State.COMPLETE_COMMIT)


# ---- epochs that rise (KIP-890)


def test_with_version_5_the_epoch_rises_with_every_transaction() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    for epoch, commit in enumerate((True, False, True), 1):
        assert producer.produce(version=12) is ErrorCode.NONE
        assert producer.end(commit, version=5) is ErrorCode.NONE
        assert producer.identity == (0, epoch)
    assert [(epoch, marker.commit) for _, epoch, marker in markers(kafka)] == [(1, True), (2, False), (3, True)]


def test_a_producer_that_did_not_get_the_answer_may_end_the_transaction_again() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    producer.produce(version=12)
    producer.end(version=5)
    producer.epoch = 0
    assert producer.end(version=5) is ErrorCode.NONE
    assert producer.identity == (0, 1)
    producer.epoch = 0
    assert producer.end(commit=False, version=5) is ErrorCode.INVALID_TXN_STATE


def test_a_producer_without_a_transaction_cannot_commit_but_can_abort() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    assert producer.end(version=5) is ErrorCode.INVALID_TXN_STATE
    pass_time(kafka, 5)
    assert producer.end(commit=False, version=5) is ErrorCode.NONE
    assert producer.identity == (0, 1)
    assert known(kafka).started_at == NOW + 5


def test_a_later_epoch_is_fenced() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    producer.produce(version=12)
    producer.epoch = 1
    assert producer.end(version=5) is ErrorCode.PRODUCER_FENCED


def test_after_the_last_epoch_the_end_of_a_transaction_gives_another_producer_id() -> None:
    kafka = transactional("4.1")
    producer = TransactionalProducer(kafka).initialised()
    coordinator_of(kafka).write(known(kafka)._replace(epoch=LAST_EPOCH))
    producer.epoch = LAST_EPOCH
    producer.produce(version=12)
    assert producer.end(version=5) is ErrorCode.NONE
    assert producer.identity == (1, 0)
    assert [epoch for _, epoch, _ in markers(kafka)] == [LAST_EPOCH + 1]
    producer.id, producer.epoch = 0, LAST_EPOCH
    assert producer.end(version=5) is ErrorCode.NONE  # the producer did not get the answer
    assert producer.identity == (1, 0)


# ---- the coordinator's own aborts


@pytest.mark.parametrize(
    ("release", "goes_on"),
    [("2.5", True), ("2.6", False), ("2.8", False), ("3.9", False), ("4.0.0", False), ("4.0.1", True), ("4.3", True)],
)
def test_a_producer_fenced_by_the_coordinator_may_continue_in_some_releases(release: str, goes_on: bool) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    assert coordinator_of(kafka).fence(known(kafka)) is ErrorCode.NONE
    assert state_of(kafka) is State.COMPLETE_ABORT
    fenced = {ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.PRODUCER_FENCED}
    assert producer.end() in fenced
    assert producer.init(resume=True) in ({ErrorCode.NONE} if goes_on else fenced)


@pytest.mark.parametrize(("release", "epoch"), [("2.8", 1), ("4.0.0", 2), ("4.0.1", 1)])
def test_a_fence_raises_the_epoch_once_and_in_4_0_0_twice(release: str, epoch: int) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    coordinator_of(kafka).fence(known(kafka))
    assert known(kafka).epoch == epoch


@pytest.mark.parametrize(("release", "error"), [("4.0.0", -1), ("4.0.1", 0)])
def test_where_the_epoch_rises_twice_the_last_transaction_of_an_id_is_stuck(release: str, error: int) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    coordinator_of(kafka).write(known(kafka)._replace(epoch=LAST_EPOCH))
    producer.epoch = LAST_EPOCH
    producer.send()
    assert coordinator_of(kafka).fence(known(kafka)) == error
