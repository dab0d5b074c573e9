"""How brokers from 0.10.0 to 0.10.2 convert a message from one of their two formats to the other.

Two ways, by release (`AppendBehaviour.conversion`): the bytes that both formats have are moved, whatever they are, or
the message is read and written again. Later brokers rebuild whole sets (`from_0_11`).
"""

from typing import Final, NamedTuple

from fakekafka.binary import crc32
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_TIMESTAMP, Magic, Offset, TimestampMs
from fakekafka.records import attributes as bits
from fakekafka.records import hot
from fakekafka.records.append.messages import in_layout
from fakekafka.records.append.prepared import SetRefused
from fakekafka.records.message import Message
from fakekafka.releases.behaviours.append import AppendBehaviour

KEY_SIZE_AT: Final = {0: 18, 1: 26}
"""Where a message's key begins, by format."""
NO_MAGIC_OF_OURS: Final = "a message of no format that this release knows"


class Entry(NamedTuple):
    """A message, with what its wrapper (if any) says about it."""

    offset: Offset
    message: Message
    timestamp: TimestampMs
    timestamp_type: int


def layout_of(sent: Message) -> Magic:
    """The format in whose layout a message is read: any magic but 0 counts as 1."""
    return 1 if sent.magic else 0


def readable(sent: Message) -> Message:
    """The message in a form whose fields can be read."""
    return in_layout(sent, layout_of(sent))


def in_format(entry: Entry, magic: Magic, rules: AppendBehaviour) -> bytes:
    """A message of a wrapper in format `magic`; unchanged if it already has that format. In a message of format 0, too,
    bit 3 says append time, though format 0 has no such bit (asked of 0.10.2.2).
    """
    stored_message = entry.message
    if stored_message.magic == magic:
        return bytes(stored_message.data)
    append_time = entry.timestamp_type == bits.LOG_APPEND_TIME_TYPE
    if entry.timestamp_type == bits.NO_TIMESTAMP_TYPE:
        append_time = bits.timestamp_type(stored_message.attributes) == bits.LOG_APPEND_TIME_TYPE
    if rules.conversion == "cut and paste":
        return cut_and_paste(stored_message, magic, append_time, NO_TIMESTAMP)
    return rewritten(stored_message, magic, append_time, entry.timestamp)


def rewritten(sent: Message, magic: Magic, append_time: bool, timestamp: TimestampMs) -> bytes:
    """A new message with the same key and value."""
    if timestamp < NO_TIMESTAMP:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, f"Invalid message timestamp {timestamp}")
    source = readable(sent)
    flags = bits.LOG_APPEND_TIME if append_time and magic else 0
    return hot.message(magic, 0, timestamp, flags, source.key, source.value)


def cut_and_paste(sent: Message, magic: Magic, append_time: bool, timestamp: TimestampMs) -> bytes:
    """The bytes after the fields that both formats have, with a timestamp inserted or removed before them. A message
    that already has the format loses 8 bytes and gains 8 zeros, or no longer fits into its place.
    """
    if sent.magic not in (0, 1) or sent.magic == magic == 1:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, NO_MAGIC_OF_OURS)
    flags = bits.with_timestamp_type(sent.attributes, int(append_time) if magic else bits.CREATE_TIME_TYPE)
    head = bytes((magic, flags))
    if magic:
        body = head + timestamp.to_bytes(8, "big", signed=True) + bytes(sent.data[KEY_SIZE_AT[0] :])
    else:
        body = head + bytes(sent.data[KEY_SIZE_AT[1] :])
        if sent.magic == 0:
            body += bytes(sent.size - len(body) - 16)
    size = len(body) + 4
    return bytes(8) + size.to_bytes(4, "big") + crc32(body).to_bytes(4, "big") + body
