"""The index of aborted transactions."""

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.log.txn_index import ENTRY_SIZE, AbortedTxn, TxnIndex
from hypothesis import given
from hypothesis import strategies as st

LONGS = st.integers(-(2**63), 2**63 - 1)
TRANSACTIONS = st.lists(st.builds(AbortedTxn, LONGS, LONGS, LONGS, LONGS), max_size=8)


def index_of(*entries: AbortedTxn) -> TxnIndex:
    index = TxnIndex()
    for entry in entries:
        index.append(entry)
    return index


def test_an_entry_has_34_bytes() -> None:
    data = index_of(AbortedTxn(7, 3, 5, 6)).content()
    assert data.hex() == "0000" + "0000000000000007" + "0000000000000003" + "0000000000000005" + "0000000000000006"
    assert len(data) == ENTRY_SIZE


@given(TRANSACTIONS)
def test_a_transaction_index_is_read_as_it_was_written(entries: list[AbortedTxn]) -> None:
    again = TxnIndex()
    again.load(index_of(*entries).content())
    assert again.entries == entries


@given(st.binary(max_size=80))
def test_any_bytes_are_a_transaction_index_or_malformed(data: bytes) -> None:
    index = TxnIndex()
    try:
        index.load(data)
    except MalformedBytes:
        return
    assert len(index.entries) == len(data) // ENTRY_SIZE


def test_an_entry_that_is_cut_is_dropped() -> None:
    index = TxnIndex()
    index.load(index_of(AbortedTxn(1, 0, 4, 5), AbortedTxn(2, 6, 9, 10)).content()[:-1])
    assert index.entries == [AbortedTxn(1, 0, 4, 5)]


def test_a_newer_version_is_malformed() -> None:
    with pytest.raises(MalformedBytes):
        TxnIndex().load(b"\x00\x01" + bytes(32))


def test_a_transaction_overlaps_if_it_reaches_into_the_range() -> None:
    index = index_of(AbortedTxn(1, 0, 4, 5), AbortedTxn(2, 6, 9, 10), AbortedTxn(3, 2, 12, 13))
    found, complete = index.overlapping(5, 9)
    assert [entry.producer_id for entry in found] == [2]
    assert complete  # everything below 10 was decided when producer 2 aborted
    found, complete = index.overlapping(5, 20)
    assert ([entry.producer_id for entry in found], complete) == ([2, 3], False)


def test_the_last_offset_itself_still_overlaps_and_the_upper_bound_does_not() -> None:
    index = index_of(AbortedTxn(1, 3, 4, 5))
    assert index.overlapping(4, 5)[0] != []
    assert index.overlapping(0, 3)[0] == []


def test_truncation_drops_transactions_whose_marker_goes() -> None:
    index = index_of(AbortedTxn(1, 0, 4, 5), AbortedTxn(2, 6, 9, 10))
    index.truncate_to(9)
    assert [entry.producer_id for entry in index.entries] == [1]
    index.clear()
    assert index.content() == b""
