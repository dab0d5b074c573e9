import pytest
from fakekafka.coordinators.transactions.state_manager import FEATURE
from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch, State, Transaction
from fakekafka.errors import ErrorCode

from tests.support.committed_readers import fetched
from tests.support.seeded import NOW, broker_of
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


def test_a_transactional_id_is_known_unknown_or_coordinated_elsewhere() -> None:
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


def test_a_change_that_cannot_be_written_does_not_count() -> None:
    kafka = transactional(transaction_state_log_min_isr=2)
    producer = TransactionalProducer(kafka)
    assert producer.init() is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert known(kafka) == Transaction("x", 0, 60_000, known(kafka).updated_at)
    assert values(kafka) == []
    assert producer.init() is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert known(kafka).producer_id == 0  # the next try has the same producer


def test_every_change_of_a_transaction_is_a_record() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    producer.end()
    states = [value[16] for _, value in values(kafka) if value is not None]
    assert states == [State.EMPTY, State.ONGOING, State.PREPARE_COMMIT, State.COMPLETE_COMMIT]


@pytest.mark.parametrize(("release", "version"), [("2.8", 0), ("3.9", 0), ("4.0", 1), ("4.3", 1)])
def test_from_transaction_version_1_on_record_values_are_flexible(release: str, version: int) -> None:
    kafka = transactional(release)
    TransactionalProducer(kafka).initialised()
    (value,) = [value for _, value in values(kafka)]
    assert value is not None
    assert value[:2] == bytes([0, version])


def test_ids_are_checked_by_partition_and_then_in_the_order_of_their_map() -> None:
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


def test_a_reset_forgets_all_transactional_ids() -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    kafka.reset()
    assert not coordinator_of(kafka).transactions
    assert TransactionalProducer(kafka).init() is ErrorCode.NOT_COORDINATOR
    assert not kafka.failures


def test_an_inter_broker_protocol_without_transactions_refuses_them() -> None:
    kafka = transactional("2.3", inter_broker_protocol_version="0.10.2", log_message_format_version="0.10.2")
    producer = TransactionalProducer(kafka)
    assert producer.add(version=0) == [ErrorCode.UNSUPPORTED_VERSION]
    assert producer.end(version=0) is ErrorCode.UNSUPPORTED_VERSION
    assert producer.add_offsets(version=0) is ErrorCode.UNSUPPORTED_VERSION


def test_markers_carry_the_leader_epoch_in_which_the_coordinator_began() -> None:
    kafka = transactional("0.11.0")
    assert coordinator_of(kafka).coordinator_epoch("x") == 0
    kafka.restart()
    partition = broker_of(kafka).partitions["__transaction_state", 0]
    assert (partition.leader_epoch, coordinator_of(kafka).coordinator_epoch("x")) == (1, 0)
    kafka.restart()
    assert (broker_of(kafka).partitions["__transaction_state", 0].leader_epoch) == 2
    assert coordinator_of(kafka).coordinator_epoch("x") == 1


def test_with_kraft_markers_carry_the_newest_leader_epoch() -> None:
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


def test_producing_with_version_12_under_transaction_version_0_gets_an_id_stuck() -> None:
    kafka = transactional("4.1")
    coordinator_of(kafka).cluster.settings.features[FEATURE] = 0
    producer = TransactionalProducer(kafka).initialised()
    assert producer.produce(version=12) is ErrorCode.UNSUPPORTED_VERSION
    assert producer.add() == [ErrorCode.CONCURRENT_TRANSACTIONS]


def test_the_first_partitions_begin_a_transaction() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    pass_time(kafka, 10)
    assert producer.add(("t", 1)) == [ErrorCode.NONE]
    assert (state_of(kafka), known(kafka).partitions) == (State.ONGOING, (("t", 1),))
    assert known(kafka).started_at == known(kafka).updated_at == NOW + 10


def test_further_partitions_do_not_begin_a_transaction_again() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    pass_time(kafka, 10)
    producer.add(("t", 0), ("t", 1))
    assert known(kafka).partitions == (("t", 1), ("t", 0))
    assert (known(kafka).started_at, known(kafka).updated_at) == (NOW, NOW + 10)


def test_partitions_that_are_in_the_transaction_are_not_written_down_again() -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1), ("t", 0))
    written = len(values(kafka))
    assert producer.add(("t", 0)) == [ErrorCode.NONE]
    assert len(values(kafka)) == written


@pytest.mark.parametrize("commit", [True, False])
def test_the_next_transaction_has_only_its_own_partitions(commit: bool) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    producer.end(commit)
    producer.add(("t", 0))
    assert known(kafka).partitions == (("t", 0),)


@pytest.mark.parametrize(
    ("identity", "error"), [((0, 1), 90), ((0, -1), 90), ((7, 0), ErrorCode.INVALID_PRODUCER_ID_MAPPING)]
)
def test_another_producer_may_not_add_partitions(identity: tuple[int, int], error: int) -> None:
    kafka = transactional()
    TransactionalProducer(kafka).initialised()
    who = ProducerIdAndEpoch(*identity)
    assert coordinator_of(kafka).add_partitions("x", who, [("t", 0)], 0) == error
    assert coordinator_of(kafka).check_partitions("x", who, [("t", 0)]) == {("t", 0): error}


@pytest.mark.parametrize("state", [State.PREPARE_COMMIT, State.PREPARE_ABORT])
def test_no_producer_may_add_partitions_while_the_previous_transaction_ends(state: State) -> None:
    kafka = transactional()
    producer = TransactionalProducer(kafka).initialised()
    transactions = coordinator_of(kafka).transactions
    transactions["x"] = transactions["x"]._replace(state=state)
    assert producer.add() == [ErrorCode.CONCURRENT_TRANSACTIONS]


@pytest.mark.parametrize(("release", "error"), [("3.6", 48), ("3.7", 48), ("3.8", 120), ("4.3", 120)])
def test_verification_says_of_each_partition_whether_it_is_in_the_transaction(release: str, error: int) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    producer.add(("t", 1))
    written = len(values(kafka))
    who = ProducerIdAndEpoch(*producer.identity)
    found = coordinator_of(kafka).check_partitions("x", who, [("t", 0), ("t", 1)])
    assert found == {("t", 0): error, ("t", 1): 0}
    assert len(values(kafka)) == written


WEEK = 7 * 24 * 3_600_000


def test_a_transaction_that_takes_too_long_is_aborted() -> None:
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


def test_up_to_0_11_0_1_a_producer_goes_on_after_its_transaction_has_timed_out() -> None:
    """KAFKA-6119. Recorded from 0.11.0.1 and 0.11.0.2: timeout_questions."""
    kafka = transactional("0.11.0.1")  # with an interval of one second, which it does not heed
    producer = TransactionalProducer(kafka).initialised(timeout_ms=10_000)
    producer.send()
    pass_time(kafka, 59_999)
    assert state_of(kafka) is State.ONGOING
    pass_time(kafka, 1)
    assert state_of(kafka) is State.COMPLETE_ABORT
    assert [(epoch, marker.commit) for _, epoch, marker in markers(kafka)] == [(0, False)]
    assert producer.end() is ErrorCode.INVALID_TXN_STATE
    producer.send()
    assert producer.end() is ErrorCode.NONE


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


def test_unused_transactional_ids_are_forgotten() -> None:
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


def test_an_open_transaction_keeps_its_id() -> None:
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


def test_ids_stay_if_their_tombstones_cannot_be_written() -> None:
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


def test_nothing_is_checked_while_there_are_no_ids_to_watch() -> None:
    kafka = transactional()
    coordinator = coordinator_of(kafka)
    assert (coordinator.abort_timed_out(), coordinator.remove_expired()) == (False, False)
    producer = TransactionalProducer(kafka).initialised()
    assert (coordinator.abort_timed_out(), coordinator.remove_expired()) == (False, True)
    producer.send()
    assert (coordinator.abort_timed_out(), coordinator.remove_expired()) == (True, True)
