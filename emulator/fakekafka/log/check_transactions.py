"""Check that transaction indexes list what the markers in the log abort.

What must be in the index of a segment follows from the log alone (ProducerStateManager.completeTxn): for each ABORT
marker in it, the first offset of that producer's open transaction, the marker's own offset, and what the last stable
offset was then. The first batch of a transaction can only be missing from a log that does not begin at 0 or was
compacted.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Offset, ProducerId
from fakekafka.log.findings import Finding
from fakekafka.log.findings import FindingKind as Kind
from fakekafka.log.txn_index import ENTRY_SIZE, AbortedTxn, TxnIndex
from fakekafka.records.batch import Batch
from fakekafka.records.control import ControlType, control_type

DATA: Final = -1
"""An event that is the first batch of a transaction; the others are the types of their markers."""


class Event(NamedTuple):
    """A transaction begins or ends."""

    offset: Offset
    producer_id: ProducerId
    kind: int


class Transactions:
    """The beginnings and ends of transactions in one segment, in its order."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self._open: set[ProducerId] = set()

    def add(self, batch: Batch) -> None:
        """Take note of the next batch; a batch that cannot be read ends no transaction."""
        if batch.is_transactional:
            self.note(batch.base_offset, batch.producer_id, marker_of(batch) if batch.is_control else DATA)

    def note(self, offset: Offset, producer_id: ProducerId, kind: int | None) -> None:
        """`kind`: `DATA`, the type of a marker, or None for a control batch that is not a marker."""
        if kind == DATA and producer_id not in self._open:
            self._open.add(producer_id)
            self.events.append(Event(offset, producer_id, kind))
        elif kind is not None and kind != DATA:
            self._open.discard(producer_id)
            self.events.append(Event(offset, producer_id, kind))


def marker_of(batch: Batch) -> int | None:
    """Whether a control batch commits or aborts a transaction; None if it does neither, or cannot be read."""
    try:
        record = next(iter(batch.records()), None)
        kind = ControlType.UNKNOWN if record is None else control_type(record.key)
    except MalformedBytes:
        return None
    return int(kind) if kind in (ControlType.ABORT, ControlType.COMMIT) else None


class Replay:
    """Goes through the segments of a log in order, and compares their indexes."""

    def __init__(self, start: Offset, is_whole: bool) -> None:
        """`start`: where the log begins. `is_whole`: whether nothing was compacted away."""
        self._start = start
        self._is_whole = is_whole
        self._open: dict[ProducerId, Offset] = {}

    def findings(self, events: Sequence[Event], name: str, data: bytes | None) -> Iterator[Finding]:
        """What is wrong with the index `name` of the next segment; `data` is None where there is none."""
        index = TxnIndex()
        try:
            index.load(data or b"")
        except MalformedBytes:
            return  # reported with the segment's other indexes
        listed = {(entry.producer_id, entry.last_offset): (at, entry) for at, entry in enumerate(index.entries)}
        for expected in self._aborted(events):
            at, entry = listed.pop((expected.producer_id, expected.last_offset), (None, None))
            wrong = self._wrong(expected, entry)
            if wrong is not None:
                yield Finding(name, None if at is None else at * ENTRY_SIZE, Kind.TRANSACTION_INDEX, wrong)
        for at, entry in listed.values():
            what = f"producer {entry.producer_id} has no abort marker at {entry.last_offset}"
            yield Finding(name, at * ENTRY_SIZE, Kind.TRANSACTION_INDEX, what)
        if len(listed) == 0 and _out_of_order(index.entries):
            yield Finding(name, None, Kind.TRANSACTION_INDEX, "markers are not in the order of their offsets")

    def _aborted(self, events: Sequence[Event]) -> Iterator[AbortedTxn]:
        """What the segment's index must list; a first offset of -1 is not known."""
        for event in events:
            if event.kind == DATA:
                self._open.setdefault(event.producer_id, event.offset)
                continue
            first = self._open.pop(event.producer_id, -1)
            if event.kind == ControlType.ABORT:
                stable = min(self._open.values(), default=event.offset + 1)
                yield AbortedTxn(event.producer_id, first, event.offset, stable)

    def _wrong(self, expected: AbortedTxn, entry: AbortedTxn | None) -> str | None:
        first, known = expected.first_offset, self._is_whole and self._start == 0
        if entry is None:
            return None if first < 0 else f"the transaction that was aborted at {expected.last_offset} is not listed"
        if entry.first_offset != first and not self._may_begin(entry, first):
            where = "in no batch" if first < 0 else f"at {first}"
            return (
                f"the transaction that was aborted at {entry.last_offset} begins {where}, not at {entry.first_offset}"
            )
        if known and entry.last_stable_offset != expected.last_stable_offset:
            return f"the last stable offset at {entry.last_offset} was {expected.last_stable_offset}"
        return None

    def _may_begin(self, entry: AbortedTxn, first: Offset) -> bool:
        """Whether a transaction may have begun before its first batch that is here, or (to 2.4) without any."""
        if first < 0 and entry.first_offset == entry.last_offset:
            return True
        may_be_earlier = not self._is_whole or entry.first_offset < self._start
        return may_be_earlier and (first < 0 or entry.first_offset < first)


def _out_of_order(entries: Sequence[AbortedTxn]) -> bool:
    return any(later.last_offset <= earlier.last_offset for earlier, later in pairwise(entries))
