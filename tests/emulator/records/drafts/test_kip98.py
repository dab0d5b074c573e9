"""The message set of KIP-98's draft, and the draft's table of space."""

from functools import partial

import pytest
from fakekafka.binary import crc32
from fakekafka.errors import MalformedBytes
from fakekafka.records import v1
from fakekafka.records.drafts import kip98
from fakekafka.records.drafts.kip98 import DraftMessage, DraftSet
from fakekafka.records.malformed import CorruptUnit, InvalidRecord
from fakekafka.records.record import Record
from hypothesis import given
from hypothesis import strategies as st

from tests.emulator.records.strategies import check_raises_only_malformed

KV = DraftMessage(7, 1000, b"k", b"v")
SET = DraftSet((KV, KV._replace(offset=9, timestamp=500)), 0x10, 4, 2, 10)


@st.composite
def sets(draw: st.DrawFn) -> DraftSet:
    offset = draw(st.integers(0, 2**40))
    messages = []
    for _ in range(draw(st.integers(1, 6))):
        messages.append(
            DraftMessage(
                offset,
                draw(st.integers(-1, 2**62)),
                draw(st.none() | st.binary(max_size=200)),
                draw(st.none() | st.binary(max_size=200)),
                draw(st.booleans()),
            )
        )
        offset += draw(st.integers(1, 500))
    attributes = draw(st.integers(0, 4)) | draw(st.sampled_from([0, 8, 16, 24]))
    return DraftSet(tuple(messages), attributes, draw(st.integers(-1, 2**62)), draw(st.integers(-1, 99)))


@given(sets())
def test_what_is_encoded_is_decoded(messages: DraftSet) -> None:
    decoded = kip98.decode(kip98.encode(messages))
    assert decoded._replace(max_timestamp=None, offsets=None) == messages


@pytest.mark.statement("S1-7")
@pytest.mark.statement("S1-39")
def test_the_header_is_45_bytes_in_the_order_of_the_draft() -> None:
    data = kip98.encode(SET)
    assert data[:8] == (7).to_bytes(8, "big")
    assert int.from_bytes(data[8:12], "big") == len(data) - 12
    assert data[16] == 2
    assert data[17:19] == b"\x00\x10"
    assert data[19:23] == (2).to_bytes(4, "big")
    assert data[23:31] == (1000).to_bytes(8, "big")
    assert data[31:45] == (4).to_bytes(8, "big") + (2).to_bytes(2, "big") + (10).to_bytes(4, "big")
    assert kip98.HEADER_BYTES == kip98.HEADER.size == 45


@pytest.mark.statement("S1-11")
def test_offset_plus_delta_is_the_last_offset() -> None:
    data = kip98.encode(SET)
    assert int.from_bytes(data[:8], "big") + int.from_bytes(data[19:23], "big") == 9


@pytest.mark.statement("S1-21")
@pytest.mark.statement("S1-35")
@pytest.mark.statement("S1-36")
@pytest.mark.statement("S1-37")
@pytest.mark.statement("S1-38")
def test_a_message_begins_with_its_length_and_ends_with_its_crc() -> None:
    data = kip98.encode_message(KV, 0)
    assert data[0] == len(data) - 1
    assert data[1:].startswith(b"\x00" + (1000).to_bytes(8, "big") + b"\x07" + b"\x01k" + b"v")
    assert data[-4:] == crc32(data[:-4]).to_bytes(4, "big")
    assert len(data) == 1 + 1 + 8 + 1 + 2 + 1 + 4


@pytest.mark.statement("S1-23")
@pytest.mark.statement("S1-24")
@pytest.mark.statement("S1-25")
@pytest.mark.statement("S1-26")
@pytest.mark.statement("S1-27")
@pytest.mark.statement("S1-28")
@pytest.mark.parametrize(
    ("key", "value", "control", "flags", "size"),
    [
        (b"k", b"v", False, 0, 18),
        (None, b"v", False, 1, 16),
        (b"k", None, False, 2, 17),
        (None, None, False, 3, 15),
        (b"k", b"v", True, 4, 18),
        (b"", b"", False, 0, 16),
    ],
)
def test_bits_stand_for_null_key_null_value_and_control(
    key: bytes | None, value: bytes | None, control: bool, flags: int, size: int
) -> None:
    data = kip98.encode_message(DraftMessage(0, 0, key, value, control), 0)
    assert (data[1], len(data)) == (flags, size)


@pytest.mark.statement("S1-30")
def test_the_draft_commits_with_0() -> None:
    assert (kip98.ControlType.COMMIT, kip98.ControlType.ABORT) == (0, 1)


@pytest.mark.statement("S1-34")
def test_a_flipped_byte_is_noticed_except_in_the_offset() -> None:
    data = kip98.encode(SET)
    for at in range(8, len(data)):
        with pytest.raises(MalformedBytes):
            kip98.decode(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])


@pytest.mark.statement("S1-41")
@pytest.mark.parametrize(
    ("message", "each"),
    [
        (DraftMessage(0, 0, None, None), 15),  # the document says 14
        (DraftMessage(0, 0, b"", b""), 16),
        (DraftMessage(1 << 21, 0, bytes(1 << 21), b""), 25),  # lengths and offset delta of 4 bytes each
    ],
)
def test_a_message_adds_15_to_25_bytes(message: DraftMessage, each: int) -> None:
    assert len(kip98.encode_message(message, 0)) - len(message.key or b"") - len(message.value or b"") == each


@pytest.mark.statement("S1-42")
def test_a_message_of_1_kib_with_a_key_of_100_bytes_adds_17() -> None:
    one = kip98.encode_message(DraftMessage(0, 0, bytes(100), bytes(1024)), 0)
    assert len(one) - 1124 == 17


def added(count: int) -> tuple[int, int, int]:
    """How many bytes format 1 and the draft add to this many messages."""
    payload = count * (100 + 1024)
    messages = tuple(DraftMessage(n, 0, bytes(100), bytes(1024)) for n in range(count))
    old = v1.build([Record(n, 0, 0, bytes(100), bytes(1024)) for n in range(count)])
    return count, len(old) - payload, len(kip98.encode(DraftSet(messages))) - payload


@pytest.mark.statement("S1-43")
def test_the_table_of_space() -> None:
    """Messages, bytes that format 1 adds, bytes that the draft adds; with keys of 100 bytes and values of 1024."""
    assert [added(n) for n in (1, 3, 10, 50, 100)] == [
        (1, 34, 62),
        (3, 102, 96),
        (10, 340, 215),
        (50, 1700, 895),
        (100, 3400, 1745),
    ]


def resealed(body: bytes) -> bytes:
    """A set of one message with these bytes, and a correct CRC of the set."""
    head = kip98.encode(DraftSet((KV,)))[: kip98.HEADER_BYTES]
    tail = head[16:] + body
    return head[:8] + (len(tail) + 4).to_bytes(4, "big") + crc32(tail).to_bytes(4, "big") + tail


@pytest.mark.parametrize("cut", [1, 4, 5, 9, 17])
def test_a_cut_message_is_invalid(cut: int) -> None:
    with pytest.raises(MalformedBytes):
        kip98.decode(resealed(kip98.encode_message(KV, 7)[:-cut]))


def test_a_key_past_the_message_is_invalid() -> None:
    body = bytearray(kip98.encode_message(KV, 7))
    body[11] = 50
    with pytest.raises(InvalidRecord):
        kip98.decode(resealed(bytes(body)))


@pytest.mark.statement("S1-35")
def test_a_wrong_crc_of_a_message_is_corrupt() -> None:
    body = bytearray(kip98.encode_message(KV, 7))
    body[-1] ^= 1
    with pytest.raises(CorruptUnit):
        kip98.decode(resealed(bytes(body)))


@given(st.binary(max_size=80))
def test_random_bytes_raise_only_malformed_bytes(body: bytes) -> None:
    for data in (body, resealed(body)):
        check_raises_only_malformed(partial(kip98.decode, data))
