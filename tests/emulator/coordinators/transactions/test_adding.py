import pytest
from fakekafka.coordinators.transactions.adding import add_partitions, check_partitions
from fakekafka.coordinators.transactions.states import State
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch
from fakekafka.errors import ErrorCode

from tests.support.seeded import NOW
from tests.support.transaction_clients import (
    TransactionalProducer,
    coordinator_of,
    known,
    pass_time,
    state_of,
    transactional,
    values,
)


def test_the_first_partitions_begin_a_transaction() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    pass_time(kafka, 10)
    assert producer.add(("t", 1)) == [ErrorCode.NONE]
    assert (state_of(kafka), known(kafka).partitions) == (State.ONGOING, (("t", 1),))
    assert known(kafka).started_at == known(kafka).updated_at == NOW + 10


def test_more_of_them_do_not_begin_it_again() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    pass_time(kafka, 10)
    producer.add(("t", 0), ("t", 1))
    assert known(kafka).partitions == (("t", 1), ("t", 0))
    assert (known(kafka).started_at, known(kafka).updated_at) == (NOW, NOW + 10)


def test_what_is_in_it_already_is_not_written_down_again() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1), ("t", 0))
    written = len(values(kafka))
    assert producer.add(("t", 0)) == [ErrorCode.NONE]
    assert len(values(kafka)) == written


@pytest.mark.parametrize("commit", [True, False])
def test_the_next_transaction_has_only_its_own(commit: bool) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    producer.end(commit)
    producer.add(("t", 0))
    assert known(kafka).partitions == (("t", 0),)


@pytest.mark.parametrize(
    ("identity", "error"), [((0, 1), 90), ((0, -1), 90), ((7, 0), ErrorCode.INVALID_PRODUCER_ID_MAPPING)]
)
def test_another_producer_may_not_add(identity: tuple[int, int], error: int) -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    who = ProducerIdAndEpoch(*identity)
    assert add_partitions(coordinator_of(kafka), "x", who, [("t", 0)], 0) == error
    assert check_partitions(coordinator_of(kafka), "x", who, [("t", 0)]) == {("t", 0): error}


@pytest.mark.parametrize("state", [State.PREPARE_COMMIT, State.PREPARE_ABORT])
def test_while_the_one_before_is_ended_nobody_may(state: State) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    transactions = coordinator_of(kafka).transactions
    transactions["x"] = transactions["x"]._replace(state=state)
    assert producer.add() == [ErrorCode.CONCURRENT_TRANSACTIONS]


@pytest.mark.parametrize(("release", "error"), [("3.6", 48), ("3.7", 48), ("3.8", 120), ("4.3", 120)])
def test_who_asks_hears_of_each_partition_whether_it_is_in_the_transaction(release: str, error: int) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    written = len(values(kafka))
    who = ProducerIdAndEpoch(*producer.identity)
    found = check_partitions(coordinator_of(kafka), "x", who, [("t", 0), ("t", 1)])
    assert found == {("t", 0): error, ("t", 1): 0}
    assert len(values(kafka)) == written
