"""Units that inflate to very much are read in bounded memory, or refused; `tox -e spark-bounds` shows it at full
size.
"""

import re
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Final

import pytest
from fakekafka.records import compression, hot, inflating, v0, v1, v2
from fakekafka.records.record import Record
from fakekafka_spark import columns
from fakekafka_spark.parse import format2, messages
from fakekafka_spark.views import CORRUPT
from fakekafka_spark.wanted import DamagedLog

from tests.benchmarks.spark_bounds import batch_of, wrapper_of
from tests.pipeline.logs import records, write_segment
from tests.pipeline.soundness.test_audit_equals_check import both
from tests.support.rows_without_spark import audit_rows

READS = """
import re, sys
from pathlib import Path
from fakekafka_spark import columns

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) // 1024

list(columns.read(sys.argv[1] + "/small", columns=sys.argv[2]))
before = peak()
print(sum(rows.num_rows for rows in columns.read(sys.argv[1] + "/large", columns=sys.argv[2])), peak() - before)
"""
LARGE = {"records": 2_000_000, "messages in a wrapper": 1_000_000}
"""14 MB and 26 MB of payload; with 100 bytes for each record it would be 200 and 100 MB."""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux")
@pytest.mark.parametrize("asked_for", ["offset", "key,value,offset"])
@pytest.mark.parametrize("what", LARGE)
def test_a_small_unit_of_very_many_records_takes_little_more_memory_than_its_payload(
    tmp_path: Path, what: str, asked_for: str
) -> None:
    unit = (batch_of if what == "records" else wrapper_of)(LARGE[what])
    assert len(unit) < 100_000
    write_segment(tmp_path / "large" / "t-0", [unit])
    write_segment(tmp_path / "small" / "t-0", [v2.build(records(10), codec=4)])
    run = subprocess.run(
        [sys.executable, "-c", READS, str(tmp_path), asked_for], capture_output=True, text=True, check=True
    )
    rows, more_mb = map(int, run.stdout.split())
    assert rows == LARGE[what]
    assert more_mb < 100


def _rows_read(path: Path) -> int:
    return sum(rows.num_rows for rows in columns.read(path, columns="offset"))


def _rows_audited(path: Path) -> int:
    return sum(row.contents.records for row in audit_rows(path))


READERS: Final[Mapping[str, Callable[[Path], int]]] = {"read": _rows_read, "audit": _rows_audited}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_of_several_large_payloads_only_one_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: Callable[[Path], object]
) -> None:
    size = 10 << 20
    monkeypatch.setattr(format2, "GROUP_BYTES", 1 << 20)
    units = [v2.build([Record(offset, 1000, 0, None, bytes(size))], codec=4) for offset in range(4)]
    write_segment(tmp_path / "t-0", units)
    read(tmp_path)  # which imports what it needs
    tracemalloc.start()
    try:
        read(tmp_path)
        assert size < tracemalloc.get_traced_memory()[1] < 1.8 * size
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(("magic", "codec"), [(2, 1), (2, 2), (2, 3), (2, 4), (1, 1), (1, 2), (0, 3)])
def test_of_a_large_payload_only_a_part_is_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, read: str, magic: int, codec: int
) -> None:
    """The payload has sixteen megabytes; the batch itself has less than one."""
    random = Random(7)
    each = [Record(offset, 1000, 0, None, random.randbytes(32) + bytes(8000)) for offset in range(2_000)]
    build = {0: v0.build, 1: v1.build, 2: v2.build}[magic]
    unit = build(each, codec=codec)
    monkeypatch.setattr(format2, "GROUP_BYTES", 1 << 18)
    monkeypatch.setattr(messages, "GROUP_RECORDS", 1 << 9)
    monkeypatch.setattr(format2, "SLICE_RECORDS", 1 << 8)
    monkeypatch.setattr(messages, "SLICE_RECORDS", 1 << 8)
    monkeypatch.setattr(inflating, "PART_BYTES", 1 << 18)
    write_segment(tmp_path / "t-0", [unit])
    READERS[read](tmp_path)  # which imports what it needs
    tracemalloc.start()
    try:
        rows = READERS[read](tmp_path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert rows == len(each)
    assert len(unit) < 1 << 20
    assert peak < 6 << 20


@pytest.mark.parametrize("codec", [1, 2, 3, 4])
def test_what_inflates_to_more_than_is_allowed_is_refused_with_file_and_position(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, codec: int
) -> None:
    first, second = (v2.build(records(each, start, size=400), codec=codec) for each, start in ((1, 0), (50, 1)))
    log = write_segment(tmp_path / "t-0", [first, second])
    monkeypatch.setattr(compression, "ALWAYS_ALLOWED", 5_000)
    monkeypatch.setattr(compression, "MOST_TIMES", 1)
    name = compression.CODEC_NAMES[codec]
    for asked_for in ("offset", "key,value"):
        with pytest.raises(DamagedLog, match=rf"{log}: the unit at {len(first)}: {name}: ") as refused:
            columns.table(tmp_path, columns=asked_for)
        assert len(str(refused.value).splitlines()) == 1
    sound, *damaged = columns.table(tmp_path, columns=f"offset,{CORRUPT}", mode="PERMISSIVE").to_pylist()
    assert (sound["offset"], sound[CORRUPT]) == (0, None)
    assert damaged
    assert all(re.match(f"{name}: .*(more than 5000 bytes|claim to become)", row[CORRUPT]) for row in damaged)
    assert both(tmp_path) == {"records"}


@pytest.mark.parametrize("sizes", [[1] * 9, [1, 500, 1, 1, 300], [500], [0, 0, 0, 0]])
def test_messages_of_any_size_are_found_part_by_part(monkeypatch: pytest.MonkeyPatch, sizes: list[int]) -> None:
    monkeypatch.setattr(messages, "SLICE_RECORDS", 3)
    data = hot.write_messages([Record(n, 0, 0, None, b"v" * size) for n, size in enumerate(sizes)], 1, 0, None)
    whole = list(hot.message_positions(data))
    for cut in (0, 1, 13, 30):
        part = data[: len(data) - cut]
        found = [start for starts in messages._starts(part) for start in starts.tolist()]
        assert found == list(hot.message_positions(part))
    assert [start for starts in messages._starts(data) for start in starts.tolist()] == whole
