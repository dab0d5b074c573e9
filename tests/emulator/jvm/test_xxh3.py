"""XXH3: one value for each of the ways in which it hashes inputs, by their length. From xxhash 3.5 (python-xxhash)."""

import pytest
from fakekafka.jvm.xxh3 import xxh3_64
from hypothesis import given
from hypothesis import strategies as st

DATA = bytes(n * 7 % 251 for n in range(5000))
KNOWN = {
    0: 0x2D06800538D394C2,
    1: 0xC44BDFF4074EECDB,
    3: 0xC3489259E968AD9E,
    4: 0xD3D60C1519014E89,
    8: 0xB88DEE77F6BF6980,
    9: 0x3688DCAD730D826,
    16: 0x9DA23836ADF2BE1E,
    17: 0xF34C3C9CF5A112D1,
    32: 0x99CB9AD0F1A11FBE,
    33: 0xC077B45492D29CDE,
    64: 0xFAECD52EFFBB854F,
    65: 0xFD2B8A4F15D954D0,
    96: 0x8F8A0C940D32E958,
    97: 0x92B3A831FEBF71AC,
    128: 0x4C659B745F435148,
    129: 0xB85222B83902B6E5,
    240: 0xD6DFBF67B0675B54,
    241: 0xC614C8C3575348C1,
    512: 0x95E4FDA72852917F,
    1024: 0xF22EF3DC84FF47EA,
    1025: 0x43F869A83769A435,
    5000: 0xCE29A19460EE1BFC,
}
"""The hash of the first bytes of `DATA`, by how many there are."""


@pytest.mark.parametrize("size", KNOWN)
def test_hashes_are_those_of_the_reference(size: int) -> None:
    assert xxh3_64(DATA[:size]) == KNOWN[size]


@given(st.binary(min_size=1, max_size=300), st.integers(0, 299))
def test_a_changed_byte_changes_the_hash(data: bytes, at: int) -> None:
    other = bytearray(data)
    other[at % len(data)] ^= 1
    assert xxh3_64(bytes(other)) != xxh3_64(data)
