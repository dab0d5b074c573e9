"""The bytes are those that brokers left in the recorded scenario "transactions"."""

from contextlib import suppress

import pytest
from fakekafka.coordinators.transactions.records import log_key, log_value, read_key, read_value
from fakekafka.coordinators.transactions.transaction import State, Transaction
from fakekafka.errors import MalformedBytes
from fakekafka.releases.behaviours.transactions import LoggedOrder
from hypothesis import given
from hypothesis import strategies as st

NOW = 1_600_000_000_000
EMPTY = Transaction("offsets-none", 29, 60_000, NOW, epoch=0)
OF_3_5 = bytes.fromhex("0000 000000000000001d 0000 0000ea60 00 ffffffff 00000174876e8000 ffffffffffffffff")
OPEN = Transaction(
    "ongoing", 39, 60_000, NOW, epoch=0, state=State.ONGOING, partitions=(("d", 0), ("t", 0)), started_at=NOW
)
OPEN_OF_3_5 = bytes.fromhex(
    "0000 0000000000000027 0000 0000ea60 01 00000002"
    " 0001 74 00000001 00000000"
    " 0001 64 00000001 00000000"
    " 00000174876e8000 00000174876e8000"
)


def value(
    transaction: Transaction, version: int = 0, *, with_ids: bool = False, order: LoggedOrder = "scala 2.13"
) -> bytes:
    return log_value(transaction, version, order=order, held=0, with_ids=with_ids)


def test_the_key_is_version_0_and_the_transactional_id() -> None:
    assert log_key("ongoing") == b"\0\0\0\7ongoing"
    assert read_key(log_key("ongoing")) == "ongoing"


def test_an_id_without_a_transaction_is_written_byte_by_byte() -> None:
    assert value(EMPTY) == OF_3_5


def test_an_open_transaction_has_its_topics_in_the_order_of_the_broker() -> None:
    assert value(OPEN) == OPEN_OF_3_5


def test_the_start_of_the_previous_transaction_is_not_written() -> None:
    assert value(EMPTY._replace(started_at=NOW)) == OF_3_5


def test_version_1_is_flexible_and_names_the_previous_producer_from_4_3_on() -> None:
    recorded = bytes.fromhex(
        "0001 0000000000000021 0000 0000ea60 01 02 13 5f5f636f6e73756d65725f6f666673657473 02 00000000 00"
        " 00000174876e8000 00000174876e8000 01 00 08 0000000000000021"
    )
    transaction = Transaction(
        "offsets3",
        33,
        60_000,
        NOW,
        epoch=0,
        state=State.ONGOING,
        partitions=(("__consumer_offsets", 0),),
        started_at=NOW,
        previous_producer_id=33,
    )
    assert value(transaction, 1, with_ids=True) == recorded
    assert read_value("offsets3", recorded, 1) == transaction
    assert value(transaction, 1) == recorded[:-11] + b"\0"


@pytest.mark.parametrize("data", [None, b"", b"\0", b"\0\0\0\5x"])
def test_an_invalid_key_is_malformed(data: bytes | None) -> None:
    with pytest.raises(MalformedBytes):
        read_key(data)


def test_a_key_of_a_newer_kind_is_ignored() -> None:
    assert read_key(b"\0\1whatever") is None


@pytest.mark.parametrize(
    "data",
    [b"", b"\0", b"\xff\xff" + OF_3_5[2:], b"\0\1" + OF_3_5[2:], OF_3_5[:20], OF_3_5[:16] + b"\x09" + OF_3_5[17:]],
)
def test_an_invalid_value_is_malformed(data: bytes) -> None:
    with pytest.raises(MalformedBytes):
        read_value("x", data, 0)


@given(st.binary(max_size=80), st.integers(0, 1))
def test_any_bytes_are_a_record_or_malformed(data: bytes, newest: int) -> None:
    with suppress(MalformedBytes):
        assert isinstance(read_key(data), str | None)
    with suppress(MalformedBytes):
        assert read_value("x", data, newest).id == "x"


transactions = st.builds(
    Transaction,
    id=st.text(min_size=1, max_size=20),
    producer_id=st.integers(0, 2**63 - 1),
    timeout_ms=st.integers(1, 2**31 - 1),
    updated_at=st.integers(0, 2**62),
    epoch=st.integers(0, 2**15 - 1),
    state=st.sampled_from(sorted(set(State) - {State.EMPTY})),
    partitions=st.lists(st.tuples(st.sampled_from(["a", "b", "t"]), st.integers(0, 50)), unique=True).map(tuple),
    started_at=st.integers(-1, 2**62),
    last_epoch=st.just(-1),
    previous_producer_id=st.integers(-1, 2**63 - 1),
    next_producer_id=st.integers(-1, 2**63 - 1),
    client_version=st.integers(0, 2),
)


@given(transactions, st.sampled_from(["scala 2.12", "scala 2.13", "scala 2.13 of java", "java"]), st.integers(0, 1))
def test_a_written_record_is_read_back(transaction: Transaction, order: LoggedOrder, version: int) -> None:
    found = read_value(transaction.id, value(transaction, version, order=order, with_ids=True), version)
    assert set(found.partitions) == set(transaction.partitions)
    expected = transaction._replace(partitions=found.partitions)
    if version == 0:
        expected = expected._replace(previous_producer_id=-1, next_producer_id=-1, client_version=0)
    assert found == expected
