"""Which batches were aborted."""

from fakekafka.coordinators.share_partitions.aborted import aborted_ranges
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.records import control, v2
from fakekafka.records.record import Record
from fakekafka.records.scan import batches


def written(first: int, last: int, producer: int) -> bytes:
    """A batch of a transaction."""
    rows = [Record(offset, 0, 0, None, b"v") for offset in range(first, last + 1)]
    return v2.build(rows, producer_id=producer, producer_epoch=0, base_sequence=0, transactional=True)


def ended(at: int, producer: int, *, commit: bool) -> bytes:
    """A marker."""
    return control.end_transaction(
        commit=commit, producer_id=producer, producer_epoch=0, coordinator_epoch=0, timestamp=0, offset=at
    )


def test_batches_of_a_producer_are_aborted_from_its_transaction_to_its_marker() -> None:
    plain = v2.build([Record(0, 0, 0, None, b"v")])
    log = plain + written(1, 2, 7) + written(3, 3, 8) + written(4, 5, 7) + ended(6, 7, commit=False)
    log += written(7, 7, 7) + ended(8, 7, commit=True) + ended(9, 8, commit=True)
    found = aborted_ranges(batches(log), [AbortedTxn(7, 1, 6, 3)])
    assert found == [(1, 2), (4, 5)]


def test_what_was_written_before_the_aborted_transaction_is_not_aborted() -> None:
    log = written(0, 0, 7) + ended(1, 7, commit=True) + written(2, 2, 7) + ended(3, 7, commit=False)
    assert aborted_ranges(batches(log), [AbortedTxn(7, 2, 3, 2)]) == [(2, 2)]


def test_nothing_is_aborted_without_transactions() -> None:
    assert aborted_ranges(batches(written(0, 3, 7)), []) == []
