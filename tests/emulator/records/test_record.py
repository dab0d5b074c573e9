"""Header keys and sequences."""

import pytest
from fakekafka.records.record import Record, header_key, header_key_bytes, sequence_after
from hypothesis import given
from hypothesis import strategies as st

REPLACED = [
    ("ff", 1),
    ("eda080", 1),
    ("eda080edb080", 2),
    ("eda0", 1),
    ("c080", 2),
    ("e08080", 3),
    ("e282", 1),
    ("f09080", 1),
    ("f5808080", 4),
    ("8080", 2),
    ("f0808080", 4),
    ("e2ff82", 3),
    ("f090ff80", 3),
    ("f888808080", 5),
]
"""What brokers 2.3.1 and 3.9.1 wrote in place of such a header key when they rebuilt a batch: this many U+FFFD."""


@pytest.mark.parametrize(("data", "replacements"), REPLACED)
def test_header_keys_that_are_not_utf8_become_what_java_makes_of_them(data: str, replacements: int) -> None:
    assert header_key(bytes.fromhex(data)) == "\ufffd" * replacements


def test_good_parts_of_a_broken_header_key_stay() -> None:
    assert header_key(b"a\xffb") == "a\ufffdb"
    assert header_key(b"\xe2\x82a") == "\ufffda"


@given(st.binary(max_size=40))
def test_any_bytes_are_a_header_key_that_can_be_written_again(data: bytes) -> None:
    key = header_key(data)
    assert header_key(header_key_bytes(key)) == key


def test_a_lone_surrogate_is_written_as_a_question_mark() -> None:
    assert header_key_bytes("a\ud800b") == b"a?b"


def test_a_sequence_wraps_to_zero() -> None:
    assert sequence_after(2147483647, 1) == 0
    assert sequence_after(2147483646, 5) == 3
    assert sequence_after(7, 0) == 7


def test_minus_one_has_no_following_sequence() -> None:
    assert sequence_after(-1, 5) == -1


def test_a_record_needs_no_headers_and_no_sequence() -> None:
    record = Record(1, 2, 0, None, None)
    assert record.headers == ()
    assert record.sequence == -1
