"""Sets of messages, as brokers up to 0.10.2 read and write them, whichever of their formats the messages have."""

from collections.abc import Iterable
from typing import assert_never

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import NO_TIMESTAMP, Buffer, CodecId, Magic, Offset, TimestampMs
from fakekafka.records import message, scan, wrapper
from fakekafka.records.append.prepared import AppendTarget, How, Prepared, SetRefused
from fakekafka.records.compression import LZ4, NONE, SNAPPY
from fakekafka.records.lz4_frames import HeaderChecksum
from fakekafka.records.malformed import (
    CorruptUnit,
    FieldPastEnd,
    InvalidRecord,
    PayloadEndsEarly,
    UndecodablePayload,
    UnknownCodec,
    UnsupportedLz4,
)
from fakekafka.records.message import MAGIC_AT, Message
from fakekafka.releases.behaviours.append import AppendBehaviour


def refused(wrong: MalformedBytes, rules: AppendBehaviour) -> SetRefused:
    """What the release answers about bytes that cannot be read."""
    if isinstance(wrong, (UnknownCodec, UnsupportedLz4, FieldPastEnd)):
        error = ErrorCode.UNKNOWN_SERVER_ERROR
    else:
        error = rules.undecodable if isinstance(wrong, UndecodablePayload) else ErrorCode.CORRUPT_MESSAGE
    return SetRefused(error, str(wrong))


# ---- the set as it came


def checked_messages(data: Buffer, target: AppendTarget, rules: AppendBehaviour) -> list[Message]:
    """The units of the set (Log.analyzeAndValidateMessageSet). An incomplete last one is left out."""
    whole = memoryview(data)
    messages = []
    for unit in scan.units_of_any_magic(data):
        sent = Message(whole[unit.position : unit.position + unit.size])
        if rules.measures_as_sent and unit.size > target.max_bytes:
            raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)
        if not sent.crc_ok():
            raise CorruptUnit(f"wrong checksum of the message at {unit.position}")
        if codec_of(sent, rules) > (LZ4 if rules.codec_bits == 3 else SNAPPY):
            raise UnknownCodec(f"codec {codec_of(sent, rules)}")
        messages.append(sent)
    return messages


def codec_of(sent: Message, rules: AppendBehaviour) -> CodecId:
    """The codec in a message's attributes, as far as the release reads them."""
    return sent.attributes & ((1 << rules.codec_bits) - 1)


def last_codec(messages: list[Message], rules: AppendBehaviour) -> CodecId:
    """The codec of the last message that has one: it applies to the whole set."""
    return next((codec for m in reversed(messages) if (codec := codec_of(m, rules))), NONE)


def in_layout(sent: Message, magic: Magic) -> Message:
    """The message, read as if it were in format `magic`, whatever its own format."""
    if sent.magic == magic:
        return sent
    data = bytearray(sent.data)
    data[MAGIC_AT] = magic
    return Message(data)


def least_key_size(rules: AppendBehaviour) -> int | None:
    """How large the key of a plain message for a compacted topic must be; a null key has size -1. None: any will do."""
    match rules.keyless_messages:
        case "taken":
            return None
        case "refused":
            return 0
        case "refused, empty keys too":
            return 1
        case rule:
            assert_never(rule)


def check_key(sent: Message, key_size_at: int, least: int, target: AppendTarget, rules: AppendBehaviour) -> None:
    """Refuse a message for a compacted topic whose key is smaller than `least`; a null key has size -1."""
    if target.compacted and least_key_size(rules) is not None:
        if key_size_at + 4 > sent.size:
            raise FieldPastEnd("no room for a key")
        if int.from_bytes(sent.data[key_size_at : key_size_at + 4], "big", signed=True) < least:
            raise InvalidRecord("Compacted topic cannot accept message without key.")


def check_sizes(prepared: Prepared, target: AppendTarget, rules: AppendBehaviour) -> None:
    """Refuse a set that is stored in units that are too large, if the release measures it at this point."""
    match rules.size_checked:
        case "before":
            measured = not prepared.stayed
        case "after":
            measured = True
        case rule:
            assert_never(rule)
    if measured and any(unit.size > target.max_bytes for unit in prepared.batches):
        raise SetRefused(ErrorCode.MESSAGE_TOO_LARGE)


# ---- wrappers


def messages_inside(outer: Message, layout: Magic, rules: AppendBehaviour) -> list[Message]:
    """The messages in a wrapper that is read in the layout of that format."""
    stream = in_layout(outer, layout).value
    if stream is None:
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, "a wrapper without value")
    checksum = HeaderChecksum.BROKEN if rules.lz4_header == "broken" else None
    data, failure = wrapper.unwrap(outer.magic, codec_of(outer, rules), stream, checksum)
    inside = message.split(data)
    if failure and not (isinstance(failure, PayloadEndsEarly) and rules.cut_wrapper == "ends there"):
        raise failure
    if not inside and rules.empty_wrapper == "error":
        raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, "an empty wrapper")
    return inside


def in_wrapper(
    units: list[bytes],
    magic: Magic,
    codec: CodecId,
    start: Offset,
    target: AppendTarget,
    rules: AppendBehaviour,
    timestamp: TimestampMs = NO_TIMESTAMP,
    append_time: bool = False,
) -> bytes:
    """Messages in one wrapper. Offsets inside are relative in format 1."""
    inside = b"".join(with_offset(m, i if magic else start + i) for i, m in enumerate(units))
    return wrapper.wrap(magic, codec, inside, offset=start + len(units) - 1, timestamp=timestamp,
                        append_time=append_time, level=target.level, snappy_block=rules.snappy_block)  # fmt: skip


def of_units(
    units: list[bytes], start: Offset, largest: TimestampMs, at: Offset, how: How, cpu_ns: int = 0
) -> Prepared:
    """A set of these messages, with the next offsets."""
    data = b"".join(with_offset(unit, offset) for offset, unit in enumerate(units, start))
    return Prepared(data, start, start + len(units) - 1, largest, at, list(message.split(data)), how, cpu_ns)


def with_offset(unit: bytes, offset: Offset) -> bytes:
    """The message with another offset."""
    return offset.to_bytes(8, "big", signed=True) + unit[8:]


def how_made(messages: Iterable[Message], magic: Magic) -> How:
    """`REBUILT` if messages keep their format, otherwise `CONVERTED`."""
    return How.REBUILT if all(m.magic == magic for m in messages) else How.CONVERTED
