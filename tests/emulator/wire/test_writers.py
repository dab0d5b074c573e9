import struct

import pytest
from fakekafka.wire.codec import encode, encode_bytes
from fakekafka.wire.message import Message, Struct, binary, boolean, field, int8, int16, int32, record_set, string, uuid


class Inner(Struct):
    number: int16 = field("0+", default=-1)
    name: string | None = field("1+", default=None)


class Everything(Message, versions="0-1", flexible="1+"):
    number: int32 = field("0+")
    flag: boolean = field("0+")
    text: string | None = field("0+")
    data: binary | None = field("0+")
    records: record_set | None = field("0+")
    numbers: list[int32] | None = field("0+")
    ids: list[uuid] = field("0+")
    names: list[string] = field("0+")
    inner: Inner | None = field("0+")
    inners: list[Inner] = field("0+")


class Strict(Message, versions="0-1", flexible="1+"):
    text: string = field("0+")
    data: binary = field("0+")
    numbers: list[int8] = field("0+")
    inners: list[Inner] = field("0+")
    records: record_set = field("0+")


class Tags(Message, versions="0", flexible="0+"):
    last: int8 = field("0+")
    inner: Inner = field("0+", tag=0)
    numbers: list[int32] = field("0+", tag=2)
    maybe: Inner | None = field("0+", tag=1)


class OneTag(Message, versions="0", flexible="0+"):
    text: string = field("0+")
    number: int8 = field("0+", default=4, tag=200)


FULL = Everything(number=1, flag=True, text="ü", data=b"d", records=b"rr", numbers=[2, 3], ids=[bytes(range(16))],
                  names=["a", ""], inner=Inner(number=9, name="n"), inners=[Inner(), Inner(name="x")])  # fmt: skip


def test_lengths_have_a_fixed_width_in_old_versions() -> None:
    assert encode_bytes(FULL, 0) == (
        b"\0\0\0\1\1" b"\0\2\xc3\xbc" b"\0\0\0\1d" b"\0\0\0\2rr" b"\0\0\0\2\0\0\0\2\0\0\0\3"
        b"\0\0\0\1" + bytes(range(16)) + b"\0\0\0\2\0\1a\0\0" b"\1\0\x09" b"\0\0\0\2\xff\xff\xff\xff"
    )  # fmt: skip


def test_lengths_are_varints_in_flexible_versions_and_structs_end_with_tags() -> None:
    assert encode_bytes(FULL, 1) == (
        b"\0\0\0\1\1" b"\3\xc3\xbc" b"\2d" b"\3rr" b"\3\0\0\0\2\0\0\0\3"
        b"\2" + bytes(range(16)) + b"\3\2a\1" b"\1\0\x09\2n\0" b"\3\xff\xff\0\0\xff\xff\2x\0" b"\0"
    )  # fmt: skip


def test_null_is_minus_one_or_zero() -> None:
    null = Everything(text=None, data=None, records=None, numbers=None, inner=None)
    assert encode_bytes(null, 0) == b"\0\0\0\0\0\xff\xff" + b"\xff" * 12 + bytes(8) + b"\xff\0\0\0\0"
    assert encode_bytes(null, 1) == b"\0\0\0\0\0\0\0\0\0\1\1\xff\1\0"


@pytest.mark.parametrize("name", ["text", "data", "numbers", "inners"])
@pytest.mark.parametrize("version", [0, 1])
def test_null_where_it_is_not_allowed_is_a_wrong_call(name: str, version: int) -> None:
    message = Strict()
    setattr(message, name, None)
    with pytest.raises(TypeError, match=f"{name} must not be null"):
        encode(message, version)


def test_null_records_are_written_even_where_the_definition_does_not_know_them() -> None:
    assert encode_bytes(Strict(), 0).endswith(b"\xff\xff\xff\xff")


def test_values_that_do_not_fit_are_a_wrong_call() -> None:
    with pytest.raises(struct.error):
        encode(Everything(number=2**31), 0)
    with pytest.raises(struct.error):
        encode(Strict(text="x" * 32768), 0)
    with pytest.raises(ValueError, match="text has 32768 bytes: a string has at most 32767"):
        encode(Strict(text="x" * 32768), 1)


@pytest.mark.parametrize("length", [126, 127, 16382, 16383])
def test_compact_lengths_grow_by_seven_bits(length: int) -> None:
    size = 1 if length < 127 else 2 if length < 16383 else 3
    assert len(encode_bytes(Strict(text="x" * length), 1)) == size + length + 5
    assert len(encode_bytes(Strict(data=b"x" * length), 1)) == size + length + 5
    assert len(encode_bytes(Strict(numbers=[1] * length), 1)) == size + length + 5
    assert len(encode_bytes(Strict(inners=[Inner(name="")] * length), 1)) == size + 4 * length + 5


@pytest.mark.parametrize("count", range(12))
def test_arrays_of_numbers_of_any_length(count: int) -> None:
    numbers = struct.pack(f">{count}i", *range(count))
    assert encode_bytes(Everything(numbers=list(range(count))), 0)[15:][:-13] == struct.pack(">i", count) + numbers


def test_several_record_buffers_have_one_length_and_stay_pieces() -> None:
    pieces = encode(Strict(records=[b"one", memoryview(b"more")]), 0)
    assert pieces[-3:] == [b"\0\0\0\7", b"one", b"more"]
    assert encode(Strict(records=[]), 0)[-1] == b"\0\0\0\0"


def test_tagged_fields_at_their_default_are_left_out() -> None:
    assert encode_bytes(Tags(), 0) == b"\0\0"
    assert encode_bytes(Tags(inner=Inner(number=-1), numbers=[], maybe=None), 0) == b"\0\0"


def test_tagged_fields_are_written_in_the_order_of_their_tags() -> None:
    message = Tags(inner=Inner(number=1), numbers=[5], maybe=Inner(number=2))
    assert encode_bytes(message, 0) == b"\0\3\0\3\0\1\0\1\4\1\0\2\0\2\5\2\0\0\0\5"
    assert encode_bytes(Tags(numbers=[5]), 0) == b"\0\1\2\5\2\0\0\0\5"


def test_a_tag_above_127_takes_two_bytes() -> None:
    assert encode_bytes(OneTag(text="a", number=4), 0) == b"\2a\0"
    assert encode_bytes(OneTag(text="a", number=5), 0) == b"\2a\1\xc8\1\1\5"
