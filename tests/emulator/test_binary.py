"""Varints and checksums against published vectors and against each other."""

import subprocess
import sys
import zlib
from collections.abc import Callable
from types import ModuleType
from unittest.mock import Mock

import pytest
from fakekafka import binary
from fakekafka.errors import MalformedBytes
from hypothesis import given
from hypothesis import strategies as st

ZIGZAG = [
    (0, "00"),
    (-1, "01"),
    (1, "02"),
    (63, "7e"),
    (-64, "7f"),
    (64, "8001"),
    (-65, "8101"),
    (8191, "fe7f"),
    (8192, "808001"),
    (2147483647, "feffffff0f"),
    (-2147483648, "ffffffff0f"),
]
Read = Callable[[bytes, int], tuple[int, int]]
UNSIGNED = [(0, "00"), (127, "7f"), (128, "8001"), (300, "ac02"), (2**32 - 1, "ffffffff0f")]


def signed(read: tuple[int, int]) -> tuple[int, int]:
    """Undo the zigzag."""
    value, at = read
    return (value >> 1) ^ -(value & 1), at


@pytest.mark.parametrize(("value", "encoded"), ZIGZAG)
def test_varint_vectors(value: int, encoded: str) -> None:
    assert binary.varint(value).hex() == encoded
    assert signed(binary.read_uvarint(bytes.fromhex(encoded), 0)) == (value, len(encoded) // 2)
    assert binary.varlong(value).hex() == encoded


def test_varlong_vector_of_six_bytes() -> None:
    assert binary.varlong(1500000000000).hex() == "80e0bcefa757"


@pytest.mark.parametrize(("value", "encoded"), UNSIGNED)
def test_unsigned_varint_vectors(value: int, encoded: str) -> None:
    assert binary.uvarint(value).hex() == encoded
    assert binary.read_uvarint(bytes.fromhex(encoded), 0) == (value, len(encoded) // 2)


@given(st.integers(-(2**31), 2**31 - 1), st.binary(max_size=3), st.binary(max_size=3))
def test_varints_round_trip_anywhere(value: int, before: bytes, after: bytes) -> None:
    data = before + binary.varint(value) + after
    assert signed(binary.read_uvarint(data, len(before))) == (value, len(data) - len(after))


@given(st.integers(-(2**63), 2**63 - 1))
def test_varlongs_round_trip(value: int) -> None:
    data = binary.varlong(value)
    assert signed(binary.read_uvarlong(data, 0)) == (value, len(data))
    assert len(data) <= binary.MAX_VARLONG_BYTES


@given(st.integers(0, 2**64 - 1))
def test_unsigned_varlongs_are_zigzag_ones_without_the_zigzag(value: int) -> None:
    data = binary.varlong(value >> 1 ^ -(value & 1))
    assert binary.read_uvarlong(data, 0) == (value, len(data))


def test_bits_above_the_width_are_dropped_as_java_drops_them() -> None:
    assert binary.read_uvarint(bytes.fromhex("8080808070"), 0) == (0, 5)


@pytest.mark.parametrize("read", [binary.read_uvarint, binary.read_uvarlong])
def test_a_varint_that_does_not_end_is_malformed(read: Read) -> None:
    with pytest.raises(MalformedBytes):
        read(b"\xff" * 12, 0)


@pytest.mark.parametrize("read", [binary.read_uvarint, binary.read_uvarlong])
def test_a_varint_that_is_cut_raises_index_error(read: Read) -> None:
    with pytest.raises(IndexError):
        read(b"\x80\x80", 0)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_checksums_of_the_check_string(kind: type) -> None:
    assert binary.crc32(kind(b"123456789")) == 0xCBF43926
    assert binary.crc32c(kind(b"123456789")) == 0xE3069283
    assert binary.xxh32(kind(b"123456789")) == 0x937BAD67


@given(st.binary(max_size=400))
def test_the_crc_of_messages_is_that_of_zlib_whoever_calculates_it(data: bytes) -> None:
    for kind in (bytes, bytearray, memoryview):
        assert binary.crc32(kind(data)) == zlib.crc32(data)


@pytest.mark.parametrize("is_there", [True, False])
def test_isal_calculates_it_where_it_is_installed(is_there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    isal_zlib = ModuleType("isal.isal_zlib")
    isal_zlib.crc32 = lambda data: 42  # type: ignore[attr-defined]
    package = ModuleType("isal")
    package.isal_zlib = isal_zlib  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "isal", package if is_there else None)
    function = binary.crc32_function.__wrapped__()
    assert function(b"123456789") == (42 if is_there else 0xCBF43926)


def test_no_crc_is_loaded_before_it_is_needed() -> None:
    code = (
        "import sys; before = set(sys.modules); import fakekafka.binary;"
        "assert not {'isal', 'zlib'} & (sys.modules.keys() - before)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_crc32c_is_taken_from_the_package_where_its_extension_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """So it is in bundles, whose modules no path leads to."""
    extension = binary._crc32c_function.__wrapped__()
    monkeypatch.setattr("fakekafka.binary.PathFinder", Mock(find_spec=lambda *_: None))
    package = binary._crc32c_function.__wrapped__()
    assert package is not extension
    for start in (0, 0xE3069283):
        assert package(b"123456789", start) == extension(b"123456789", start)


def test_a_checksum_does_not_import_the_package_around_its_extension() -> None:
    code = (
        "import sys; from fakekafka.binary import crc32c; assert crc32c(b'123456789') == 0xE3069283;"
        "assert not {'crc32c', 'importlib.metadata'} & sys.modules.keys()"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_xxh32_vectors() -> None:
    assert binary.xxh32(b"") == 0x02CC5D05
    assert binary.xxh32(b"Nobody inspects the spammish repetition") == 0xE2293B2F


@given(st.binary(max_size=200))
def test_xxh32_is_the_content_checksum_of_lz4_frames(data: bytes) -> None:
    from lz4 import frame

    written: bytes = frame.compress(data, content_checksum=True)
    assert int.from_bytes(written[-4:], "little") == binary.xxh32(data)
