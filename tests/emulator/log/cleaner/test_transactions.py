"""What the cleaner knows about transactions at one position in a log."""

import pytest
from fakekafka.log.cleaner import CleaningFailed
from fakekafka.log.cleaner.transactions import Transactions
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records import v2
from fakekafka.records.batch import Batch

from tests.emulator.log import batches as made
from tests.emulator.log.cleaner.passes import cleaner_rules

ABORTED = AbortedTxn(7, 10, 20, 30)


def data(offset: int, producer: int = 7) -> Batch:
    _, info = made.batch(offset, 1000, producer=producer, transactional=True)
    return info.batches[0]


def marker(offset: int, commit: bool, producer: int = 7) -> Batch:
    return made.marker(offset, producer, commit=commit)[1].batches[0]


def known(release: str = "2.3") -> Transactions:
    transactions = Transactions(cleaner_rules(release))
    transactions.expect([ABORTED])
    return transactions


def test_data_of_an_aborted_transaction_is_known_as_such_up_to_its_marker() -> None:
    transactions = known()
    assert not transactions.meet_data(data(5))
    assert transactions.meet_data(data(10))
    assert not transactions.meet_data(data(11, producer=8))
    transactions.meet_marker(marker(20, commit=False))
    assert not transactions.meet_data(data(21))


def test_plain_data_belongs_to_no_transaction() -> None:
    (plain,) = made.batch(12, 1000)[1].batches
    assert not known().meet_data(plain)


@pytest.mark.parametrize(("release", "goes"), [("0.11.0.0", True), ("0.11.0.1", False)])
def test_an_abort_marker_outlives_its_data_from_0_11_0_1_on(release: str, goes: bool) -> None:
    """KAFKA-5490."""
    transactions = known(release)
    transactions.meet_data(data(10))
    assert transactions.meet_marker(marker(20, commit=False)) == goes
    assert transactions.kept == [ABORTED]


def test_an_abort_marker_without_data_goes() -> None:
    transactions = known()
    assert transactions.meet_marker(marker(20, commit=False))
    assert transactions.kept == []


def test_a_commit_marker_goes_when_nothing_of_its_transaction_is_left() -> None:
    transactions = known()
    assert transactions.meet_marker(marker(3, commit=True, producer=8))
    transactions.meet_data(data(4, producer=8))
    assert not transactions.meet_marker(marker(5, commit=True, producer=8))
    assert transactions.meet_marker(marker(6, commit=True, producer=8))


@pytest.mark.parametrize(("release", "stops"), [("2.0.0", True), ("2.0.1", False)])
def test_a_control_batch_without_a_marker_ends_the_cleaner_in_some_releases(release: str, stops: bool) -> None:
    """KAFKA-7467."""
    whole = marker(20, commit=False)
    assert isinstance(whole, v2.RecordBatch)
    empty = made.stored([v2.empty(whole)])[0]
    if stops:
        with pytest.raises(CleaningFailed):
            known(release).meet_marker(empty)
    else:
        assert known(release).meet_marker(empty)
