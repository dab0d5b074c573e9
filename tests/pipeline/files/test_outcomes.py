"""Records of aborted transactions are never handed out, whatever has become of the transaction indexes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fakekafka.log import names
from fakekafka_spark import columns
from fakekafka_spark.files.outcomes import UNDECIDED
from fakekafka_spark.views import CORRUPT
from fakekafka_spark.wanted import DamagedLog

from tests.pipeline.logs import recorded
from tests.pipeline.transactions import RELEASES, write_transactions

DAMAGE: dict[str, Callable[[Path], object]] = {
    "removed": Path.unlink,
    "emptied": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-3]),
    "zeros": lambda path: path.write_bytes(bytes(len(path.read_bytes()))),
    "ones": lambda path: path.write_bytes(b"\xff" * len(path.read_bytes())),
    "of another": lambda path: path.write_bytes(path.read_bytes().replace(b"\x02", b"\x01")),
}


def committed(path: Path, **how: Any) -> list[int]:
    table = columns.table(path, columns="offset", isolation="read_committed", **how)
    found: list[int] = table["offset"].to_pylist()
    return found


@pytest.mark.parametrize("release", RELEASES)
def test_committed_records_and_no_others_are_read(tmp_path: Path, release: str) -> None:
    expected = write_transactions(tmp_path / "tx-0", release)
    assert len(list((tmp_path / "tx-0").glob("*.txnindex"))) > 3
    assert committed(tmp_path) == expected
    assert committed(tmp_path, options={"splitBytes": "200"}) == expected


@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("release", RELEASES)
def test_no_damage_of_a_transaction_index_changes_a_row(tmp_path: Path, release: str, damage: str) -> None:
    """Each index is damaged alone, then all of them."""
    expected = write_transactions(tmp_path / "tx-0", release)
    for path in (tmp_path / "tx-0").glob(f"*{names.TXN_INDEX}"):
        kept = path.read_bytes()
        DAMAGE[damage](path)
        assert committed(tmp_path) == expected
        path.write_bytes(kept)
    for path in (tmp_path / "tx-0").glob(f"*{names.TXN_INDEX}"):
        DAMAGE[damage](path)
    assert committed(tmp_path) == expected


def test_logs_of_a_real_broker_need_no_transaction_index(tmp_path: Path) -> None:
    recorded("3.9.1", tmp_path)
    expected = committed(tmp_path / "tx-0")
    assert 0 < len(expected) < columns.table(tmp_path / "tx-0").num_rows
    for path in tmp_path.rglob(f"*{names.TXN_INDEX}"):
        path.unlink()
    assert committed(tmp_path / "tx-0") == expected


def without_a_segment(folder: Path, number: int) -> None:
    log = sorted(folder.glob("*.log"))[number]
    for path in folder.glob(f"{log.stem}.*"):
        path.unlink()


def test_what_cannot_be_known_is_refused(tmp_path: Path) -> None:
    """The segment with the marker is gone, and the next marker of the same producer belongs to another transaction."""
    expected = write_transactions(tmp_path / "tx-0")
    without_a_segment(tmp_path / "tx-0", 1)
    with pytest.raises(DamagedLog, match="whether its transaction was committed cannot be known"):
        committed(tmp_path)
    kept = committed(tmp_path, mode="DROPMALFORMED")
    assert set(kept) < set(expected)
    rows = columns.table(tmp_path, mode="PERMISSIVE", isolation="read_committed").to_pylist()
    marked = [row["offset"] for row in rows if row[CORRUPT] == UNDECIDED]
    assert marked
    assert [row["offset"] for row in rows if not row[CORRUPT]] == kept


def test_where_the_marker_is_gone_the_transaction_index_still_shows_what_was_aborted(tmp_path: Path) -> None:
    write_transactions(tmp_path / "tx-0", rounds=1, open_at_end=False)
    _, second, _ = sorted((tmp_path / "tx-0").glob("*.log"))
    damaged = bytearray(second.read_bytes())
    damaged[-1] ^= 1  # the plain record at the end: there might have been a marker
    second.write_bytes(damaged)
    read = columns.table(tmp_path, mode="DROPMALFORMED", isolation="read_committed")["offset"].to_pylist()
    assert read == [0, 1, 2, 7, 8, 9]


def test_a_gap_that_the_cleaner_has_left_is_not_damage(tmp_path: Path) -> None:
    write_transactions(tmp_path / "tx-0", rounds=2, open_at_end=False)
    without_a_segment(tmp_path / "tx-0", 1)
    (tmp_path / names.CLEANER_OFFSETS).write_text("0\n1\ntx 0 1000\n", "utf-8")
    assert committed(tmp_path)


def test_markers_of_aborted_transactions_are_among_the_control_records(tmp_path: Path) -> None:
    write_transactions(tmp_path / "tx-0", rounds=2, open_at_end=False)
    options = {"control": "true"}
    table = columns.table(tmp_path, columns="offset,is_control", isolation="read_committed", options=options)
    every = columns.table(tmp_path, columns="offset,is_control", options=options)
    assert sum(table["is_control"].to_pylist()) == sum(every["is_control"].to_pylist()) == 6
