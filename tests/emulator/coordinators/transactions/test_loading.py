import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.transactions.transaction import State, Transaction
from fakekafka.errors import ErrorCode

from tests.support.committed_readers import fetched
from tests.support.seeded import broker_of
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


def decided(kafka: FakeKafka, state: State) -> TransactionalProducer:
    """A producer whose transaction is decided without any marker written: the broker died in between."""
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    assert coordinator_of(kafka).write(known(kafka)._replace(state=state)) is ErrorCode.NONE
    return producer


def logged(transaction: Transaction) -> Transaction:
    """What the log keeps of the transaction in version 0."""
    return transaction._replace(last_epoch=-1, previous_producer_id=-1, next_producer_id=-1)


@pytest.mark.parametrize("crash", [True, False])
@pytest.mark.parametrize("release", ["0.11.0", "2.3", "2.8", "3.9", "4.3"])
def test_a_restart_keeps_transactional_ids(release: str, crash: bool) -> None:
    kafka = transactional(release)
    for n in range(5):
        TransactionalProducer(kafka, f"empty-{n}").initialised()
    done = TransactionalProducer(kafka, "done").initialised()
    done.send()
    done.end()
    open_one = TransactionalProducer(kafka).initialised()
    open_one.send(b"later")
    before = {name: logged(transaction) for name, transaction in coordinator_of(kafka).transactions.items()}
    kafka.restart(crash=crash)
    after = coordinator_of(kafka).transactions
    assert {name: logged(transaction) for name, transaction in after.items()} == before
    assert fetched(kafka) == [b"v"]
    assert open_one.end() is ErrorCode.NONE
    assert fetched(kafka) == [b"v", b"later"]


@pytest.mark.parametrize("state", [State.PREPARE_COMMIT, State.PREPARE_ABORT])
@pytest.mark.parametrize("release", ["0.11.0", "2.8", "4.3"])
def test_a_decided_transaction_is_completed_after_a_restart(release: str, state: State) -> None:
    kafka = transactional(release)
    decided(kafka, state)
    assert markers(kafka) == []
    kafka.restart(crash=True)
    pass_time(kafka, 0)
    commit = state is State.PREPARE_COMMIT
    assert state_of(kafka) is (State.COMPLETE_COMMIT if commit else State.COMPLETE_ABORT)
    assert fetched(kafka) == ([b"v"] if commit else [])
    assert [marker.commit for _, _, marker in markers(kafka)] == [commit]


def test_partitions_that_have_a_marker_get_another_one_after_a_restart() -> None:
    kafka = transactional()
    producer = decided(kafka, State.PREPARE_COMMIT)
    kafka.restart(crash=True)
    pass_time(kafka, 0)
    coordinator_of(kafka).write(known(kafka)._replace(state=State.PREPARE_COMMIT, partitions=(("t", 0),)))
    kafka.restart(crash=True)
    pass_time(kafka, 0)
    assert len(markers(kafka)) == 2
    assert fetched(kafka) == [b"v"]
    assert producer.end() is ErrorCode.NONE


def test_the_ids_of_a_partition_are_not_served_while_it_is_loaded() -> None:
    kafka = transactional(transaction_state_log_load_buffer_size=1)
    for n in range(5):
        TransactionalProducer(kafka, f"id-{n}").initialised()
    kafka.restart()
    coordinator = coordinator_of(kafka)
    assert coordinator.loading == {0}
    assert TransactionalProducer(kafka, "id-4").init() is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    pass_time(kafka, 0)
    assert not coordinator.loading
    assert TransactionalProducer(kafka, "id-4").init() is ErrorCode.NONE


def test_forgotten_ids_stay_forgotten() -> None:
    kafka = transactional(
        transactional_id_expiration_ms=5000, transaction_remove_expired_transaction_cleanup_interval_ms=1000
    )
    TransactionalProducer(kafka).initialised()
    pass_time(kafka, 10_000)
    assert values(kafka)[-1] == ("x", None)
    kafka.restart()
    assert not coordinator_of(kafka).transactions


@pytest.mark.parametrize(("key", "value"), [(b"\0\0\0\1", b""), (b"\0\0\0\1y", b"\0\7"), (b"\0\0\0\1y", b"\0\0\0")])
def test_an_unreadable_record_ends_the_loading_of_ids(key: bytes, value: bytes) -> None:
    kafka = transactional()
    TransactionalProducer(kafka, "a").initialised()
    coordinator_of(kafka).append(0, [(key, value)])
    TransactionalProducer(kafka, "b").initialised()
    kafka.restart()
    assert list(coordinator_of(kafka).transactions) == ["a"]


def test_keys_of_a_newer_kind_are_skipped() -> None:
    kafka = transactional()
    coordinator_of(kafka).append(0, [(b"\0\5what", b"ever")])
    TransactionalProducer(kafka, "a").initialised()
    kafka.restart()
    assert list(coordinator_of(kafka).transactions) == ["a"]


def test_another_broker_takes_over_transactional_ids() -> None:
    kafka = transactional(brokers=2, transaction_state_log_replication_factor=2, partitions=1)
    cluster = broker_of(kafka).cluster
    (old,) = [n for n in (0, 1) if 0 in coordinator_of(kafka, n).led]
    producer = TransactionalProducer(kafka, node_id=old).initialised()
    topic = cluster.topics["__transaction_state"]
    assert set(topic.partitions[0].replicas) == {0, 1}
    topic.partitions[0].leader = 1 - old
    for broker in cluster.brokers.values():
        broker.become(topic, topic.partitions[0])
    assert not coordinator_of(kafka, old).transactions
    assert producer.init() is ErrorCode.NOT_COORDINATOR
