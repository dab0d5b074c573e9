"""Check the records of one batch or wrapper: compressed ones are inflated part by part, however many they are."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from typing import NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, Position
from fakekafka.records import hot, wrapper
from fakekafka.records.batch import Batch
from fakekafka.records.compression import NONE
from fakekafka.records.inflating import Inflating
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.message import Message
from fakekafka.records.parts import Part, checked_parts
from fakekafka.records.plugged import PLUGGED
from fakekafka.records.scan import LOG_OVERHEAD
from fakekafka.records.v2 import HEADER_BYTES, RecordBatch


def inside(batch: Batch) -> tuple[Offset, str | None]:
    """The first offset that a batch covers, and what is wrong with the records in it."""
    try:
        if isinstance(batch, RecordBatch):
            return batch.base_offset, _wrong_batch(batch)
        return _of_messages(batch)
    except MalformedBytes as wrong:
        return batch.last_offset, str(wrong)


class _Order:
    """Whether offsets ascend within bounds."""

    def __init__(self, lowest: Offset) -> None:
        self.before = lowest - 1
        self.wrong: str | None = None

    def add(self, offsets: Iterable[Offset]) -> None:
        """Look at offsets up to the first one that is out of order."""
        for offset in offsets if self.wrong is None else ():
            if offset <= self.before:
                self.wrong = f"a record at {offset} after one at {self.before}"
                return
            self.before = offset

    def end(self, highest: Offset) -> str | None:
        """What is wrong, once all offsets were seen."""
        if self.wrong is None and self.before > highest:
            return f"a record at {self.before}, after the last offset, {highest}"
        return self.wrong


# ---- format 2


def _wrong_batch(batch: RecordBatch) -> str | None:
    """What is wrong with a batch of format 2. Raises `MalformedBytes` for records that cannot be read."""
    last = batch.last_offset_delta
    if last < 0:
        return f"the last offset is {-last} before the first"
    if batch.count < 0:
        return f"a batch of {batch.count} records"
    if batch.count == 0:
        return None if batch.size == HEADER_BYTES else f"{batch.size - HEADER_BYTES} bytes, but no record"
    order, counting = _Order(0), True
    for part in _parts(batch):
        counting = counting and part.found.sequential
        if counting:
            order.before += part.number
        else:
            order.add(r.offset for r in hot.read_records(part.data[: part.end], part.number, 0, 0, -1, None))
    if counting:
        return None if batch.count <= last + 1 else f"{batch.count} records in {last + 1} offsets"
    return order.end(last)


def _parts(batch: RecordBatch) -> Iterator[Part]:
    """All records of a batch, part by part. Raises `InvalidRecord` or `UndecodablePayload`, maybe late."""
    if batch.codec in (NONE, PLUGGED):  # in memory already, or only a plug-in knows how to inflate it
        found = batch.check()
        return iter([Part(batch.payload.data, len(batch.payload.data), batch.count, found)])
    return checked_parts(batch.inflating(), batch.count, lengths=True)


# ---- formats 0 and 1


def _of_messages(batch: Batch) -> tuple[Offset, str | None]:
    """The first offset of a message or wrapper, and what is wrong with it. Raises `MalformedBytes`."""
    if isinstance(batch, Message) and batch.codec:
        offsets = _offsets_inside(batch)
    else:
        offsets = (record.offset for record in batch.records())
    first = next(offsets)
    order = _Order(first)
    order.add(chain([first], offsets))
    return first, order.end(batch.last_offset)


def _offsets_inside(message: Message) -> Iterator[Offset]:
    """The absolute offsets of a wrapper's messages, all of which can be read. Raises `MalformedBytes`, maybe late."""
    last, sets = None, list[_Set]()
    for part in _sets(message):
        sets = [*sets, part][:2]  # to know if there is a second one
        if part.positions:
            last = int.from_bytes(part.data[part.positions[-1] : part.positions[-1] + 8], "big", signed=True)
    if last is None:
        raise InvalidRecord("an empty wrapper")
    shift = wrapper.base_offset(message.magic, message.last_offset, last)
    for part in sets if len(sets) == 1 else _sets(message):
        with _counting_from(part.before):
            for record in hot.read_messages(part.data, part.positions, shift, None, None):
                yield record.offset


class _Set(NamedTuple):
    """Some messages of a wrapper."""

    data: bytes
    positions: Sequence[Position]
    """Where they begin in `data`."""
    before: Position
    """Where `data` begins."""


def _sets(message: Message) -> Iterator[_Set]:
    """The messages of a wrapper, part by part. Raises `MalformedBytes`."""
    payload = Inflating(wrapper.unwrap_pieces(message.magic, message.codec, message.value))
    before = used = needed = 0
    while payload.move(used, needed):
        with _counting_from(before):
            positions = hot.message_positions(payload.data)
        yield _Set(payload.data, positions, before)
        used = _end(payload.data, positions[-1]) if positions else 0
        needed = 0 if positions else 2 * len(payload.data)
        before += used


@contextmanager
def _counting_from(before: Position) -> Iterator[None]:
    """Say in a fault from where its positions count, if that is not the first message."""
    try:
        yield
    except MalformedBytes as wrong:
        if not before:
            raise
        raise type(wrong)(f"{wrong}, counted from {before}") from None


def _end(data: bytes, start: Position) -> Position:
    """Where the message ends that begins at `start`."""
    return start + LOG_OVERHEAD + int.from_bytes(data[start + 8 : start + LOG_OVERHEAD], "big")
