"""What a coordinator knows about transactional ids, and how it is written down."""

from fakekafka.coordinators.transactions.transaction import ProducerIdAndEpoch, State
from fakekafka.errors import ErrorCode

from tests.support.seeded import partition_of
from tests.support.transaction_clients import TransactionalProducer, coordinator_of, transactional


def test_empty_and_unknown_transactional_ids_are_refused() -> None:
    coordinator = coordinator_of(transactional())
    assert coordinator.find("") is ErrorCode.INVALID_REQUEST
    assert coordinator.find("stranger") is ErrorCode.INVALID_PRODUCER_ID_MAPPING


def test_a_producer_is_known_by_its_id_and_its_epoch() -> None:
    producer = TransactionalProducer(transactional())
    producer.init()
    coordinator = coordinator_of(producer.kafka)
    (known,) = coordinator.transactions.values()
    found = [
        coordinator.find_of_producer(known.id, ProducerIdAndEpoch(known.producer_id + other, known.epoch + older))
        for other, older in ((0, 0), (1, 0), (0, -1))
    ]
    assert found == [known, ErrorCode.INVALID_PRODUCER_ID_MAPPING, coordinator.rules.fenced]


def test_a_change_that_cannot_be_written_down_changes_nothing() -> None:
    producer = TransactionalProducer(transactional())
    producer.init()
    coordinator = coordinator_of(producer.kafka)
    (known,) = coordinator.transactions.values()
    index = coordinator.partition_of(known.id)
    partition_of(producer.kafka, index, topic="__transaction_state").min_in_sync = 2
    changed = known._replace(state=known.to(State.ONGOING))
    assert coordinator.write(changed) is ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert coordinator.transactions == {known.id: known}
