import sys
from pathlib import Path
from typing import Any

import pytest
from fakekafka_compat.verdict import load, verdict
from fakekafka_spark import observations
from fakekafka_spark.observations import Cell, Observation, write

CELL = Cell.of("kp147", "0.10.2", "0.9.0", "", "none", "roundtrip")
RAN = Observation("cell", value="ran", amount=1)


def record(stage: observations.Stage, uid: int, **more: Any) -> Observation:
    row = Observation(stage, uid, topic="t", partition=0, offset=uid, key_hash=uid, value_hash=uid, headers_hash=0)
    own: dict[str, dict[str, Any]] = {
        "produced": {"want": "once"},
        "stored": {"magic": 2, "timestamp_type": 0},
        "consumed": {"reader": 0},
    }
    return row._replace(**{"timestamp": 1, **own[stage], **more})


def whole(uid: int) -> list[Observation]:
    return [record("produced", uid), record("stored", uid), record("consumed", uid)]


def reasons(*rows: Observation) -> list[str]:
    return verdict(CELL, [RAN, *rows]).reasons


def test_records_that_come_back_whole_are_as_with_the_real_broker() -> None:
    rows = [RAN, *whole(0), *whole(1), Observation("fact", name="version Fetch", value="2", expected="2")]
    assert verdict(CELL, rows) == (CELL, "as the real broker", [])


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (whole(0)[:2], "record 0 is not consumed"),
        ([*whole(1), record("produced", 0, offset=2), record("consumed", 0, offset=2)], "record 0 is not stored"),
        ([*whole(0), record("consumed", 0)], "record 0 is consumed 2 times"),
        ([*whole(0), record("stored", 7)], "a record that nobody produced is stored: 7"),
        ([record("produced", 0, want="never"), *whole(0)[1:]], "record 0 is consumed, and must never be"),
        ([*whole(1), *whole(0)], "record 0 comes after one with a higher offset"),
        ([*whole(0)[:2], record("consumed", 0, key_hash=9)], "record 0 has several keys"),
        ([record("produced", 0, timestamp=9), *whole(0)[1:]], "record 0 is stored with another timestamp"),
        ([*whole(0)[:2], record("consumed", 0, timestamp=9)], "record 0 is consumed with another timestamp"),
        ([record("produced", 0, offset=3), *whole(0)[1:]], "at several places: partitions [0], offsets [0, 3]"),
        ([*whole(0)[:2], record("consumed", 0, partition=1)], "at several places: partitions [0, 1], offsets [0]"),
        ([*whole(0)[:2], record("consumed", 0, headers_hash=9)], "record 0 is consumed with other headers"),
        ([*whole(0), Observation("fact", name="error", value="no", expected="")], "error: 'no', not ''"),
    ],
)
def test_each_difference_is_found(rows: list[Observation], reason: str) -> None:
    (found,) = reasons(*rows)
    assert reason in found


def test_fields_that_a_format_cannot_hold_are_not_compared() -> None:
    sent = record("produced", 0, timestamp=9, headers_hash=9)
    assert reasons(sent, record("stored", 0, magic=0, timestamp=-1), record("consumed", 0, timestamp=-1)) == []
    assert reasons(*whole(0)[:2], record("consumed", 0, magic=1, headers_hash=9)) == []


def test_aborted_records_may_be_stored() -> None:
    assert reasons(record("produced", 0, want="never"), record("stored", 0)) == []


def test_records_that_may_come_again_may_come_later() -> None:
    rows = [record("produced", uid, want="at least once") for uid in range(2)] + [*whole(0)[1:], *whole(1)[1:]]
    assert reasons(*rows, record("consumed", 0)) == []


def test_a_cell_that_did_not_run_says_why() -> None:
    skipped = verdict(CELL, [Observation("cell", value="skipped", text="there is no Python 3.7")])
    assert skipped[1:] == ("not runnable here", ["there is no Python 3.7"])
    assert verdict(CELL, [Observation("cell", value="failed", text="it hung")])[1:] == ("differs", ["it hung"])


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl"])
def test_a_file_is_read_as_it_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    rows = [RAN, *whole(0), Observation("fact", name="x", amount=1.5)]
    if suffix == ".jsonl":
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    else:
        pytest.importorskip("pyarrow")
    path = write(tmp_path, CELL, rows)
    assert path.suffix == suffix
    assert load(path) == (CELL, rows)
