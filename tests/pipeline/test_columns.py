"""The reader without Spark: what is read, what is left out, and how damage is reported."""

from pathlib import Path
from typing import Any

import pytest
from fakekafka import FakeKafka
from fakekafka.errors import UsageError
from fakekafka.records import v0, v1, v2
from fakekafka_spark import columns
from fakekafka_spark.views import CORRUPT, VIEWS
from fakekafka_spark.wanted import DamagedLog
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.pipeline.logs import batches, records, write_index, write_segment


def offsets(path: Path, **how: Any) -> list[int]:
    found: list[int] = columns.table(path, columns="offset", **how)["offset"].to_pylist()
    return found


def broken(unit: bytes, at: int = -5) -> bytes:
    changed = bytearray(unit)
    changed[at] ^= 1
    return bytes(changed)


def test_a_records_row_says_where_it_comes_from(tmp_path: Path) -> None:
    rows = [row._replace(headers=(("h", b"x"), ("h", None))) for row in records(2, start=7)]
    write_segment(tmp_path / "t-3", [v2.build(rows, codec=1, leader_epoch=5)], base=7)
    assert columns.table(tmp_path, columns="all").slice(1).to_pylist() == [
        {
            "key": b"k1", "value": b"v8" * 5, "topic": "t", "partition": 3, "offset": 8,
            "timestamp": columns.table(tmp_path)["timestamp"][1].as_py(), "timestampType": 0,
            "headers": [{"key": "h", "value": b"x"}, {"key": "h", "value": None}],
            "timestamp_ms": 1_600_000_008_000, "sequence": -1, "magic": 2, "codec": "gzip", "leader_epoch": 5,
            "producer_id": -1, "producer_epoch": -1, "base_sequence": -1, "is_transactional": False,
            "is_control": False, "segment": 7, "position": 0, "base_offset": 7, CORRUPT: None,
        }
    ]  # fmt: skip


@given(
    st.lists(st.integers(1, 12), min_size=1, max_size=8), st.integers(0, 2), st.sampled_from([0, 1]),
    st.integers(0, 60), st.integers(0, 60), st.integers(1, 3), st.integers(1, 2000),
)  # fmt: skip
@settings(deadline=None)
def test_bounds_are_exact_however_the_log_is_split(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], magic: int, codec: int, low: int, high: int,
    every: int, split_bytes: int,
) -> None:  # fmt: skip
    """Bounds are exact with an index, without one, and with splits as small as a unit."""
    folder, units, at = tmp_path_factory.mktemp("log") / "t-0", [], 0
    build = (v0.build, v1.build, v2.build)[magic]
    for size in sizes:
        units.append(build(records(size, at), codec=codec))
        at += size
    write_segment(folder, units)
    expected = [offset for offset in range(at) if low <= offset < high]
    assert offsets(folder, offsets=(low, high)) == expected
    if codec or magic == 2:
        write_index(folder, units, every)
        for use_index in ("true", "false"):
            how = {"splitBytes": str(split_bytes), "useIndex": use_index}
            assert offsets(folder, offsets=(low, high), options=how) == expected
    assert offsets(folder, options={"startingOffsets": str(low), "endingOffsets": str(high)}) == expected


def test_topics_and_partitions_may_be_chosen(tmp_path: Path) -> None:
    for name in ("a-0", "a-1", "b-0"):
        write_segment(tmp_path / name, batches(1, each=2))
    assert columns.table(tmp_path, topics=["a"], partitions=[1])["partition"].to_pylist() == [1, 1]
    assert columns.table(tmp_path, options={"topic": "b,  b"})["topic"].to_pylist() == ["b", "b"]


def test_a_preallocated_file_ends_at_its_zeros(tmp_path: Path) -> None:
    units = batches(3)
    write_segment(tmp_path / "t-0", units, tail=b"\0" * 5000)
    write_index(tmp_path / "t-0", units, padding=8000)
    assert offsets(tmp_path) == list(range(30))
    assert columns.table(tmp_path, "index").num_rows == 2


@pytest.mark.parametrize("cut", [1, 11, 12, 40, 100])
def test_a_torn_tail_of_the_newest_segment_is_not_damage(tmp_path: Path, cut: int) -> None:
    write_segment(tmp_path / "t-0", batches(2), tail=batches(1, start=20)[0][:cut])
    assert offsets(tmp_path) == list(range(20))


def test_a_torn_older_segment_is_damage(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(2), tail=batches(1, start=20)[0][:40])
    write_segment(tmp_path / "t-0", batches(1, start=30), base=30)
    with pytest.raises(DamagedLog, match=r"t-0/0{20}\.log: the unit at \d+ has \d+ bytes, of which 40 are there"):
        offsets(tmp_path)
    assert offsets(tmp_path, mode="dropmalformed") == [*range(20), *range(30, 40)]


def test_reading_continues_after_damage_at_the_next_index_entry(tmp_path: Path) -> None:
    units = batches(4)
    write_index(tmp_path / "t-0", units)
    write_segment(tmp_path / "t-0", [units[0], b"\xff" * len(units[1]), *units[2:]])
    assert offsets(tmp_path, mode="DROPMALFORMED") == [*range(10), *range(20, 40)]
    rows = columns.table(tmp_path, "batches").to_pylist()
    assert [row["base_offset"] for row in rows] == [0, None, 20, 30]
    assert "bytes are left out" in rows[1][CORRUPT]


def test_a_wrong_checksum_is_reported_with_every_record_of_the_unit(tmp_path: Path) -> None:
    units = batches(3)
    write_segment(tmp_path / "t-0", [units[0], broken(units[1]), units[2]])
    with pytest.raises(DamagedLog, match="the checksum is wrong"):
        offsets(tmp_path)
    rows = columns.table(tmp_path, mode="PERMISSIVE").to_pylist()
    assert [row["offset"] for row in rows if row[CORRUPT]] == list(range(10, 20))
    assert columns.table(tmp_path, "batches")["crc_ok"].to_pylist() == [True, False, True]
    assert offsets(tmp_path, options={"checkCrcs": "false"}) == list(range(30))


def test_a_unit_that_cannot_be_read_to_its_end_is_one_more_row(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", [broken(batches(1)[0], v2.HEADER_BYTES)])
    last = columns.table(tmp_path, mode="PERMISSIVE").to_pylist()[-1]
    assert last["value"] is None
    assert "checksum" in last[CORRUPT]


def test_an_unknown_format_is_reported(tmp_path: Path) -> None:
    unit = bytearray(batches(1)[0])
    unit[16] = 3
    write_segment(tmp_path / "t-0", [bytes(unit)])
    assert "magic 3" in columns.table(tmp_path, "batches")[CORRUPT][0].as_py()
    with pytest.raises(DamagedLog, match="magic 3"):
        offsets(tmp_path)


def test_a_segment_may_have_all_three_formats(tmp_path: Path) -> None:
    units = [
        v0.build(records(3)),
        v1.build(records(3, 3), codec=2),
        *batches(1, start=6),
        v0.build(records(2, 16), codec=1),
    ]
    write_segment(tmp_path / "t-0", units)
    assert offsets(tmp_path) == list(range(18))
    assert columns.table(tmp_path, "batches")["magic"].to_pylist() == [0, 0, 0, 1, 2, 0]


def test_a_batch_larger_than_a_chunk_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fakekafka_spark.parse.chunks.chunks.__defaults__", (100,))
    write_segment(tmp_path / "t-0", batches(5))
    assert offsets(tmp_path) == list(range(50))


def test_records_below_the_log_start_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(2))
    (tmp_path / "log-start-offset-checkpoint").write_text("0\n1\nt 0 7\n", "utf-8")
    assert offsets(tmp_path) == list(range(7, 20))
    assert offsets(tmp_path, options={"deleted": "true"}) == list(range(20))


def test_a_lower_bound_of_timestamps_leaves_out_older_units(tmp_path: Path) -> None:
    """Units are left out only if all of their records are older."""
    write_segment(tmp_path / "t-0", batches(5))
    assert offsets(tmp_path, options={"startingTimestamp": str(1_600_000_000_000 + 25_000)}) == list(range(20, 50))


def test_the_emulators_directory_is_read_while_it_is_written(tmp_path: Path) -> None:
    with FakeKafka("3.9", log_dir=tmp_path, topics={"orders": 1}) as kafka:
        for number in range(5):
            kafka.send("orders", b"%d" % number)
            found = columns.table(tmp_path, topics=["orders"])["value"].to_pylist()
            assert found == [b"%d" % n for n in range(number + 1)]


@pytest.mark.parametrize("view", VIEWS)
def test_an_empty_answer_has_the_columns_that_were_asked_for(tmp_path: Path, view: str) -> None:
    write_segment(tmp_path / "t-0", [])
    table = columns.table(tmp_path, view, columns=["topic", "offset"] if view != "batches" else ["topic", "size"])
    assert (table.num_rows, table.num_columns) == (0, 2)


def test_pandas_takes_the_table(tmp_path: Path) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    frame = columns.table(tmp_path).to_pandas()
    assert list(frame["offset"]) == list(range(10))
    assert str(frame["timestamp"].dtype) == "datetime64[us, UTC]"


@pytest.mark.parametrize(
    ("how", "match"),
    [
        ({"view": "rows"}, "there is no view 'rows'"),
        ({"columns": "offset,price"}, "no column 'price'"),
        ({"mode": "LENIENT"}, "no mode 'LENIENT'"),
        ({"mode": "PERMISSIVE", "columns": "offset"}, "needs the column _corrupt_record"),
        ({"isolation": "snapshot"}, "isolation is one of"),
        ({"options": {"splitBytes": "many"}}, "splitBytes is a number above 0"),
        ({"options": {"startingOffsets": "soon"}}, "startingOffsets is earliest, latest"),
        ({"options": {"control": "perhaps"}}, "control is true or false"),
        ({"options": {"partition": "x"}}, "partition is a number"),
    ],
)
def test_a_wrong_call_is_refused_with_the_possible_values(tmp_path: Path, how: dict[str, Any], match: str) -> None:
    write_segment(tmp_path / "t-0", batches(1))
    with pytest.raises(UsageError, match=match):
        columns.table(tmp_path, **how)
