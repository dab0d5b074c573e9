"""What transactions have decided in a partition."""

import pytest
from fakekafka import UsageError
from fakekafka.watching.decided import AbortedRange

from tests.support.seeded import batch, booted, in_transaction, marker, store


def test_a_log_without_transactions_has_decided_nothing() -> None:
    kafka = booted("0.10.2")
    kafka.send("t", b"1")
    found = kafka.decided("t")
    assert (found.stable_offset, found.control_batches, found.aborted, found.left_out) == (
        1,
        {},
        frozenset(),
        frozenset(),
    )


def test_aborted_records_are_left_out_and_committed_ones_are_not() -> None:
    kafka = booted("2.3")
    store(kafka, in_transaction(0), batch(2), marker(4, commit=False), in_transaction(5, sequence=2), marker(7))
    found = kafka.decided("t")
    assert (found.stable_offset, found.left_out, found.open_producers) == (8, frozenset({0, 1}), frozenset())
    assert found.aborted == {AbortedRange(1, 0, 4)}
    assert {offset: str(control) for offset, control in found.control_batches.items()} == {
        4: "ABORT of producer 1, epoch 0", 7: "COMMIT of producer 1, epoch 0",
    }  # fmt: skip


def test_an_open_transaction_holds_the_stable_offset() -> None:
    kafka = booted("2.3")
    store(kafka, batch(0), in_transaction(2))
    found = kafka.decided("t")
    assert (found.stable_offset, found.left_out, found.open_producers) == (2, frozenset(), frozenset({1}))


def test_a_partition_that_does_not_exist_is_refused() -> None:
    with pytest.raises(UsageError, match="t has no partition 1"):
        booted("2.3").decided("t", 1)
