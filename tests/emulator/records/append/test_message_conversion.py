"""How 0.10.0 to 0.10.2 turn messages of their two formats into each other."""

import pytest
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1
from fakekafka.records.append.message_conversion import Entry, cut_and_paste, in_format, readable, rewritten
from fakekafka.records.append.prepared import AppendTarget, SetRefused
from fakekafka.records.message import Message

from tests.emulator.records.appending import prepared, refused, rows, rules

ROWS = rows(1000, 3000, 2000)
UNKNOWN = ErrorCode.UNKNOWN_SERVER_ERROR
FORMAT_0 = AppendTarget(0)
FORMAT_1 = AppendTarget(1)
CUT = rules("0.10.0.1")
NEW = rules("0.10.2.2")


def message(magic: int, trailing: bytes = b"") -> Message:
    """A message with key, value and timestamp, and possibly bytes after them."""
    unit = (v0.build, v1.build)[magic](ROWS[:1]) + trailing
    return Message(unit)


@pytest.mark.parametrize("magic", [0, 1])
def test_cut_and_paste_keeps_whatever_follows_the_value(magic: int) -> None:
    made = Message(cut_and_paste(message(1 - magic, b"tail"), magic, append_time=False, timestamp=77))
    assert (made.magic, made.key, made.value, made.crc_ok()) == (magic, b"k", b"v", True)
    assert bytes(made.data).endswith(b"vtail")
    assert made.max_timestamp == (77 if magic else -1)


@pytest.mark.parametrize("magic", [0, 1])
def test_a_message_that_is_rewritten_has_nothing_after_its_value(magic: int) -> None:
    made = Message(rewritten(message(1 - magic, b"tail"), magic, True, 77))
    assert (made.magic, made.key, made.value, made.crc_ok()) == (magic, b"k", b"v", True)
    assert bytes(made.data).endswith(b"v")
    assert (made.max_timestamp, made.timestamp_type) == ((77, 1) if magic else (-1, -1))


def test_a_timestamp_below_minus_1_cannot_be_rewritten() -> None:
    with pytest.raises(SetRefused):
        rewritten(message(0), 1, False, -2)


def test_an_unknown_magic_is_read_in_the_layout_of_format_1() -> None:
    unit = bytearray(message(1).data)
    unit[16] = 9
    assert readable(Message(unit)).key == b"k"


@pytest.mark.parametrize("release", ["0.9.0.1", "0.10.0.1", "0.10.2.2"])
def test_a_message_in_a_wrapper_that_has_the_format_is_not_touched(release: str) -> None:
    found = message(0)
    assert in_format(Entry(5, found, -1, -1), 0, rules(release)) == found.data


@pytest.mark.parametrize(("release", "error"), [("0.10.0.1", UNKNOWN), ("0.10.1.1", UNKNOWN), ("0.10.2.2", None)])
def test_a_message_that_has_the_format_already_breaks_when_its_neighbour_is_converted(
    release: str, error: ErrorCode | None
) -> None:
    sent = v0.build(ROWS) + v1.build(ROWS)
    if error is None:
        assert [u.crc_ok() for u in prepared(sent, FORMAT_1, release).batches] == [True] * 6
    else:
        assert refused(sent, FORMAT_1, release).error == error
    garbled = prepared(sent, FORMAT_0, release)
    assert [unit.size for unit in garbled.batches] == ([28] * 6)


def test_the_broken_neighbour_of_0_10_0_loses_eight_bytes_and_gains_eight_zeros() -> None:
    made = prepared(v0.build(ROWS[:1]) + v1.build(ROWS), FORMAT_0, "0.10.0.1")
    first = made.batches[0]
    assert first.crc_ok()
    assert bytes(first.data[18:]) == v0.build(ROWS)[26:28] + bytes(8)
