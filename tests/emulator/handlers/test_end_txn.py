import pytest
from fakekafka.errors import ErrorCode
from fakekafka.wire.apis.end_txn import EndTxnRequest, EndTxnResponse

from tests.support.brokers import answer
from tests.support.committed_readers import fetched
from tests.support.transaction_clients import TransactionalProducer, known, transactional


@pytest.mark.parametrize("commit", [True, False])
@pytest.mark.parametrize(
    ("release", "versions"), [("0.11.0", [0]), ("2.3", [0, 1]), ("2.8", [0, 1, 2, 3]), ("4.3", [0, 1, 2, 3, 4])]
)
def test_transactions_end_in_every_version(release: str, versions: list[int], commit: bool) -> None:
    kafka = transactional(release)
    producer = TransactionalProducer(kafka).initialised()
    for version in versions:
        producer.send()
        assert producer.end(commit, version) is ErrorCode.NONE
    assert producer.identity == (0, 0)
    assert len(fetched(kafka)) == (len(versions) if commit else 0)


def test_version_5_returns_the_epoch_to_continue_with() -> None:
    kafka = transactional("4.3")
    producer = TransactionalProducer(kafka).initialised()
    producer.send()
    request = EndTxnRequest(transactional_id="x", producer_id=0, producer_epoch=0, committed=True)
    response = answer(kafka, request, 5, EndTxnResponse)
    assert (response.error_code, response.producer_id, response.producer_epoch) == (0, 0, 1)
    assert (known(kafka).epoch, known(kafka).client_version) == (1, 2)


def test_an_error_returns_no_producer_id_and_no_epoch() -> None:
    request = EndTxnRequest(transactional_id="nobody", producer_id=0, producer_epoch=0, committed=True)
    response = answer(transactional("4.3"), request, 5, EndTxnResponse)
    assert (response.error_code, response.producer_id, response.producer_epoch) == (49, -1, -1)


@pytest.mark.parametrize(("version", "error"), [(1, 47), (2, 90)])
def test_from_version_2_on_an_old_epoch_has_its_own_error(version: int, error: int) -> None:
    kafka = transactional()
    old = TransactionalProducer(kafka).initialised()
    TransactionalProducer(kafka).initialised()
    assert old.end(version=version) == error
