import pytest
from fakekafka.coordinators.transactions.expiry import abort_timed_out, remove_expired
from fakekafka.coordinators.transactions.states import State
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
    values,
)

WEEK = 7 * 24 * 3_600_000


def test_what_takes_too_long_is_aborted() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised(timeout_ms=10_000)
    producer.send()
    pass_time(kafka, 10_000)
    assert state_of(kafka) is State.ONGOING
    pass_time(kafka, 1000)
    assert state_of(kafka) is State.COMPLETE_ABORT
    assert [(epoch, marker.commit) for _, epoch, marker in markers(kafka)] == [(1, False)]
    assert producer.end() is ErrorCode.PRODUCER_FENCED
    assert fetched(kafka) == []


def test_the_timeout_runs_from_the_transactions_beginning() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised(timeout_ms=10_000)
    pass_time(kafka, 60_000)
    producer.add(("t", 0))
    pass_time(kafka, 9000)
    producer.add(("t", 1))
    assert state_of(kafka) is State.ONGOING
    pass_time(kafka, 2000)
    assert state_of(kafka) is State.COMPLETE_ABORT


@pytest.mark.parametrize(("release", "endless"), [("4.0", False), ("4.1", True)])
def test_the_largest_timeout_may_mean_none(release: str, endless: bool) -> None:
    each = {"transaction_abort_timed_out_transaction_cleanup_interval_ms": 1_000_000}
    kafka = transactional(release, transaction_max_timeout_ms=2**31 - 1, **each)
    producer = TransactionalProducer(kafka).initialised(timeout_ms=2**31 - 1)
    producer.add(("t", 0))
    pass_time(kafka, 2**31 + 1_000_000)
    assert state_of(kafka) is (State.ONGOING if endless else State.COMPLETE_ABORT)


def test_ids_that_nobody_uses_are_forgotten() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    pass_time(kafka, WEEK - 1)
    assert state_of(kafka) is State.EMPTY
    pass_time(kafka, 1)
    assert not coordinator_of(kafka).transactions
    assert values(kafka)[-1] == ("x", None)
    again = TransactionalProducer(kafka).initialised()
    assert again.identity == (1, 0)


@pytest.mark.statement("S1-45")
@pytest.mark.parametrize("release", ["0.11.0", "2.8", "4.3"])
def test_the_producer_id_of_a_completed_transaction_is_kept_with_a_time_that_lets_it_expire(release: str) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    pass_time(kafka, 1000)
    producer.end()
    assert known(kafka).updated_at == NOW + 1000
    pass_time(kafka, WEEK - 1)
    kafka.restart()
    assert known(kafka).producer_id == producer.id
    assert known(kafka).updated_at == NOW + 1000
    pass_time(kafka, 3_600_000)
    assert values(kafka)[-1] == ("x", None)
    assert not coordinator_of(kafka).transactions


def test_after_a_start_the_first_check_is_an_interval_away() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised(timeout_ms=10_000).send()
    kafka.stop(crash=True)
    pass_time(kafka, 20_000)
    kafka.boot()
    pass_time(kafka, 999)
    assert state_of(kafka) is State.ONGOING
    pass_time(kafka, 1)
    assert state_of(kafka) is State.COMPLETE_ABORT


def test_what_is_open_keeps_its_id() -> None:
    kafka = transactional(
        transactional_id_expiration_ms=5000, transaction_remove_expired_transaction_cleanup_interval_ms=1000
    )
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    pass_time(kafka, 20_000)
    assert state_of(kafka) is State.ONGOING
    producer.end()
    pass_time(kafka, 6000)
    assert producer.add() == [ErrorCode.INVALID_PRODUCER_ID_MAPPING]


def test_tombstones_that_cannot_be_written_leave_the_ids() -> None:
    kafka = transactional(
        transactional_id_expiration_ms=5000, transaction_remove_expired_transaction_cleanup_interval_ms=1000
    )
    TransactionalProducer(kafka).initialised()
    partition = coordinator_of(kafka).partition(0)
    assert partition is not None
    partition.min_in_sync = 2
    pass_time(kafka, 10_000)
    assert known(kafka).updated_at == NOW
    partition.min_in_sync = 1
    pass_time(kafka, 1000)
    assert not coordinator_of(kafka).transactions


def test_the_checks_rest_while_there_is_nothing_to_watch() -> None:
    kafka = transactional()
    coordinator = coordinator_of(kafka)
    assert (abort_timed_out(coordinator), remove_expired(coordinator)) == (False, False)
    producer = TransactionalProducer(kafka).initialised()
    assert (abort_timed_out(coordinator), remove_expired(coordinator)) == (False, True)
    producer.send()
    assert (abort_timed_out(coordinator), remove_expired(coordinator)) == (True, True)
