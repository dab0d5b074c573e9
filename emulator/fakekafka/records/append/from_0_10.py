"""How brokers of 0.10 make a set of messages ready for a log (ByteBufferMessageSet, LogValidator @ 0.10.2).

Sets are messages of formats 0 and 1, maybe wrappers. Not for format 2, whose batches look like messages with a wrong
checksum here. These brokers copy messages rather than rebuild them, so whatever a message holds gets into the log with
it, including a wrong checksum inside a wrapper. For the same reason the append time gets into a
wrapper, but not into its messages.

    what comes                          what is stored
    plain, as it should be              the same bytes; offsets, and times under LogAppendTime, stamped in place
    plain, of another format            each message converted
    a wrapper of format 1, in order     the same bytes; the wrapper's offset and time stamped in place
    any other wrapper, or new codec     all messages of the set, converted where they must be, in one wrapper or plain
"""

from collections.abc import Iterable, Iterator
from itertools import count
from typing import assert_never

from fakekafka.errors import ErrorCode, MalformedBytes
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Buffer, CodecId, Offset, TimestampMs
from fakekafka.records import attributes as bits
from fakekafka.records import message
from fakekafka.records.append.message_conversion import (
    KEY_SIZE_AT,
    Entry,
    cut_and_paste,
    in_format,
    layout_of,
    readable,
    rewritten,
)
from fakekafka.records.append.messages import (
    check_key,
    check_sizes,
    checked_messages,
    codec_of,
    how_made,
    in_wrapper,
    last_codec,
    messages_inside,
    of_units,
    refused,
)
from fakekafka.records.append.prepared import (
    AppendTarget,
    CpuClock,
    How,
    Prepared,
    SetRefused,
    indexes_old_format,
    limits,
)
from fakekafka.records.compression import NONE
from fakekafka.records.malformed import BrokenLz4Block, CorruptUnit, InvalidRecord
from fakekafka.records.message import Message
from fakekafka.releases.behaviours.append import AppendBehaviour


def prepare(
    data: Buffer,
    target: AppendTarget,
    rules: AppendBehaviour,
    start: Offset,
    now: TimestampMs,
    _from_client: bool,
    cpu_ns: CpuClock,
) -> Prepared | None:
    """See `append.Prepare`."""
    try:
        messages = checked_messages(data, target, rules)
        if not messages:
            return None
        whole_messages = memoryview(data)[: sum(m.size for m in messages)]
        prepared = _Set(messages, target, rules, start, now, cpu_ns).prepared(whole_messages)
        check_sizes(prepared, target, rules)
    except BrokenLz4Block as wrong:
        if rules.broken_lz4_block == "fails in format 0" and messages[0].magic == 0:
            raise SetRefused(ErrorCode.UNKNOWN_SERVER_ERROR, str(wrong)) from None
        raise refused(wrong, rules) from None
    except MalformedBytes as wrong:
        raise refused(wrong, rules) from None
    return prepared


class _Set:
    """One set that is being prepared."""

    def __init__(
        self,
        messages: list[Message],
        target: AppendTarget,
        rules: AppendBehaviour,
        start: Offset,
        now: TimestampMs,
        cpu_ns: CpuClock,
    ) -> None:
        self.messages = messages
        self.target = target
        self.rules = rules
        self.start = start
        self.now = now
        self.cpu_ns = cpu_ns
        self.source: CodecId = last_codec(messages, rules)
        self.codec: CodecId = self.source if target.codec is None else target.codec

    def prepared(self, data: memoryview) -> Prepared:
        plain = self.source == NONE and self.codec == NONE
        if plain and all(m.magic == self.target.magic for m in self.messages):
            return self._stamp_each(data)
        began_ns = self.cpu_ns()
        if plain:
            made = self._convert_plain()
        else:
            entries = list(_entries(self.messages, self.rules))
            in_order = self._check_entries(entries)
            if in_order and self.source == self.codec and self.target.magic > 0:
                return self._stamp_first(data, entries)
            made = self._rebuild(entries)
        return made._replace(cpu_ns=self.cpu_ns() - began_ns)

    # ---- checks

    def _check_entries(self, entries: list[Entry]) -> bool:
        """Check every message of a set with wrappers. True if no message needs another offset or another format."""
        expected = count()
        in_order = True
        for entry in entries:
            self._check_key(entry.message)
            if entry.message.magic and self.target.magic:
                self._check_time(entry.timestamp, entry.timestamp_type)
                in_order = entry.offset == next(expected) and in_order
            in_order = in_order and entry.message.magic == self.target.magic
        return in_order

    def _check_key(self, sent: Message) -> None:
        check_key(sent, KEY_SIZE_AT[layout_of(sent)], 0, self.target, self.rules)

    def _check_time(self, timestamp: TimestampMs, timestamp_type: int) -> None:
        bounds = limits(self.target, self.now)
        has_time = timestamp != NO_TIMESTAMP or not self.rules.missing_timestamp_passes
        if bounds is not None and has_time and not bounds[0] <= timestamp <= bounds[1]:
            raise SetRefused(ErrorCode.INVALID_TIMESTAMP, f"Timestamp {timestamp} of message is out of range.")
        if timestamp_type == bits.LOG_APPEND_TIME_TYPE:
            raise SetRefused(ErrorCode.INVALID_TIMESTAMP, "Producer should not set timestamp type to LogAppendTime.")

    # ---- stored as it came

    def _stamp_each(self, data: memoryview) -> Prepared:
        """Plain messages in place: the next offsets, and the append time."""
        target, now = self.target, self.now
        largest, at = NO_TIMESTAMP, NO_OFFSET
        for offset, sent in enumerate(self.messages, self.start):
            if target.compacted:
                self._check_key(sent)
            unit = sent.data
            assert isinstance(unit, memoryview)
            message.set_offset(unit, offset)
            if sent.magic:
                self._check_time(sent.max_timestamp, sent.timestamp_type)
                if target.append_time:
                    message.set_timestamp(unit, bits.LOG_APPEND_TIME_TYPE, now)
                timestamp = now if target.append_time else sent.max_timestamp
                if timestamp > largest:
                    largest, at = timestamp, offset
        if target.append_time and indexes_old_format(self.rules, rebuilt=False):
            largest, at = now, self.start
        how = How.STAMPED if target.append_time and target.magic else How.KEPT
        units = [Message(m.data) for m in self.messages]
        return Prepared(data, self.start, self.start + len(units) - 1, largest, at, units, how)

    def _stamp_first(self, data: memoryview, entries: list[Entry]) -> Prepared:
        """A wrapper in place. What follows it in the set keeps its offsets: these brokers stamp only the first unit."""
        rules, target = self.rules, self.target
        match rules.inner_crc:
            case "never":
                pass
            case "in place" | "always":
                if not all(entry.message.crc_ok() for entry in entries):
                    raise CorruptUnit("wrong checksum of a message in a wrapper")
            case rule:
                assert_never(rule)
        last = self.start + len(entries) - 1
        first = self.messages[0].data
        assert isinstance(first, memoryview)
        message.set_offset(first, last)
        said, largest = Message(first).max_timestamp, max([NO_TIMESTAMP, *(e.timestamp for e in entries)])
        if target.append_time:
            message.set_timestamp(first, bits.LOG_APPEND_TIME_TYPE, self.now)
        elif rules.wrapper_time == "largest inside":
            message.set_timestamp(first, bits.CREATE_TIME_TYPE, largest)
        if rules.stamped_crc == "to the end" and (target.append_time or said != largest):
            message.set_crc(data)
        units = [Message(m.data) for m in self.messages]
        how = How.KEPT if units[0].max_timestamp == said and not target.append_time else How.STAMPED
        return Prepared(data, self.start, last, units[0].max_timestamp, last, units, how)

    # ---- rebuilt

    def _rebuild(self, entries: list[Entry]) -> Prepared:
        """All messages of a set in one wrapper, or plain."""
        magic, rules, start = self.target.magic, self.rules, self.start
        wanted = [in_format(entry, magic, rules) for entry in entries]
        last = start + len(entries) - 1
        times = [entry.timestamp if magic else NO_TIMESTAMP for entry in entries]
        largest = max([NO_TIMESTAMP, *times])
        at = last if self.codec or largest == NO_TIMESTAMP else start + times.index(largest)
        if self.target.append_time and (magic > 0 or indexes_old_format(rules, rebuilt=True)):
            largest, at = self.now, start if self.codec == NONE and rules.plain_append_time_at == "first" else last
        how = how_made((entry.message for entry in entries), magic)
        if self.codec == NONE or not wanted:
            return of_units(wanted, start, largest, at, how)
        append_time = self.target.append_time and magic > 0
        data = in_wrapper(wanted, magic, self.codec, start, self.target, rules, largest, append_time)
        return Prepared(data, start, last, largest, at, [Message(data)], how)

    def _convert_plain(self) -> Prepared:
        """Plain messages, each in the target's format."""
        rules, target, start = self.rules, self.target, self.start
        made = [self._converted(sent) for sent in self.messages]
        times = [timestamp for _, timestamp in made]
        largest = max([NO_TIMESTAMP, *times])
        at = start + times.index(largest) if largest in times else NO_OFFSET
        if rules.plain_append_time_at == "last" and (target.append_time or largest == NO_TIMESTAMP):
            largest, at = self.now if target.append_time else NO_TIMESTAMP, start + len(made) - 1
        return of_units([unit for unit, _ in made], start, largest, at, How.CONVERTED)

    def _converted(self, sent: Message) -> tuple[bytes, TimestampMs]:
        """A plain message in the target's format, and the timestamp that it brings to the time index."""
        rules, target = self.rules, self.target
        self._check_key(sent)
        seen = readable(sent)
        timestamp = seen.max_timestamp
        self._check_time(timestamp, seen.timestamp_type)
        if rules.conversion == "cut and paste":
            time = self.now if target.append_time else NO_TIMESTAMP
            unit = cut_and_paste(sent, target.magic, target.append_time, time)
            return unit, time if target.magic else NO_TIMESTAMP
        if sent.magic == target.magic:
            return bytes(sent.data), timestamp
        time = self.now if target.append_time else timestamp
        return rewritten(sent, target.magic, target.append_time, time), time


# ---- opening wrappers


def _entries(messages: Iterable[Message], rules: AppendBehaviour) -> Iterator[Entry]:
    """All messages of the set, those in wrappers taken out."""
    for sent in messages:
        if codec_of(sent, rules) == NONE:
            seen = readable(sent)
            yield Entry(sent.last_offset, sent, seen.max_timestamp, seen.timestamp_type)
        else:
            yield from _entries_inside(sent, rules)


def _entries_inside(outer: Message, rules: AppendBehaviour) -> Iterator[Entry]:
    inside = messages_inside(outer, layout_of(outer), rules)
    if any(m.magic != outer.magic for m in inside):
        raise SetRefused(rules.mixed_wrapper, "a message of another format in a wrapper")
    if rules.refuses_nested and any(m.codec != NONE for m in inside):
        raise InvalidRecord("a wrapper in a wrapper")
    shift = _shift(outer, inside, rules)
    seen = readable(outer)
    kind = seen.timestamp_type
    append_time = seen.max_timestamp if kind == bits.LOG_APPEND_TIME_TYPE else None
    for m in inside:
        yield Entry(m.last_offset + shift, m, readable(m).max_timestamp if append_time is None else append_time, kind)


def _shift(outer: Message, inside: list[Message], rules: AppendBehaviour) -> Offset:
    """What makes the offsets inside absolute."""
    if outer.magic == 0 or not inside:
        return 0
    base = outer.last_offset - inside[-1].last_offset
    return base if rules.inner_offsets == "from the last" or base >= 0 else 0
