import sys
from pathlib import Path

import pytest
from fakekafka_spark import observations
from fakekafka_spark.observations import Cell, Observation, hash_of, hash_of_headers, stem_of, write
from pyarrow import parquet

CELL = Cell.of("kp147", "0.10.2", "0.9.0", "", "gzip", "group")
ROWS = [Observation("cell", value="ran", amount=1), Observation("produced", uid=3, want="once", key_hash=hash_of(None))]


def test_hashes_distinguish_null_from_empty() -> None:
    hashes = {hash_of(None), hash_of(b""), hash_of(b"\0"), hash_of(b"a")}
    assert len(hashes) == 4
    assert hash_of(None) == observations.NULL_HASH == hash_of_headers(())
    assert all(-(2**63) <= one < 2**63 for one in hashes)


def test_hashes_of_headers_depend_on_order_and_boundaries() -> None:
    some: list[list[tuple[str, bytes | None]]] = [
        [("a", b"b")],
        [("ab", b"")],
        [("a", None)],
        [("a", b"")],
        [("a", b"b"), ("c", b"d")],
        [("c", b"d"), ("a", b"b")],
    ]
    assert len({hash_of_headers(headers) for headers in some}) == len(some)


def test_a_file_holds_the_cell_in_every_row(tmp_path: Path) -> None:
    path = write(tmp_path, CELL, ROWS)
    assert [file.name for file in tmp_path.iterdir()] == [path.name] == ["kp147--0.10.2--0.9.0-----gzip--group.parquet"]
    table = parquet.read_table(path)
    assert table.schema.equals(observations.arrow_schema())
    assert table["cell"].to_pylist() == [CELL.cell] * 2
    assert table["uid"].to_pylist() == [None, 3]


def test_the_name_of_a_file_is_one_that_spark_can_read() -> None:
    cell = Cell.of("kp147", "2.3", "0.9.0", "0.10.2 -> 2.3: new code", "none", "written by ck/1")
    assert stem_of(cell) == "kp147--2.3--0.9.0--0.10.2_-_2.3_new_code--none--written_by_ck--1"


def test_without_pyarrow_there_are_json_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    path = write(tmp_path, CELL, ROWS)
    assert path.suffix == ".jsonl"
    assert len(path.read_text("utf-8").splitlines()) == 2


def test_a_failure_leaves_no_file_that_looks_complete(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="many"):
        write(tmp_path, CELL, [ROWS[0]._replace(amount="many")])  # type: ignore[arg-type]
    assert not list(tmp_path.glob("kp*"))
