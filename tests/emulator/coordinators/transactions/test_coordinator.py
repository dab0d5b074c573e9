import pytest
from fakekafka.coordinators.transactions.coordinator import FEATURE
from fakekafka.coordinators.transactions.states import State
from fakekafka.coordinators.transactions.transaction import Transaction
from fakekafka.errors import ErrorCode

from tests.support.seeded import broker_of
from tests.support.transaction_clients import (
    TransactionalProducer,
    coordinator_of,
    known,
    pass_time,
    state_of,
    transactional,
    values,
)


def test_who_is_asked_for_is_known_unknown_or_elsewhere() -> None:
    coordinator = coordinator_of(kafka := transactional())
    TransactionalProducer(kafka).initialised()
    assert coordinator.find("x") == known(kafka)
    assert coordinator.find("") is ErrorCode.INVALID_REQUEST
    assert coordinator.find("nobody") is ErrorCode.INVALID_PRODUCER_ID_MAPPING
    coordinator.loading.add(0)
    assert coordinator.find("x") is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS
    coordinator.unload(0)
    assert coordinator.find("x") is ErrorCode.NOT_COORDINATOR


def test_each_id_is_coordinated_by_one_broker() -> None:
    kafka = transactional(brokers=3, transaction_state_log_num_partitions=50)
    ids = [f"id-{n}" for n in range(40)]
    for transactional_id in ids:
        errors = [TransactionalProducer(kafka, transactional_id, node_id=node).init() for node in range(3)]
        assert sorted(errors) == [ErrorCode.NONE, *[ErrorCode.NOT_COORDINATOR] * 2]
    assert sorted(t for node in range(3) for t in coordinator_of(kafka, node).transactions) == sorted(ids)


def test_a_change_that_cannot_be_written_down_does_not_count() -> None:
    kafka = transactional(transaction_state_log_min_isr=2)
    producer = TransactionalProducer(kafka)
    assert producer.init() is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert known(kafka) == Transaction("x", 0, 60_000, known(kafka).updated_at)
    assert values(kafka) == []
    assert producer.init() is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert known(kafka).producer_id == 0  # the next try has the same producer


def test_every_change_is_a_record() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.end()
    states = [value[16] for _, value in values(kafka) if value is not None]
    assert states == [State.EMPTY, State.ONGOING, State.PREPARE_COMMIT, State.COMPLETE_COMMIT]


@pytest.mark.parametrize(("release", "version"), [("2.8", 0), ("3.9", 0), ("4.0", 1), ("4.3", 1)])
def test_values_are_flexible_from_transaction_version_1_on(release: str, version: int) -> None:
    kafka = transactional(release)
    TransactionalProducer(kafka).initialised()
    (value,) = [value for _, value in values(kafka)]
    assert value is not None
    assert value[:2] == bytes([0, version])


def test_ids_are_gone_through_by_partition_and_then_as_in_their_map() -> None:
    kafka = transactional(transaction_state_log_num_partitions=2)
    for transactional_id in ("warm", "off", "other", "prod", "prod2", "own", "open"):
        TransactionalProducer(kafka, transactional_id).initialised()
    found = {index: [t.id for t in ids] for index, ids in coordinator_of(kafka).by_partition().items()}
    assert found == {0: ["other", "own", "open"], 1: ["warm", "prod", "prod2", "off"]}


def test_without_its_topic_the_coordinator_knows_nothing() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    cluster = broker_of(kafka).cluster
    cluster.remove_topic(cluster.topics["__transaction_state"])
    coordinator = coordinator_of(kafka)
    assert not coordinator.transactions
    assert coordinator.status("x") is ErrorCode.NOT_COORDINATOR


def test_a_reset_forgets_everything() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    kafka.reset()
    assert not coordinator_of(kafka).transactions
    assert TransactionalProducer(kafka).init() is ErrorCode.NOT_COORDINATOR
    assert not kafka.failures


def test_a_protocol_without_transactions_has_none() -> None:
    kafka = transactional("2.3", inter_broker_protocol_version="0.10.2", log_message_format_version="0.10.2")
    producer = TransactionalProducer(kafka)
    assert producer.add(version=0) == [ErrorCode.UNSUPPORTED_VERSION]
    assert producer.end(version=0) is ErrorCode.UNSUPPORTED_VERSION
    assert producer.add_offsets(version=0) is ErrorCode.UNSUPPORTED_VERSION


def test_markers_carry_the_epoch_in_which_the_coordinator_began() -> None:
    kafka = transactional("0.11.0")
    assert coordinator_of(kafka).coordinator_epoch("x") == 0
    kafka.restart()
    partition = broker_of(kafka).partitions["__transaction_state", 0]
    assert (partition.leader_epoch, coordinator_of(kafka).coordinator_epoch("x")) == (1, 0)
    kafka.restart()
    assert (broker_of(kafka).partitions["__transaction_state", 0].leader_epoch) == 2
    assert coordinator_of(kafka).coordinator_epoch("x") == 1


def test_with_kraft_they_carry_the_newest() -> None:
    kafka = transactional("4.1")
    kafka.restart()
    partition = broker_of(kafka).partitions["__transaction_state", 0]
    assert coordinator_of(kafka).coordinator_epoch("x") == partition.leader_epoch > 0


@pytest.mark.parametrize("release", ["4.0", "4.3"])
def test_under_transaction_version_0_a_client_of_version_2_gets_its_id_stuck(release: str) -> None:
    kafka = transactional(release)
    coordinator_of(kafka).cluster.settings.features[FEATURE] = 0
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    assert producer.end(version=5) is ErrorCode.UNSUPPORTED_VERSION
    assert producer.end(version=4) is ErrorCode.CONCURRENT_TRANSACTIONS
    assert producer.add() == [ErrorCode.CONCURRENT_TRANSACTIONS]
    assert TransactionalProducer(kafka).init() is ErrorCode.CONCURRENT_TRANSACTIONS
    pass_time(kafka, 70_000)
    assert state_of(kafka) is State.ONGOING
    kafka.restart()
    pass_time(kafka, 2000)
    assert state_of(kafka) is State.COMPLETE_ABORT


def test_producing_under_transaction_version_0_as_version_2_allows_does_the_same() -> None:
    kafka = transactional("4.1")
    coordinator_of(kafka).cluster.settings.features[FEATURE] = 0
    producer = TransactionalProducer(kafka).initialised()
    assert producer.produce(version=12) is ErrorCode.UNSUPPORTED_VERSION
    assert producer.add() == [ErrorCode.CONCURRENT_TRANSACTIONS]
