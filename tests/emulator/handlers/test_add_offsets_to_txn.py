import pytest
from fakekafka.coordinators.hosted import coordinators_of
from fakekafka.errors import ErrorCode

from tests.support.seeded import broker_of
from tests.support.transaction_clients import TransactionalProducer, known, transactional


@pytest.mark.parametrize(
    ("release", "versions"), [("0.11.0", [0]), ("2.3", [0, 1]), ("2.8", [0, 1, 2, 3]), ("4.3", [0, 1, 2, 3, 4])]
)
def test_the_partition_of_the_group_s_offsets_joins_the_transaction_in_every_version(
    release: str, versions: list[int]
) -> None:
    kafka = transactional(release, offsets_topic_num_partitions=50)
    producer = TransactionalProducer(kafka).initialised()
    for version in versions:
        assert producer.add_offsets("some group", version) is ErrorCode.NONE
    index = coordinators_of(broker_of(kafka)).groups.partition_of("some group")
    assert known(kafka).partitions == (("__consumer_offsets", index),)


@pytest.mark.parametrize(("version", "error"), [(1, 47), (2, 90)])
def test_from_version_2_on_an_old_epoch_has_its_own_error(version: int, error: int) -> None:
    kafka = transactional()
    old = TransactionalProducer(kafka).initialised()
    TransactionalProducer(kafka).initialised()
    assert old.add_offsets(version=version) == error


def test_an_unknown_producer_cannot_add_offsets() -> None:
    producer = TransactionalProducer(transactional())
    assert producer.add_offsets() is ErrorCode.INVALID_PRODUCER_ID_MAPPING
