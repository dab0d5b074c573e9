"""How brokers up to 0.9 make a set of messages ready for a log (ByteBufferMessageSet.assignOffsets, Log.append).

    what comes                  what is stored
    plain messages              the same bytes; offsets stamped in place
    a wrapper, or a new codec   all messages of the set, in one wrapper or plain

There is one format, without timestamps: any message is read in the layout of format 0, and stored with the magic that
it has.
"""

from collections.abc import Iterable, Iterator
from typing import Final, assert_never

from fakekafka.errors import MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, CodecId, Offset, TimestampMs
from fakekafka.records import message
from fakekafka.records.append.messages import (
    check_key,
    check_sizes,
    checked_messages,
    codec_of,
    how_made,
    in_wrapper,
    last_codec,
    least_key_size,
    messages_inside,
    of_units,
    refused,
)
from fakekafka.records.append.prepared import AppendTarget, CpuClock, How, Prepared
from fakekafka.records.compression import NONE
from fakekafka.records.message import Message
from fakekafka.releases.behaviours.append import AppendBehaviour

MAGIC: Final = 0
KEY_SIZE_AT: Final = 18


def prepare(
    data: Buffer,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    _now: TimestampMs,
    _from_client: bool,
    cpu_ns: CpuClock,
) -> Prepared | None:
    """See `append.Prepare`."""
    try:
        messages = checked_messages(data, target, rules)
        if not messages:
            return None
        source = last_codec(messages, rules)
        codec = source if target.codec is None else target.codec
        if source == NONE and codec == NONE:
            prepared = _stamp_each(memoryview(data), messages, target, rules, start)
        else:
            prepared = _rebuild(messages, codec, target, rules, start, cpu_ns)
        check_sizes(prepared, target, rules)
    except MalformedBytes as wrong:
        raise refused(wrong, rules) from None
    return prepared


def _stamp_each(
    data: memoryview, messages: list[Message], target: AppendTarget, rules: AppendBehaviour, start: Offset
) -> Prepared:
    """Plain messages in place: the next offsets."""
    least = least_key_size(rules) or 0
    for offset, sent in enumerate(messages, start):
        if target.compacted:
            check_key(sent, KEY_SIZE_AT, least, target, rules)
        assert isinstance(sent.data, memoryview)
        message.set_offset(sent.data, offset)
    whole_messages = data[: sum(m.size for m in messages)]
    units = [Message(m.data) for m in messages]
    return Prepared(whole_messages, start, start + len(messages) - 1, NO_TIMESTAMP, NO_OFFSET, units, How.KEPT)


def _rebuild(
    messages: list[Message],
    codec: CodecId,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    cpu_ns: CpuClock,
) -> Prepared:
    """All messages of a set in one wrapper, or plain."""
    began_ns = cpu_ns()
    opened = list(_opened(messages, rules))
    for sent in opened:
        check_key(sent, KEY_SIZE_AT, 0, target, rules)
    units = [bytes(sent.data) for sent in opened]
    last, how = start + len(units) - 1, how_made(messages, MAGIC)
    if codec == NONE or not units:
        return of_units(units, start, NO_TIMESTAMP, last, how, cpu_ns() - began_ns)
    data = in_wrapper(units, MAGIC, codec, start, target, rules)
    return Prepared(data, start, last, NO_TIMESTAMP, last, [Message(data)], how, cpu_ns() - began_ns)


def _opened(messages: Iterable[Message], rules: AppendBehaviour) -> Iterator[Message]:
    """All messages of the set, those in wrappers taken out."""
    for sent in messages:
        if codec_of(sent, rules) == NONE:
            yield sent
            continue
        inside = messages_inside(sent, MAGIC, rules)
        match rules.nested_wrapper:
            case "opened":
                yield from _opened(inside, rules)
            case "kept" | "refused":
                yield from inside
            case rule:
                assert_never(rule)
