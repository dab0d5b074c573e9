import pytest
from fakekafka.coordinators.groups.offsets.atomic.entries import (
    Entry,
    Value,
    key_of,
    offset_key_of,
    read_value,
    value_bytes,
)
from fakekafka.coordinators.groups.offsets.atomic.reading import CommitReader
from fakekafka.errors import MalformedBytes
from hypothesis import given
from hypothesis import strategies as st

NAMES = st.text("ab-é", min_size=1)


@pytest.mark.statement("S4-28")
def test_a_key_is_its_three_names_joined_by_hyphens() -> None:
    assert key_of("billing", "orders", 3) == "billing-orders-3"
    assert offset_key_of("billing-orders-3", ["orders"]) == ("billing", "orders", 3)
    assert offset_key_of("billing-orders-3", []) == ("billing", "orders", 3)


@given(NAMES, NAMES, st.integers(0, 2**31 - 1))
def test_a_key_is_read_back_if_one_topic_fits(group: str, topic: str, partition: int) -> None:
    assert offset_key_of(key_of(group, topic, partition), [topic]) == (group, topic, partition)


@pytest.mark.statement("S4-28")
def test_two_offsets_may_have_one_key() -> None:
    """Why Kafka's keys are binary, with lengths."""
    assert key_of("a", "b-c", 0) == key_of("a-b", "c", 0)
    assert offset_key_of("a-b-c-0", ["c", "b-c"]) == ("a", "b-c", 0)


@pytest.mark.parametrize("key", ["", "a", "a-b", "-0", "a-b-x", "a-b-2147483648", "a-b-" + "1" * 5000])
def test_bytes_that_are_not_a_key_are_malformed(key: str) -> None:
    with pytest.raises(MalformedBytes) as failure:
        offset_key_of(key, [])
    assert len(str(failure.value)) < 200


@pytest.mark.statement("S4-29")
def test_a_value_has_an_offset_an_id_and_a_size() -> None:
    data = bytes.fromhex("0000000000000007 0000000000000003 00000002 6d".replace(" ", ""))
    assert value_bytes(Value(7, 3, 2, "m")) == data
    assert read_value(data) == Value(7, 3, 2, "m")


@given(st.binary(max_size=40))
def test_any_bytes_are_a_value_or_malformed(data: bytes) -> None:
    try:
        value = read_value(data)
    except MalformedBytes:
        return
    assert value_bytes(value) == data


def log(*messages: tuple[int, int, int]) -> list[Entry]:
    """Messages: offset, the commit's id, the commit's size."""
    return [Entry(at, f"g-t-{at}", Value(at, transaction, size, ""), 0) for at, transaction, size in messages]


def whole(entries: list[Entry], end: int, start: int = 0) -> list[bool]:
    reader = CommitReader(start)
    found = [commit for entry in entries for commit in reader.take(entry)]
    return [commit.is_whole for commit in (*found, *reader.close(end))]


@pytest.mark.statement("S4-31")
@pytest.mark.statement("S4-35")
def test_a_commit_with_too_few_successive_messages_is_not_whole() -> None:
    assert whole(log((0, 1, 2), (1, 1, 2), (2, 2, 2)), 3) == [True, False]
    assert whole(log((0, 1, 2), (1, 2, 1)), 2) == [False, True]
    assert whole(log((5, 1, 1)), 6, start=5) == [True]


def test_a_commit_ends_with_its_last_message_and_not_with_the_next_commit() -> None:
    reader = CommitReader(0)
    first, second = log((0, 1, 2), (1, 1, 2))
    assert reader.take(first) == []
    assert [commit.entries for commit in reader.take(second)] == [[first, second]]
    assert reader.close(2) == []


def test_messages_that_the_cleaner_took_are_not_missed() -> None:
    assert whole(log((1, 1, 2), (3, 2, 2)), 4) == [True, True]
    assert whole(log((0, 1, 3), (3, 2, 1)), 4) == [True, True]


def test_a_tombstone_is_a_whole_commit_by_itself() -> None:
    entries = [Entry(0, "g-t-0", None, 0), Entry(1, "g-t-1", Value(1, 1, 2, ""), 0)]
    assert whole(entries, 2) == [True, False]
