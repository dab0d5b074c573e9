"""What all brokers without batches have in common when they read sets of messages."""

import pytest
from fakekafka.binary import crc32
from fakekafka.errors import ErrorCode
from fakekafka.records import v0, v1
from fakekafka.records.append.messages import checked_messages, codec_of, how_made, in_layout, last_codec, with_offset
from fakekafka.records.append.prepared import AppendTarget, How, SetRefused
from fakekafka.records.compression import GZIP, NONE
from fakekafka.records.malformed import CorruptUnit, UnknownCodec
from fakekafka.records.message import Message

from tests.emulator.records.appending import rows, rules

RULES = rules("0.9.0.1")
PLAIN = v0.build(rows(1))
WRAPPER = v0.build(rows(1), codec=GZIP)


def test_a_cut_last_message_is_left_out() -> None:
    assert len(checked_messages(PLAIN + PLAIN[:-1], AppendTarget(0), RULES)) == 1


def test_a_wrong_checksum_is_corrupt() -> None:
    with pytest.raises(CorruptUnit):
        checked_messages(PLAIN[:-1] + b"x", AppendTarget(0), RULES)


def test_a_message_that_is_too_large_is_refused_at_once_from_0_8_2_on() -> None:
    target = AppendTarget(0, max_bytes=len(PLAIN) - 1)
    with pytest.raises(SetRefused) as refusal:
        checked_messages(PLAIN, target, RULES)
    assert refusal.value.error is ErrorCode.MESSAGE_TOO_LARGE
    assert len(checked_messages(PLAIN, target, rules("0.8.0"))) == 1


def test_0_8_0_reads_two_bits_of_a_codec() -> None:
    unit = bytearray(PLAIN)
    unit[17] = 5
    assert codec_of(Message(unit), RULES) == 5
    assert codec_of(Message(unit), rules("0.8.0")) == GZIP


def test_the_last_codec_counts_for_a_set() -> None:
    assert last_codec([Message(PLAIN), Message(WRAPPER), Message(PLAIN)], RULES) == GZIP
    assert last_codec([Message(PLAIN)], RULES) == NONE


def test_an_unknown_codec_is_refused() -> None:
    unit = bytearray(v1.build(rows(1)))
    unit[17] = 7
    message = Message(unit)
    assert codec_of(message, RULES) == 7
    fixed = bytearray(unit)
    fixed[12:16] = crc32(bytes(fixed[16:])).to_bytes(4, "big")
    with pytest.raises(UnknownCodec):
        checked_messages(fixed, AppendTarget(0), RULES)


def test_a_message_can_be_read_in_another_layout_and_stays_as_it_is() -> None:
    old = Message(bytearray(PLAIN))
    assert in_layout(old, 1).magic == 1
    assert old.magic == 0
    assert in_layout(old, 0) is old


def test_rebuilt_messages_are_converted_if_one_changes_its_format() -> None:
    both = [Message(PLAIN), Message(v1.build(rows(1)))]
    assert how_made(both, 0) is How.CONVERTED
    assert how_made(both[:1], 0) is How.REBUILT


def test_an_offset_is_in_the_first_eight_bytes() -> None:
    assert with_offset(PLAIN, -2) == b"\xff" * 7 + b"\xfe" + PLAIN[8:]
