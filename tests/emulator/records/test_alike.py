"""Runs of records that are alike: a check gives the same result with and without them, and their ends are exact."""

import pytest
from fakekafka.records import hot
from fakekafka.records.alike import FEWEST, Run, following
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st


def data_of(rows: list[Record]) -> bytes:
    return hot.write_records(rows, 0, 0)[0]


def rows_of(count: int, step_ms: int = 1, value: bytes | None = b"value", key: bytes | None = None) -> list[Record]:
    return [Record(n, n * step_ms, 0, key, value) for n in range(count)]


def checked(data: bytes, count: int, walking: bool) -> hot.Summary | str:
    """The result of a check, or its error. `walking`: outlines are wanted, so no record may be left out."""
    try:
        return hot.check_records(data, count, True, [] if walking else None)[0]
    except InvalidRecord as wrong:
        return f"{type(wrong).__name__}: {wrong}"


@st.composite
def runs(draw: st.DrawFn) -> list[Record]:
    """Several runs, each of records that are alike."""
    rows: list[Record] = []
    timestamp = 0
    for _ in range(draw(st.integers(1, 4))):
        length = draw(st.integers(1, 90))
        key = draw(st.sampled_from([None, b"", b"key", bytes(70), bytes(9000)]))
        value = draw(st.sampled_from([None, b"", b"value", bytes(100)]))
        headers = draw(st.sampled_from([(), (), (("h", b"\0"),)]))
        step = draw(st.sampled_from([0, 0, 1, 7, 100, 1_000_000, -1, 1 << 40]))
        for _ in range(length):
            rows.append(Record(len(rows), timestamp, 0, key, value, headers))
            timestamp += step
    return rows


@given(runs(), st.integers(1, 2))
def test_a_check_gives_the_same_result_as_when_it_walks(rows: list[Record], stride: int) -> None:
    rows = [row._replace(offset=row.offset * stride) for row in rows]
    data = data_of(rows)
    assert checked(data, len(rows), walking=False) == checked(data, len(rows), walking=True)


@given(st.data(), st.integers(20, 150), st.sampled_from([0, 1, 50]))
def test_a_check_of_damaged_bytes_fails_as_when_it_walks(draw: st.DataObject, count: int, step_ms: int) -> None:
    data = bytearray(data_of(rows_of(count, step_ms)))
    for _ in range(draw.draw(st.integers(1, 3))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    cut = bytes(data[: draw.draw(st.integers(len(data) - 30, len(data)))])
    assert checked(cut, count, walking=False) == checked(cut, count, walking=True)


@pytest.mark.parametrize("count", [20, 64, 65, 200, 8192, 8193, 10_000, 16_384, 20_000])
def test_long_batches_are_checked_to_the_end(count: int) -> None:
    data = data_of(rows_of(count))
    assert checked(data, count, walking=False) == hot.Summary(True, count, 0, count - 1, count - 1)
    assert checked(data[:-1], count, walking=False) == checked(data[:-1], count, walking=True)


def first(rows: list[Record]) -> tuple[bytes, int]:
    """The records' bytes, and where the first one ends."""
    return data_of(rows), len(data_of(rows[:1]))


def test_a_run_is_all_that_follow_while_the_offset_has_one_byte() -> None:
    data, end = first(rows_of(100, step_ms=0))
    assert following(data, 0, end, 1, 100) == Run(63, 0, 0, 0)


def test_a_run_knows_the_first_of_the_largest_timestamps() -> None:
    rows = [row._replace(timestamp=[5, 9, 7, 9][n % 4]) for n, row in enumerate(rows_of(40))]
    data, end = first(rows)
    assert following(data, 0, end, 1, 40) == Run(39, 5, 9, 0)


@pytest.mark.parametrize(
    "changed",
    [{"value": b"valuable"}, {"key": b""}, {"headers": (("h", b""),)}, {"timestamp": -1}, {"timestamp": 64}],
)
def test_a_run_ends_before_the_record_that_is_not_alike(changed: dict[str, object]) -> None:
    rows = rows_of(50, step_ms=0)
    rows[30] = rows[30]._replace(**changed)  # type: ignore[arg-type]
    data, end = first(rows)
    run = following(data, 0, end, 1, 50)
    assert run is not None
    assert run.length == 29


@pytest.mark.parametrize(
    "rows",
    [
        rows_of(FEWEST),
        [row._replace(headers=(("h", b""),)) for row in rows_of(50)],
        [row._replace(offset=2 * row.offset) for row in rows_of(30)],
        [row._replace(timestamp=1 << 30) for row in rows_of(50)],
        [row._replace(timestamp=-1) for row in rows_of(50)],
        [row._replace(timestamp=-100) for row in rows_of(50)],
        [*rows_of(10), *[row._replace(offset=row.offset + 10, value=b"v") for row in rows_of(40)]],
    ],
    ids=["too few", "headers", "gaps", "much later", "earlier", "much earlier", "others soon"],
)
def test_records_that_are_not_alike_are_left_to_the_caller(rows: list[Record]) -> None:
    data, end = first(rows)
    assert following(data, 0, end, 1, len(rows)) is None
