"""The bytes of producer snapshots."""

from pathlib import Path

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.log.producer_snapshot import SnapshotEntry, read_snapshot, snapshot_bytes
from hypothesis import given
from hypothesis import strategies as st

RECORDED = Path(__file__).parents[2] / "golden" / "log" / "many-producers-3.9.1.snapshot.hex"
LONGS, INTS, SHORTS = (st.integers(-(2**bits), 2**bits - 1) for bits in (63, 31, 15))
ENTRIES = st.lists(
    st.builds(SnapshotEntry, LONGS, SHORTS, INTS, LONGS, INTS, LONGS, INTS, LONGS),
    max_size=8,
    unique_by=lambda entry: entry.producer_id,
)


def test_an_empty_snapshot_is_a_version_a_checksum_and_a_zero() -> None:
    assert snapshot_bytes([]).hex() == "0001" + "48674bc7" + "00000000"


@given(ENTRIES)
def test_a_snapshot_is_read_as_it_was_written(entries: list[SnapshotEntry]) -> None:
    assert sorted(read_snapshot(snapshot_bytes(entries))) == sorted(entries)


def test_a_recorded_snapshot_is_written_as_it_was_read() -> None:
    """Recorded from 3.9.1: twenty producers."""
    data = bytes.fromhex(RECORDED.read_text("utf-8"))
    assert snapshot_bytes(read_snapshot(data)) == data


@given(ENTRIES, st.data())
def test_a_changed_byte_is_noticed(entries: list[SnapshotEntry], data: st.DataObject) -> None:
    broken = bytearray(snapshot_bytes(entries))
    broken[data.draw(st.integers(0, len(broken) - 1))] ^= data.draw(st.integers(1, 255))
    with pytest.raises(MalformedBytes):
        read_snapshot(broken)


@given(st.binary(max_size=70))
def test_any_bytes_are_a_snapshot_or_malformed(data: bytes) -> None:
    try:
        entries = read_snapshot(data)
    except MalformedBytes:
        return
    assert len(data) == 10 + 46 * len(entries)


def test_a_count_that_does_not_fit_the_length_is_malformed() -> None:
    from fakekafka.binary import crc32c

    counted = (2).to_bytes(4, "big") + bytes(46)
    with pytest.raises(MalformedBytes, match="2 entries"):
        read_snapshot(b"\x00\x01" + crc32c(counted).to_bytes(4, "big") + counted)
