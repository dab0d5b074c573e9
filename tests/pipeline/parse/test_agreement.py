"""The vectorised parsers agree with fakekafka's own reader on random, damaged and recorded units.

This is why there may be a second parser: it reads alike what it accepts, and leaves the rest to the first one.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from fakekafka.records import hot, v1, v2, wrapper
from fakekafka.records.record import Record
from fakekafka_spark import columns
from fakekafka_spark.parse import format2, lockstep, messages, slow, varints
from fakekafka_spark.parse.chunks import Chunk, Fault, Range, chunks, runs
from fakekafka_spark.parse.units import units_of
from fakekafka_spark.rows import record_view
from fakekafka_spark.views import CORRUPT, RECORDS
from fakekafka_spark.wanted import SegmentFile, Wanted
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.emulator.records import strategies as units
from tests.golden.transcript import releases_with_data
from tests.pipeline.logs import recorded, records
from tests.pipeline.plain import readable, rows_of

PLAIN = ("offset", "timestamp_ms", "timestampType", "key", "value", "headers", CORRUPT)


def pieces_of(data: bytes) -> list[Chunk | Fault]:
    part = Range(0, len(data), len(data), may_be_cut=False)
    return list(chunks(pa.BufferReader(data), part, lambda: np.empty(0, np.int64)))


def vectorised(data: bytes) -> list[tuple[int, list[Record], bool]]:
    """For each unit: its position, what the view `records` shows of it, and whether it reports a fault."""
    wanted = Wanted(RECORDS, (*PLAIN, "position"), "PERMISSIVE", check_crcs=False, control=True)
    found: list[tuple[int, list[Record], bool]] = []
    for piece in pieces_of(data):
        if isinstance(piece, Fault):
            continue
        for magic, chunk in runs(piece):
            for batch in record_view.batches(SegmentFile("t", 0, 0, "t-0/0.log"), units_of(chunk, magic), wanted):
                for row in batch.to_pylist():
                    if not found or found[-1][0] != row["position"]:
                        found.append((row["position"], [], False))
                    if row[CORRUPT] is not None:
                        found[-1] = (*found[-1][:2], True)
                    if row["timestampType"] is not None:
                        found[-1][1].append(_record(row))
    return found


def _record(row: dict[str, Any]) -> Record:
    headers = row["headers"] or []
    assert isinstance(headers, list)
    pairs = tuple((header["key"], header["value"]) for header in headers)
    offset, timestamp, kind, key, value = (
        row[name] for name in ("offset", "timestamp_ms", "timestampType", "key", "value")
    )
    return Record(offset, timestamp, kind, key, value, pairs)


def row_by_row(data: bytes) -> list[tuple[int, list[Record], bool]]:
    found = []
    for piece in pieces_of(data):
        if isinstance(piece, Chunk):
            for number, start in enumerate(piece.starts.tolist()):
                rows, fault = readable(piece.unit(number))
                if rows or fault:
                    found.append((start, [row._replace(sequence=-1) for row in rows], fault is not None))
    return found


@given(st.lists(units.units(), min_size=1, max_size=6))
@settings(deadline=None)
def test_sound_units_read_alike(some: list[bytes]) -> None:
    data = b"".join(some)
    assert vectorised(data) == row_by_row(data)


@given(st.lists(units.damaged() | units.units(), min_size=1, max_size=4))
@settings(max_examples=300, deadline=None)
def test_damaged_units_read_alike(some: list[bytes]) -> None:
    data = b"".join(some)
    assert vectorised(data) == row_by_row(data)


@pytest.mark.parametrize("few", [0, lockstep.FEW_BATCHES])
@given(units.records(magic=2), st.data())
@settings(deadline=None)
def test_any_change_of_a_batchs_payload_reads_alike(few: int, rows: list[Record], data: st.DataObject) -> None:
    """Changes lie only after the header, so that the parser of payloads gets all of them: its vector operations, and
    its loop.
    """
    unit = bytearray(v2.build(rows))
    for _ in range(data.draw(st.integers(1, 3))):
        unit[data.draw(st.integers(v2.HEADER_BYTES - 4, len(unit) - 1))] = data.draw(st.integers(0, 255))
    many = bytes(unit) + v2.build(records(3, start=2**41))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lockstep, "FEW_BATCHES", few)
        assert vectorised(many) == row_by_row(many)


@given(st.lists(st.integers(0, 2**36), min_size=1, max_size=40), st.integers(0, 6), st.sampled_from([5, 9]))
def test_varints_read_alike(numbers: list[int], cut: int, most: int) -> None:
    """Varints that end within the buffer are read alike, whatever stands beside them."""
    parts = [uvarint(number) for number in numbers]
    data = b"".join(parts)
    data = data[: len(data) - min(cut, len(data) - 1)]
    at = np.cumsum([0, *map(len, parts)])
    raw, behind, too_big = varints.read(np.frombuffer(data, np.uint8), at[:-1], most)
    for n, number in enumerate(numbers):
        if at[n + 1] <= len(data):
            assert (n in too_big) is (most == 5 and number >= 2**32)
            assert n in too_big or (raw[n], behind[n]) == (number, at[n + 1])


def uvarint(number: int) -> bytes:
    """A number as the bytes of a varint, without zigzag."""
    some = []
    while number > 127:
        some.append(number & 127 | 128)
        number >>= 7
    return bytes([*some, number])


def test_many_batches_are_read_in_lockstep_as_one_by_one() -> None:
    """There are enough batches for lockstep to pay, of very different lengths."""
    some, offset = [], 0
    for number in range(120):
        each = (number * 37) % 90 + 1
        rows = [row._replace(headers=(("h", b"x" * (row.offset % 300)),)) for row in records(each, offset)]
        some.append(v2.build(rows))
        offset += each
    data = b"".join(some)
    (piece,) = pieces_of(data)
    assert isinstance(piece, Chunk)
    batches = units_of(piece, 2)
    (group,) = format2.read(batches, np.zeros(batches.number, bool))
    assert not group.left.any()
    assert len(group.records.offsets) == offset
    assert vectorised(data) == row_by_row(data)


@pytest.mark.parametrize("at", [None, 0, 30, -2])
def test_a_batch_of_very_many_records_is_read_in_parts(monkeypatch: pytest.MonkeyPatch, at: int | None) -> None:
    """The slow reader reads it as a whole if anything in any part is odd."""
    for name in ("GROUP_RECORDS", "SLICE_RECORDS"):
        monkeypatch.setattr(format2, name, 7)
    unit = bytearray(v2.build(records(50)))
    if at is not None:
        unit[at if at < 0 else v2.HEADER_BYTES + at] ^= 1
    data = v2.build(records(3, 50)) + bytes(unit) + v2.build(records(40, 100), codec=4)
    assert vectorised(data) == row_by_row(data)
    (piece,) = pieces_of(data)
    assert isinstance(piece, Chunk)
    found = units_of(piece, 2)
    sizes = [len(group.records.offsets) for group in format2.read(found, np.zeros(found.number, bool))]
    assert max(sizes) <= 53


def test_plain_messages_and_wrappers_are_read_in_one_group() -> None:
    some = [v1.build(records(5)), v1.build(records(5, 5), codec=1), v1.build(records(5, 10), codec=3)]
    (piece,) = pieces_of(b"".join(some))
    assert isinstance(piece, Chunk)
    found = units_of(piece, 1)
    (group,) = messages.read(found, np.zeros(found.number, bool))
    assert not group.left.any()
    assert group.records.offsets.tolist() == list(range(15))


@pytest.mark.parametrize("release", releases_with_data())
def test_logs_of_real_brokers_read_as_by_fakekafkas_reader(release: str, tmp_path: Path) -> None:
    for partition in recorded(release, tmp_path):
        expected = rows_of(tmp_path / partition)
        options = {"control": "true", "deleted": "true"}
        table = columns.table(tmp_path / partition, columns="all", options=options)
        names = [*expected[0]] if expected else []
        assert table.select(names).to_pylist() == expected
        assert table[CORRUPT].null_count == table.num_rows


@pytest.mark.parametrize("release", releases_with_data())
def test_logs_of_real_brokers_hold_what_their_consumer_got(release: str, tmp_path: Path) -> None:
    """The consumer got control records, too, and stopped where a transaction was open."""
    partitions = recorded(release, tmp_path)
    got: dict[str, list[tuple[object, ...]]] = {name: [] for name in partitions}
    for row in columns.table(tmp_path, columns="all", options={"control": "true"}).to_pylist():
        if (name := f"{row['topic']}-{row['partition']}") in got:
            texts = (None if row[field] is None else row[field].hex() for field in ("key", "value"))
            timestamp = row["timestamp_ms"] if row["magic"] else None
            got[name].append((row["offset"], timestamp, *texts, row["magic"]))
    for name, partition in partitions.items():
        fields = ("offset", "timestamp", "key", "value", "magic")
        expected = [tuple(record[field] for field in fields) for record in partition["records"]]
        assert got[name][: len(expected)] == expected, name
        assert len(got[name]) == len(expected) or name == "tx-0"


@pytest.mark.parametrize("release", ["0.11.0.3", "1.1.1", "2.3.1", "2.8.2", "3.9.1", "4.3.1"])
def test_read_committed_leaves_out_what_real_brokers_list_as_aborted(release: str, tmp_path: Path) -> None:
    partition = recorded(release, tmp_path)["tx-0"]
    ((producer, first),) = partition["aborted"]
    marker = next(r["offset"] for r in partition["records"] if r["control"] and r["key"].endswith("00"))
    expected = [
        record["offset"]
        for record in partition["records"]
        if not record["control"] and not (record["producer_id"] == producer and first <= record["offset"] < marker)
    ]
    assert columns.table(tmp_path / "tx-0", isolation="read_committed")["offset"].to_pylist() == expected


@pytest.mark.parametrize("magic", [0, 1])
def test_a_large_wrapper_in_which_something_is_odd_is_left_whole(monkeypatch: pytest.MonkeyPatch, magic: int) -> None:
    for name in ("GROUP_RECORDS", "SLICE_RECORDS"):
        monkeypatch.setattr(messages, name, 3)
    sound = hot.write_messages(records(8), magic, 0, None)
    odd = sound + hot.message(1 - magic, 8, 5, 0, None, b"of another format")
    unit = wrapper.wrap(magic, 1, odd, offset=8, timestamp=5)
    (group,) = messages.read(units_of(chunk_of(unit), magic), np.zeros(1, bool))
    assert group.left.tolist() == [True]
    assert not len(group.records.offsets)


def test_more_headers_than_fit_into_memory_are_refused_with_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (lockstep, slow):
        monkeypatch.setattr(module, "MOST_HEADERS", 5)
    few, many = ([row._replace(headers=(("k", b"v"),) * count) for row in records(2)] for count in (2, 3))
    for rows, expected in ((few, None), (many, "6 headers are more than can be read")):
        found = units_of(chunk_of(v2.build(rows)), 2)
        (group,) = format2.read(found, np.zeros(1, bool))
        assert group.left.tolist() == [expected is not None]
        assert slow.read(found, 0)[1] == expected


def chunk_of(unit: bytes) -> Chunk:
    return Chunk(unit, 0, np.zeros(1, np.int64), np.array([len(unit)]))
