"""Signs in one unit of a log."""

from fakekafka.bugs.sets import GZIP, NOW, batch, compress, message, records, unit
from fakekafka.bugs.signs.units import (
    batches,
    has_headers,
    holes_in_wrapper,
    records_of,
    small_snappy_blocks,
    wrong_wrapper_time,
)
from fakekafka.records.compression import SNAPPY


def test_complete_units_are_read_up_to_the_first_that_is_invalid() -> None:
    assert [one.magic for one in batches(batch() + unit(1, records(1)) + b"\0" * 30)] == [2, 1]
    assert batches(b"short") == []


def test_an_unreadable_unit_counts_as_empty() -> None:
    (damaged,) = batches(message(1, 2, NOW, GZIP, None, b"no gzip"))
    assert records_of(damaged) == []
    assert len(records_of(batches(batch())[0])) == 3


def test_a_unit_has_headers_if_its_records_have() -> None:
    assert has_headers(batches(batch(records(header=True)))[0])
    assert not has_headers(batches(batch())[0])


def test_a_wrapper_has_the_time_of_its_newest_message() -> None:
    inside = compress(GZIP, unit(1, records()))
    (wrong,) = batches(message(1, 2, -1, GZIP, None, inside))
    (right,) = batches(message(1, 2, NOW + 2, GZIP, None, inside))
    assert wrong_wrapper_time(wrong) == f"the set that ends at offset 2 has timestamp -1, its newest {NOW + 2}"
    assert wrong_wrapper_time(right) is None
    assert wrong_wrapper_time(batches(batch())[0]) is None


def test_a_wrapper_with_missing_messages_has_holes() -> None:
    first, _, last = records()
    (holes,) = batches(message(1, 2, NOW + 2, GZIP, None, compress(GZIP, unit(1, [first, last]))))
    assert holes_in_wrapper(holes) == "the set that ends at offset 2 lacks some of its messages"
    assert holes_in_wrapper(batches(unit(1, records(), GZIP))[0]) is None


def test_snappy_blocks_of_usual_size_are_healthy() -> None:
    (usual,) = batches(unit(1, records(3, value=b"v" * 3000), SNAPPY))
    assert small_snappy_blocks(usual) is None
