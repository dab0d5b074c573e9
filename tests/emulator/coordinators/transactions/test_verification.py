"""The expected answers were asked of brokers: 3.6.2, 3.7.2, 3.8.1, 3.9.1, 4.0.1, 4.1.1 and 4.3.1."""

import pytest
from fakekafka import FakeKafka
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.coordinators.transactions.transaction import State
from fakekafka.coordinators.transactions.verification import NOT_ADDED, coordinator_of
from fakekafka.errors import ErrorCode
from fakekafka.records import v2
from fakekafka.records.record import Record
from fakekafka.wire.apis.produce import PartitionProduceResponse

from tests.support import producing
from tests.support.seeded import NOW, broker_of
from tests.support.transaction_clients import (
    T0,
    TransactionalProducer,
    known,
    state_of,
    transactional,
)


def answered(kafka: FakeKafka, who: TransactionalProducer, version: int, sequence: int = 0) -> PartitionProduceResponse:
    """The answer of Produce to one transactional record."""
    batch = v2.build(
        [Record(0, NOW, 0, None, b"v")],
        producer_id=who.id,
        producer_epoch=who.epoch,
        base_sequence=sequence,
        transactional=True,
    )
    return producing.one(kafka, batch, version, -1, who.transactional_id)


@pytest.mark.parametrize(
    ("release", "version", "error", "words"),
    [
        ("3.5", 9, 0, None),
        ("3.6", 9, 48, NOT_ADDED),
        ("3.7", 10, 48, NOT_ADDED),
        ("3.8", 10, 48, NOT_ADDED),
        ("3.8", 11, 120, None),
        ("4.3", 11, 120, None),
    ],
)
def test_a_partition_that_is_not_in_the_transaction_is_refused(
    release: str, version: int, error: int, words: str | None
) -> None:
    kafka = transactional(release)
    got = answered(kafka, TransactionalProducer(kafka).initialised(), version)
    assert (got.error_code, got.error_message) == (error, words)


@pytest.mark.parametrize(
    ("release", "identity", "error", "words"),
    [
        ("3.6", ("x", 7, 0), 49, "The producer attempted to use a producer id which is not currently assigned"),
        ("3.7", ("x", 7, 0), 49, None),
        ("3.6", ("x", 0, 1), 47, "Producer attempted to produce with an old epoch."),
        ("3.7", ("x", 0, 1), 47, None),
        ("3.6", ("nobody", 0, 0), 49, "The producer attempted to use a producer id which is not currently assigned"),
        ("3.7", ("", 0, 0), 42, None),
    ],
)
def test_another_producer_is_refused(
    release: str, identity: tuple[str, int, int], error: int, words: str | None
) -> None:
    kafka = transactional(release)
    who = TransactionalProducer(kafka).initialised()
    who.add()
    who.transactional_id, who.id, who.epoch = identity
    got = answered(kafka, who, 9)
    assert got.error_code == error
    assert (got.error_message or "")[: len(words or "")] == (words or "")


@pytest.mark.parametrize(("version", "error"), [(11, 19), (12, 51)])
def test_concurrent_transactions_are_error_19_for_older_clients(version: int, error: int) -> None:
    kafka = transactional("4.3")
    who = TransactionalProducer(kafka).initialised()
    transactions = coordinators_of(broker_of(kafka)).transactions.transactions
    transactions["x"] = transactions["x"]._replace(state=State.PREPARE_COMMIT)
    got = answered(kafka, who, version)
    text = "Unable to verify the partition has been added to the transaction. Underlying error: CONCURRENT_TRANSACTIONS"
    assert (got.error_code, got.error_message) == (error, text if version == 11 else None)


@pytest.mark.parametrize("version", [9, 12])
def test_without_a_coordinator_there_are_not_enough_replicas(version: int) -> None:
    kafka = FakeKafka("4.3", config={"log.index.size.max.bytes": 4096}, topics={"t": 1}).boot()
    who = TransactionalProducer(kafka)
    who.id, who.epoch = 0, 0
    assert coordinator_of(broker_of(kafka), "x") is None
    assert answered(kafka, who, version).error_code == ErrorCode.NOT_ENOUGH_REPLICAS


def test_new_clients_let_the_broker_add_partitions() -> None:
    kafka = transactional("4.3")
    who = TransactionalProducer(kafka).initialised()
    assert answered(kafka, who, 12).error_code == ErrorCode.NONE
    assert (state_of(kafka), known(kafka).partitions, known(kafka).client_version) == (State.ONGOING, (T0,), 2)


def test_a_partition_with_an_open_transaction_is_not_verified_again() -> None:
    kafka = transactional("3.9")
    who = TransactionalProducer(kafka).initialised()
    who.send()
    transactions = coordinators_of(broker_of(kafka)).transactions.transactions
    transactions["x"] = transactions["x"]._replace(partitions=())
    assert answered(kafka, who, 9, 1).error_code == ErrorCode.NONE


def test_verification_can_be_turned_off_but_adding_partitions_cannot() -> None:
    kafka = transactional("4.3", transaction_partition_verification_enable="false")
    who = TransactionalProducer(kafka).initialised()
    assert answered(kafka, who, 11).error_code == ErrorCode.NONE
    assert state_of(kafka) is State.EMPTY
    other = TransactionalProducer(kafka, "other").initialised()
    assert answered(kafka, other, 12).error_code == ErrorCode.NONE
    assert state_of(kafka, "other") is State.ONGOING


@pytest.mark.parametrize(
    ("release", "expected"), [("3.5", [0, 45, 45]), ("3.6", [45, 0, 0]), ("3.9", [45, 0, 0]), ("4.3", [45, 0, 0])]
)
def test_a_batch_whose_predecessor_was_refused_is_refused(release: str, expected: list[int]) -> None:
    kafka = transactional(release)
    who = TransactionalProducer(kafka).initialised()
    if release != "3.5":
        assert answered(kafka, who, 9, 3).error_code != ErrorCode.NONE
    who.add()
    assert [answered(kafka, who, 9, sequence).error_code for sequence in (5, 3, 4)] == expected


@pytest.mark.parametrize(("release", "expected"), [("4.0", [0, 45, 45]), ("4.1", [45, 0, 0]), ("4.3", [45, 0, 0])])
def test_a_producer_added_by_writing_must_begin_at_0_from_4_1_on(release: str, expected: list[int]) -> None:
    kafka = transactional(release)
    who = TransactionalProducer(kafka).initialised()
    assert [answered(kafka, who, 12, sequence).error_code for sequence in (3, 0, 1)] == expected


def test_a_coordinator_on_another_broker_is_asked() -> None:
    kafka = transactional("3.9", brokers=2, partitions=2)
    (node,) = [n for n in (0, 1) if 0 in coordinators_of(broker_of(kafka).cluster.brokers[n]).transactions.led]
    who = TransactionalProducer(kafka, node_id=node).initialised()
    states = broker_of(kafka).cluster.topics["t"].partitions
    (elsewhere,) = [state.index for state in states if state.leader != node]
    place = ("t", elsewhere)
    assert who.produce(place=place, node_id=1 - node) is ErrorCode.INVALID_TXN_STATE
    assert who.add(place) == [ErrorCode.NONE]
    assert who.produce(place=place, node_id=1 - node) is ErrorCode.NONE
