"""Decisions of transactions that have changed are found."""

import pytest
from fakekafka import ManualClock
from fakekafka.rehearsal.contents import Contents, contents_of
from fakekafka.rehearsal.decisions import undone

from tests.support.seeded import batch, booted, in_transaction, marker, store


def contents(*sets: bytes) -> Contents:
    kafka = booted("2.3")
    store(kafka, *sets)
    return contents_of(kafka)


def changes(before: Contents, after: Contents, *, idle: bool = True) -> list[str]:
    return [str(one) for one in undone(before, after, idle=idle)]


DECIDED = (in_transaction(0), marker(2, commit=False), in_transaction(3, sequence=2), marker(5))


def test_decisions_that_stay_are_not_reported() -> None:
    before = contents(*DECIDED)
    assert changes(before, before) == []
    assert changes(before, contents(*DECIDED, batch(6), in_transaction(8, sequence=4), marker(10)), idle=False) == []


def test_control_batches_survive_a_killed_broker() -> None:
    kafka = booted("2.3")
    store(kafka, *DECIDED, in_transaction(6, sequence=4))
    before = contents_of(kafka)
    kafka.restart(crash=True)
    after = contents_of(kafka)
    assert (before, changes(before, after)) == (after, [])


def test_a_control_batch_that_is_gone_is_found() -> None:
    assert changes(contents(*DECIDED), contents(*DECIDED[:3])) == [
        "t-0: the control batch at 5 (COMMIT of producer 1, epoch 0) is gone",
        "t-0: a read_committed reader no longer gets 2 records from offset 3 on",
    ]


def test_a_commit_that_becomes_an_abort_is_found() -> None:
    assert changes(contents(*DECIDED), contents(*DECIDED[:3], marker(5, commit=False))) == [
        "t-0: the control batch at 5 (COMMIT of producer 1, epoch 0) is not what it was"
        " (ABORT of producer 1, epoch 0)",
        "t-0: a transaction of producer 1 from 3 on is now listed as aborted",
        "t-0: a read_committed reader no longer gets 2 records from offset 3 on",
    ]  # fmt: skip


def test_an_abort_that_is_forgotten_is_found() -> None:
    before = contents(*DECIDED)
    partition = before.partitions["t", 0]
    assert partition.decided is not None
    forgotten = partition._replace(decided=partition.decided._replace(aborted=frozenset(), left_out=frozenset()))
    assert changes(before, before._replace(partitions={("t", 0): forgotten})) == [
        "t-0: the transaction of producer 1 from 0 on is not listed as aborted",
        "t-0: a read_committed reader now gets 2 records from offset 0 on",
    ]


@pytest.mark.parametrize("idle", [True, False])
def test_a_control_batch_without_an_open_transaction_is_found_if_no_client_ran(idle: bool) -> None:
    found = changes(contents(*DECIDED), contents(*DECIDED, marker(6)), idle=idle)
    words = "t-0: a control batch has come at 6 (COMMIT of producer 1, epoch 0), without a transaction that was open"
    assert found == ([words] if idle else [])


def test_the_end_of_an_open_transaction_may_come_at_any_time() -> None:
    assert changes(contents(in_transaction(0)), contents(in_transaction(0), marker(2, commit=False))) == []


def test_decisions_that_the_cleaner_removes_are_not_reported() -> None:
    kafka = booted("2.3", cleanup_policy="compact", delete_retention_ms="0")
    store(kafka, *DECIDED, batch(6))
    before = contents_of(kafka)
    for _ in range(3):
        kafka.send("t", b"1", b"k")
        kafka.compact("t", roll=True)
        assert isinstance(kafka.clock, ManualClock)
        kafka.clock.advance(86_400_000)
    after = contents_of(kafka)
    assert after.control_batches < before.control_batches
    assert changes(before, after) == []


def test_a_partition_without_a_leader_is_not_compared() -> None:
    before = contents(*DECIDED)
    headless = before._replace(partitions={("t", 0): before.partitions["t", 0]._replace(decided=None)})
    assert changes(before, headless) == changes(headless, before) == []
