"""Control records and markers."""

import pytest
from fakekafka.records import control, scan
from fakekafka.records.control import ControlType, Marker
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.record import Record

from tests.emulator.records.recorded import samples

COMMIT = bytes.fromhex(
    "0000000000000009 00000042 00000007 02 7398db14 0030 00000000 00000000000003e8 00000000000003e8"
    "0000000000000004 0002 ffffffff 00000001 20 00 00 00 08 00000001 0c 0000 00000003 00"
)


@pytest.mark.statement("S1-29")
@pytest.mark.statement("S1-31")
def test_the_commit_marker_vector() -> None:
    built = control.end_transaction(commit=True, producer_id=4, producer_epoch=2, coordinator_epoch=3, timestamp=1000,
                                    offset=9, leader_epoch=7)  # fmt: skip
    assert built == COMMIT
    assert len(built) == 78
    (batch,) = scan.batches(COMMIT)
    assert (batch.is_control, batch.is_transactional, batch.base_sequence) == (True, True, -1)
    (record,) = batch.records()
    assert control.marker(record) == Marker(commit=True, coordinator_epoch=3)


@pytest.mark.statement("S1-30")
@pytest.mark.parametrize(("commit", "kind"), [(False, 0), (True, 1)])
def test_abort_is_0_and_commit_is_1(commit: bool, kind: int) -> None:
    data = control.end_transaction(
        commit=commit, producer_id=4, producer_epoch=2, coordinator_epoch=-1, timestamp=1000, offset=5
    )
    ((record,),) = (batch.records() for batch in scan.batches(data))
    assert record.key == bytes([0, 0, 0, kind])
    assert control.marker(record) == Marker(commit, -1)


def test_recorded_markers_are_read() -> None:
    found = {}
    for sample in samples():
        for batch in scan.batches(sample.data):
            if batch.is_control:
                found[sample.what] = control.marker(next(batch.records()))
    assert found == {"commit marker": Marker(True, 0), "marker whose data went": Marker(False, 0)}


@pytest.mark.statement("S1-31")
@pytest.mark.parametrize("kind", range(7))
def test_control_types_are_told_apart(kind: int) -> None:
    key = kind.to_bytes(4, "big")
    assert control.control_type(key) == ControlType(kind)
    if kind > 1:
        assert control.marker(Record(0, 0, 0, key, b"")) is None


def test_a_newer_type_is_unknown_and_a_newer_version_is_read() -> None:
    for kind in (7, 300, -1 & 0xFFFF):
        assert control.control_type(b"\0\0" + kind.to_bytes(2, "big")) is ControlType.UNKNOWN
    assert control.control_type(bytes.fromhex("00090001ffff")) is ControlType.COMMIT
    assert control.marker(Record(0, 0, 0, b"\0\0\0\0", bytes.fromhex("000900000007ff"))) == Marker(False, 7)


@pytest.mark.parametrize("key", [None, b"", b"\0\0\0", b"\xff\xff\0\1"])
def test_a_short_key_or_a_negative_version_is_invalid(key: bytes | None) -> None:
    with pytest.raises(InvalidRecord):
        control.control_type(key)


@pytest.mark.parametrize("value", [None, b"", bytes(5), b"\xff\xff\0\0\0\0"])
def test_a_marker_needs_its_value(value: bytes | None) -> None:
    with pytest.raises(InvalidRecord):
        control.marker(Record(0, 0, 0, b"\0\0\0\1", value))
