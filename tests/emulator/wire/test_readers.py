"""Behaviours of Kafka's readers (readString, readArray, readUnknownTaggedField and the generated `read` methods)."""

import struct

import pytest
from fakekafka.errors import MalformedBytes
from fakekafka.wire.codec import decode, reader
from fakekafka.wire.message import (
    Message,
    Struct,
    binary,
    boolean,
    field,
    int8,
    int16,
    int32,
    int64,
    record_set,
    string,
    uuid,
)


class Text(Message, versions="0-1", flexible="1+"):
    text: string = field("0+")


class MaybeText(Message, versions="0-1", flexible="1+"):
    text: string | None = field("0+")


class MaybeData(Message, versions="0-1", flexible="1+"):
    data: binary | None = field("0+")


class Data(Message, versions="0-1", flexible="1+"):
    data: binary = field("0+")
    records: record_set | None = field("0+")


class Flag(Message, versions="0"):
    flag: boolean = field("0+")


class Pair(Struct):
    number: int16 = field("0+")
    long: int64 = field("0+")
    small: int8 = field("0+")
    hint: int8 = field("1+", tag=3)


class Pairs(Message, versions="0-1", flexible="1+"):
    pairs: list[Pair] | None = field("0+")


class Lists(Message, versions="0-1", flexible="1+"):
    numbers: list[int32] = field("0+")
    ids: list[uuid] = field("0+")
    names: list[string] = field("0+")


class Inner(Message, versions="0-1", flexible="1+"):
    inner: Pair | None = field("0+")
    tagged_inner: Pair | None = field("1+", tag=0)
    old_tag: int8 = field("0", tag=1)


def text(version: int, data: bytes) -> str:
    return decode(Text, version, data)[0].text


def test_bytes_that_are_not_utf8_become_replacement_characters() -> None:
    assert text(0, b"\0\2\xffa") == "\ufffda"
    assert text(1, b"\3\xffa\0") == "\ufffda"


@pytest.mark.parametrize("length", [b"\xff\xff", b"\x80\x00", b"\xff\xfe"])
def test_every_negative_length_is_null(length: bytes) -> None:
    assert decode(MaybeText, 0, length)[0].text is None
    with pytest.raises(MalformedBytes, match="text is null"):
        decode(Text, 0, length)


def test_null_is_zero_in_flexible_versions() -> None:
    assert decode(MaybeText, 1, b"\0\0")[0].text is None
    assert decode(MaybeData, 1, b"\0\0")[0].data is None
    assert decode(Pairs, 1, b"\0\0")[0].pairs is None
    with pytest.raises(MalformedBytes, match="text is null"):
        decode(Text, 1, b"\0\0")


@pytest.mark.parametrize("length", [b"\xff\xff\xff\xff\x0f", b"\x82\x80\x80\x80\x08"])
def test_a_compact_length_beyond_31_bits_is_negative_and_so_null(length: bytes) -> None:
    """Recorded from 2.8.0 to 4.3.1: odd_requests."""
    for kind, name in ((MaybeText, "text"), (MaybeData, "data"), (Pairs, "pairs")):
        assert getattr(decode(kind, 1, length + b"\0")[0], name) is None
    with pytest.raises(MalformedBytes, match="cannot have a length of 2147483647"):
        decode(MaybeData, 1, b"\x80\x80\x80\x80\x08\0")


@pytest.mark.parametrize("count", [b"\xff\xff\xff\xff\x0f", b"\x82\x80\x80\x80\x08"])
def test_the_readers_of_2_7_fail_at_such_a_count(count: bytes) -> None:
    """Recorded from 2.7.2: odd_lengths."""
    strict = reader(Pairs, 1, True)
    assert strict(b"\0\0", 0)[0].pairs is None
    with pytest.raises(MalformedBytes, match="pairs is null"):
        strict(count + b"\0", 0)


def test_null_bytes_and_arrays_are_minus_one() -> None:
    assert decode(MaybeData, 0, b"\xff\xff\xff\xff")[0].data is None
    assert decode(Pairs, 0, b"\xff\xff\xff\xff")[0].pairs is None
    with pytest.raises(MalformedBytes, match="data is null"):
        decode(Data, 0, b"\xff\xff\xff\xff")
    with pytest.raises(MalformedBytes, match="numbers is null"):
        decode(Lists, 0, b"\xff\xff\xff\xff")


def test_a_string_has_at_most_32767_bytes() -> None:
    assert text(1, b"\x80\x80\x02" + b"x" * 32767 + b"\0") == "x" * 32767
    with pytest.raises(MalformedBytes, match="text cannot have a length of 32768"):
        text(1, b"\x81\x80\x02" + b"x" * 32768 + b"\0")


@pytest.mark.parametrize("claimed", [b"\x7f\xff", b"\0\2"])
def test_a_string_longer_than_what_is_left_is_malformed(claimed: bytes) -> None:
    with pytest.raises(MalformedBytes, match="text cannot have a length of"):
        text(0, claimed + b"x")


def test_any_byte_but_zero_is_true() -> None:
    assert [decode(Flag, 0, bytes([b]))[0].flag for b in (0, 1, 2, 255)] == [False, True, True, True]


def test_bytes_are_copied_and_records_are_not() -> None:
    found = decode(Data, 0, bytearray(b"\0\0\0\1a\0\0\0\1b"))[0]
    assert type(found.data) is bytes
    assert type(found.records) is memoryview
    assert (found.data, bytes(found.records)) == (b"a", b"b")


PAIR = struct.pack(">hqb", 1, 2, 3)


def test_structs_of_fixed_width_are_read_as_an_array() -> None:
    assert decode(Pairs, 0, b"\0\0\0\2" + 2 * PAIR) == (Pairs(pairs=[Pair(number=1, long=2, small=3)] * 2), 26)
    assert decode(Pairs, 0, b"\0\0\0\0") == (Pairs(pairs=[]), 4)
    with pytest.raises(MalformedBytes, match="2 Pair take 22 bytes"):
        decode(Pairs, 0, b"\0\0\0\2" + PAIR)
    with pytest.raises(MalformedBytes, match="pairs cannot have a length of 12"):
        decode(Pairs, 0, b"\0\0\0\x0c" + PAIR)


def test_one_tag_in_an_array_of_fixed_width_is_found() -> None:
    with_hint = PAIR + b"\1\3\1\x09"
    found, _ = decode(Pairs, 1, b"\4" + PAIR + b"\0" + with_hint + PAIR + b"\0\0")
    assert found.pairs is not None
    assert [pair.hint for pair in found.pairs] == [0, 9, 0]


def test_arrays_of_numbers_uuids_and_strings() -> None:
    data = b"\0\0\0\2\0\0\0\5\xff\xff\xff\xff\0\0\0\1" + bytes(range(16)) + b"\0\0\0\2\0\1a\0\0"
    assert decode(Lists, 0, data)[0] == Lists(numbers=[5, -1], ids=[bytes(range(16))], names=["a", ""])
    compact = b"\3\0\0\0\5\xff\xff\xff\xff\2" + bytes(range(16)) + b"\3\2a\1\0"
    assert decode(Lists, 1, compact)[0] == Lists(numbers=[5, -1], ids=[bytes(range(16))], names=["a", ""])


def test_elements_are_never_null() -> None:
    with pytest.raises(MalformedBytes, match="names is null"):
        decode(Lists, 0, b"\0\0\0\0\0\0\0\0\0\0\0\1\xff\xff")


def test_an_array_of_more_than_126_elements_has_a_count_of_two_bytes() -> None:
    found, _ = decode(Lists, 1, b"\x81\1" + bytes(4 * 128) + b"\1\1\0")
    assert found.numbers == [0] * 128
    found_pairs, _ = decode(Pairs, 1, b"\x81\1" + (PAIR + b"\0") * 128 + b"\0")
    assert len(found_pairs.pairs or ()) == 128


def test_a_struct_or_null_starts_with_a_mark() -> None:
    assert decode(Inner, 0, b"\xff")[0].inner is None
    assert decode(Inner, 0, b"\x80")[0].inner is None
    for mark in (b"\0", b"\1", b"\x7f"):
        assert decode(Inner, 0, mark + PAIR)[0].inner == Pair(number=1, long=2, small=3)


def test_inside_a_tag_the_mark_of_null_is_zero() -> None:
    assert decode(Inner, 1, b"\xff\1\0\1\0")[0].tagged_inner is None
    found, _ = decode(Inner, 1, b"\xff\1\0\x0d\1" + PAIR + b"\0")
    assert found.tagged_inner == Pair(number=1, long=2, small=3)


def test_unknown_tags_are_skipped() -> None:
    assert decode(Text, 1, b"\2a\2\x63\3xyz\x64\0") == (Text(text="a"), 10)


def test_a_tag_of_other_versions_is_malformed() -> None:
    with pytest.raises(MalformedBytes, match="tag 1 does not belong into version 1"):
        decode(Inner, 1, b"\xff\1\1\1\0")


def test_the_size_of_a_tag_must_be_right() -> None:
    with pytest.raises(MalformedBytes, match="tag 3 claims 2 bytes and has 1"):
        decode(Pairs, 1, b"\2" + PAIR + b"\1\3\2\x09\0\0")
    with pytest.raises(MalformedBytes, match="tag 99 cannot have a length of 5"):
        decode(Text, 1, b"\2a\1\x63\5xyz")
