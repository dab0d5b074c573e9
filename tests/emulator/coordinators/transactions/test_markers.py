import pytest
from fakekafka.coordinators.transactions.markers import Marker, write_marker
from fakekafka.coordinators.transactions.transaction import State
from fakekafka.errors import ErrorCode
from fakekafka.log.txn_index import AbortedTxn

from tests.support.committed_readers import ends, fetched
from tests.support.group_clients import coordinator_is_there as offsets_topic_is_there
from tests.support.group_clients import simple
from tests.support.seeded import NOW, broker_of, partition_of
from tests.support.transaction_clients import (
    TransactionalProducer,
    batches_of,
    coordinator_of,
    known,
    markers,
    pass_time,
    state_of,
    transactional,
)

COMMIT = Marker(0, 0, commit=True, coordinator_epoch=0)


@pytest.mark.statement("S1-29")
@pytest.mark.statement("S1-30")
@pytest.mark.statement("S1-31")
@pytest.mark.parametrize(("commit", "kind"), [(False, 0), (True, 1)])
def test_a_marker_in_the_log_has_a_key_of_version_and_type_and_its_own_value(commit: bool, kind: int) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.end(commit)
    *_, batch = batches_of(kafka)
    (record,) = batch.records()
    assert batch.is_control
    assert bytes(record.key or b"") == bytes([0, 0, 0, kind]), "the draft has them the other way round"
    assert bytes(record.value or b"") == bytes(6), "version, and the coordinator's epoch"


@pytest.mark.parametrize("commit", [True, False])
def test_every_partition_of_the_transaction_gets_a_marker(commit: bool) -> None:
    kafka = transactional(partitions=3)
    producer = TransactionalProducer(kafka).initialised()
    producer.send(place=("t", 0))
    producer.send(place=("t", 2))
    producer.end(commit)
    assert [[m.commit for _, _, m in markers(kafka, ("t", n))] for n in range(3)] == [[commit], [], [commit]]
    assert known(kafka).partitions == ()


def test_partitions_of_other_brokers_get_markers_too() -> None:
    kafka = transactional(brokers=3, partitions=3)
    (node,) = [n for n in range(3) if 0 in coordinator_of(kafka, n).led]
    producer = TransactionalProducer(kafka, node_id=node).initialised()
    leaders = [state.leader for state in broker_of(kafka).cluster.topics["t"].partitions]
    assert sorted(leaders) == [0, 1, 2]
    for index, leader in enumerate(leaders):
        assert producer.add(("t", index)) == [ErrorCode.NONE]
        assert producer.produce(place=("t", index), node_id=leader) is ErrorCode.NONE
        assert fetched(kafka, ("t", index), node_id=leader) == []
    assert producer.end() is ErrorCode.NONE
    for index, leader in enumerate(leaders):
        assert fetched(kafka, ("t", index), node_id=leader) == [b"v"]


def test_the_last_stable_offset_moves_past_a_marker() -> None:
    kafka = transactional()
    first, second = TransactionalProducer(kafka, "a").initialised(), TransactionalProducer(kafka, "b").initialised()
    first.send()
    second.send()
    assert (ends(kafka), ends(kafka, committed=False)) == (0, 2)
    second.end()
    assert (ends(kafka), ends(kafka, committed=False)) == (0, 3)
    first.end()
    assert (ends(kafka), ends(kafka, committed=False)) == (4, 4)


def test_an_abort_is_written_to_the_transaction_index() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.end(commit=False)
    producer.send()
    producer.end()
    aborted = [entry for segment in partition_of(kafka).log.segments for entry in segment.load_txn_index().entries]
    assert aborted == [AbortedTxn(0, 0, 1, 2)]


@pytest.mark.parametrize("commit", [True, False])
def test_pending_offsets_of_a_group_are_decided_with_the_transaction(commit: bool) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    offsets_topic_is_there(kafka)
    reader = simple(kafka)
    reader.commit(1)
    assert producer.add_offsets() is ErrorCode.NONE
    assert producer.commit_offset(7) is ErrorCode.NONE
    assert reader.fetch(0) == [1]
    producer.end(commit)
    assert reader.fetch(0) == [7 if commit else 1]


def test_a_deleted_partition_needs_no_marker() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 0))
    kafka.delete_topic("t")
    assert producer.end() is ErrorCode.NONE
    assert state_of(kafka) is State.COMPLETE_COMMIT


def test_markers_wait_for_a_partition_without_a_leader() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send(place=("t", 0))
    producer.send(place=("t", 1))
    state = partition_of(kafka, 1).state
    state.leader = -1
    assert producer.end() is ErrorCode.NONE
    assert (state_of(kafka), known(kafka).partitions) == (State.PREPARE_COMMIT, (("t", 1),))
    assert producer.end() is ErrorCode.CONCURRENT_TRANSACTIONS
    assert TransactionalProducer(kafka).init() is ErrorCode.CONCURRENT_TRANSACTIONS
    pass_time(kafka, 5000)
    assert state_of(kafka) is State.PREPARE_COMMIT
    state.leader = 0
    pass_time(kafka, 100)
    assert state_of(kafka) is State.COMPLETE_COMMIT
    assert len(markers(kafka, ("t", 0))) == len(markers(kafka, ("t", 1))) == 1


def test_a_foreign_marker_with_a_later_coordinator_epoch_leaves_the_transaction_ongoing() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    assert write_marker(broker_of(kafka), ("t", 0), COMMIT._replace(coordinator_epoch=5)) is ErrorCode.NONE
    assert producer.end() is ErrorCode.NONE
    pass_time(kafka, 10_000)
    assert producer.end() is ErrorCode.CONCURRENT_TRANSACTIONS
    assert TransactionalProducer(kafka).init() is ErrorCode.CONCURRENT_TRANSACTIONS


def test_the_log_refuses_old_epochs_of_producers_and_of_coordinators() -> None:
    kafka = transactional()
    broker = broker_of(kafka)
    later = COMMIT._replace(epoch=3, coordinator_epoch=3)
    assert write_marker(broker, ("t", 0), later) is ErrorCode.NONE
    assert write_marker(broker, ("t", 0), later._replace(epoch=2)) is ErrorCode.INVALID_PRODUCER_EPOCH
    older = later._replace(coordinator_epoch=2)
    assert write_marker(broker, ("t", 0), older) is ErrorCode.TRANSACTION_COORDINATOR_FENCED


def test_a_partition_that_the_broker_does_not_host_is_unknown() -> None:
    kafka = transactional(brokers=2)
    brokers = broker_of(kafka).cluster.brokers
    leader = brokers[0].cluster.topics["t"].partitions[0].leader
    assert write_marker(brokers[1 - leader], ("t", 0), COMMIT) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert write_marker(brokers[leader], ("t", 9), COMMIT) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize(("rises", "epoch", "error"), [(False, 0, 0), (True, 0, 47), (True, 1, 0)])
def test_a_marker_may_require_that_the_epoch_has_risen(rises: bool, epoch: int, error: int) -> None:
    kafka = transactional("4.3")
    TransactionalProducer(kafka).initialised().send()
    marker = COMMIT._replace(epoch=epoch, epoch_has_risen=rises)
    assert write_marker(broker_of(kafka), ("t", 0), marker) == error


def test_without_an_open_transaction_the_epoch_need_not_have_risen() -> None:
    kafka = transactional("4.3")
    marker = COMMIT._replace(epoch_has_risen=True)
    assert [write_marker(broker_of(kafka), ("t", 0), marker) for _ in range(2)] == [0, 0]


def test_markers_have_the_time_of_the_broker() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    pass_time(kafka, 50)
    producer.end()
    assert partition_of(kafka).log.producers.producers[0].last_timestamp in (NOW, NOW + 50)
    assert known(kafka).updated_at == NOW + 50


@pytest.mark.parametrize("release", ["1.1.1", "2.8", "4.1"])
def test_a_marker_waits_for_min_insync_replicas_as_with_1_1_1(release: str) -> None:
    kafka = transactional(release, brokers=2, default_replication_factor=2)
    kafka.configure_topic("t", {"min.insync.replicas": "2"})
    leader = broker_of(kafka).cluster.topics["t"].partitions[0].leader
    (node,) = [n for n in range(2) if 0 in coordinator_of(kafka, n).led]
    producer = TransactionalProducer(kafka, node_id=node).initialised()
    assert producer.add(("t", 0)) == [ErrorCode.NONE]
    assert producer.produce(place=("t", 0), node_id=leader) is ErrorCode.NONE
    partition = broker_of(kafka).cluster.brokers[leader].partition("t", 0)
    assert partition is not None
    follower = 1 - leader
    broker_of(kafka).cluster.change(partition.topic, partition.state, isr=[leader], new_epoch=False)
    kafka.pause_replication(follower)
    assert producer.end(commit=False) is ErrorCode.NONE
    assert partition.log.log_end_offset == 1
    kafka.resume_replication(follower)
    pass_time(kafka, 1_000)
    assert partition.log.log_end_offset == 2
