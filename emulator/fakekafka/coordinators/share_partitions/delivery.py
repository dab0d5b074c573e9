"""One share partition at its leader: who has which records, and how often each was delivered (SharePartition).

    available -> acquired -> acknowledged | archived
        ^------------'        (released, or its lock is over; archived once it was delivered too often)

Records before `start` are finished; those after `end` have never been delivered.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

from fakekafka.coordinators.share_partitions.state_records import UNKNOWN_START, Change, Span, joined
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import Offset


class Status(IntEnum):
    """Numbers as in records."""

    AVAILABLE = 0
    ACQUIRED = 1
    ACKNOWLEDGED = 2
    ARCHIVED = 4


class Ack(IntEnum):
    """A member's acknowledgement of a record."""

    GAP = 0
    ACCEPT = 1
    RELEASE = 2
    REJECT = 3
    RENEW = 4


class Out(NamedTuple):
    """A record in flight."""

    status: Status
    deliveries: int
    member: str = ""
    lock: int = 0
    """The number of the lock under which it is acquired."""


class AckBatch(NamedTuple):
    """A member's acknowledgements of several records: one type for all, or one for each."""

    first: Offset
    last: Offset
    types: Sequence[int]


class Want(NamedTuple):
    """How much a member wants."""

    most: int
    """The number of records. Batches of the log are given whole unless `strict`."""
    unit: int
    """The number of records that go out together, if batches of the log allow it."""
    strict: bool = False
    """KIP-1206."""
    room: int = 2000
    """How many may be in flight."""


DONE: Final = (Status.ACKNOWLEDGED, Status.ARCHIVED)
OUTCOMES: Final = {Ack.GAP: Status.ARCHIVED, Ack.ACCEPT: Status.ACKNOWLEDGED, Ack.REJECT: Status.ARCHIVED}
PAST_FIRST: Final = "Batch record not found. The first offset in request is past acquired records."
NOT_ACQUIRED: Final = "The batch cannot be acknowledged. The batch is not in the acquired state."
PAST_LAST: Final = "Batch record not found. The last offset in request is past acquired records."
Range = tuple[Offset, Offset]
Persist = Callable[[Change], None]


class Rules(NamedTuple):
    """How a release delivers."""

    joins: bool = True
    """Whether records of a split unit are shown in spans, or one by one."""
    not_acquired: str = "The offset cannot be acknowledged. The offset is not acquired."
    """The error message for acknowledgements of single records that no member has."""
    reads_released: bool = False
    """Whether a fetch reads from records on that it just releases, although it does not get them."""
    throttles: bool = False
    """Whether records that were often returned go out in ever smaller numbers, and on the last attempt one by one."""


JOINS: Final = Rules()


class Unit(NamedTuple):
    """Records that went out together for the first time (InFlightBatch)."""

    first: Offset
    last: Offset
    split: bool = False
    """Whether its records are in different states."""


class Answer(NamedTuple):
    """Records that change, and what is stored about that."""

    records: dict[Offset, Out]
    change: Change


class Delivery:
    """The records of one share partition. `persist` stores a change, or raises `ApiError`."""

    def __init__(self, start: Offset, spans: Iterable[Span], persist: Persist, rules: Rules = JOINS) -> None:
        self.start = start
        self.records: dict[Offset, Out] = {}
        self.last_fetched_at = UNKNOWN_START
        """The last offset from which a fetch wanted to read. Partitions where that has not changed are read first."""
        self._releasing: Offset | None = None
        """The first record that is being released."""
        self._persist = persist
        self._rules = rules
        self._locks = 0
        self._units: dict[Offset, Unit] = {}
        """Keyed by first offset, in order."""
        for span in spans:
            first = max(start, span.first)
            self._units[first] = Unit(first, span.last)
            for offset in range(first, span.last + 1):
                self.records[offset] = Out(Status(span.state), span.deliveries)
        self.end = max(self.records, default=start - 1)
        self._go_on()

    @property
    def next_offset(self) -> Offset:
        """The first record that is available."""
        free = (offset for offset in range(self.start, self.end + 1) if self._is_free(offset))
        return next(free, self.end + 1)

    @property
    def read_offset(self) -> Offset:
        """Where the next fetch begins to read."""
        return self.next_offset if self._releasing is None else min(self._releasing, self.next_offset)

    def _is_free(self, offset: Offset) -> bool:
        out = self.records.get(offset)
        return out is not None and out.status is Status.AVAILABLE

    def has_room(self, limit: int, *, only_new: bool = False) -> bool:
        """Whether more records may go out. `limit`: how many may be in flight. `only_new`: without those returned."""
        came_back = self.next_offset <= self.end
        return not only_new if came_back else self.size < limit

    def move_start(self, start: Offset) -> None:
        """Adjust to a log that now begins later."""
        if start > self.start:
            self.records = {offset: out for offset, out in self.records.items() if offset >= start}
            self.start, self.end = start, max(self.end, start - 1)
            self._units = {first: unit for first, unit in self._units.items() if unit.last >= start}

    # ---- going out

    def acquire(self, member: str, batches: Sequence[Range], want: Want, limit: int) -> list[Span]:
        """Give a member what is free in `batches`, the first and last offsets of batches in the log; `limit`: of
        deliveries. Returns what it got, with delivery counts.
        """
        self._locks += 1
        base, last = batches[0][0], batches[-1][1]
        self._archive(o for o in range(self.next_offset, min(base, self.end + 1)) if self._is_free(o))
        often = max(2, -(-limit // 2)) if self._rules.throttles else limit + 1
        taken: list[Span] = []
        left = min(want.most, self._capacity(want.room))
        for unit in [u for u in self._units.values() if u.first <= last]:
            free = [o for o in range(max(unit.first, base, self.start), min(unit.last, last) + 1) if self._is_free(o)]
            throttled = any(self.records[offset].deliveries >= often for offset in free)
            if left <= 0 or (throttled and taken):
                return taken
            if not free:
                continue
            whole = base <= unit.first and unit.last <= last and len(free) == unit.last - unit.first + 1
            if unit.split or not whole or throttled or (want.strict and left < len(free)):
                unit = self._units[unit.first] = unit._replace(split=True)
                free = self._portion(unit, free, left if want.strict else len(free), often, limit)
            taken += self._lock(member, free, joins=self._rules.joins or not unit.split)
            left -= len(free)
            if throttled:
                return taken
        if left > 0 and last > self.end:
            taken += self._acquire_new(member, batches, want._replace(most=min(left, want.room - self.size)))
        return taken

    def _capacity(self, room: int) -> int:
        """How many records may go out: as many as more may be in flight; without room for more, those that came back
        (SharePartition.lastOffsetAndMaxRecordsToAcquire).
        """
        more = room - self.size
        return more if more > 0 else self.end - self.next_offset + 1

    def _portion(self, unit: Unit, free: Sequence[Offset], most: int, often: int, limit: int) -> list[Offset]:
        """Which records of a split unit go out: the more often they were returned, the fewer; at last one by one."""
        portion: list[Offset] = []
        for offset in free[:most]:
            count = self.records[offset].deliveries
            if self._rules.throttles and count == limit - 1 and limit > 2:
                return portion or [offset]
            if count >= often:
                most = min(most, max(1, (unit.last - unit.first + 1) >> (count - often + 1)))
                often = limit + 1  # the first one decides
            portion.append(offset)
            if len(portion) >= most:
                break
        return portion

    def _acquire_new(self, member: str, batches: Sequence[Range], want: Want) -> list[Span]:
        """Give a member records that were never delivered."""
        fresh = [(max(first, self.end + 1), last) for first, last in batches if last > self.end]
        first = fresh[0][0]
        if want.most <= 0:
            return []
        ends = [last for _, last in fresh if last >= first + want.most - 1]
        last = ends[0] if ends else fresh[-1][1]
        stop = min(last, first + want.most - 1) if want.strict else last
        begun = first
        for end in [end for _, end in fresh if end < last]:
            if not want.strict and last - first >= want.unit and end - begun + 1 >= want.unit:
                self._units[begun] = Unit(begun, end)
                begun = end + 1
        self._units[begun] = Unit(begun, last, split=stop < last)
        for offset in range(first, last + 1):
            self.records[offset] = Out(Status.AVAILABLE, 0)
        self.end = last
        units = [unit for unit in self._units.values() if unit.last >= first]
        spans = [
            span
            for unit in units
            for span in self._lock(member, range(unit.first, min(unit.last, stop) + 1), joins=True)
        ]
        if want.unit > 0 or want.strict:
            return spans
        return [Span(first, first - 1, Status.ACQUIRED, 1), *spans]  # as real brokers end a unit of no records

    def _lock(self, member: str, offsets: Iterable[Offset], *, joins: bool) -> list[Span]:
        rows = []
        for offset in offsets:
            count = self.records[offset].deliveries + 1
            self.records[offset] = Out(Status.ACQUIRED, count, member, self._locks)
            rows.append(Span(offset, offset, Status.ACQUIRED, count))
        return joined((span.first, span.state, span.deliveries) for span in rows) if joins else rows

    def leave_out(self, ranges: Iterable[Range], acquired: Sequence[Span]) -> list[Span]:
        """What was just acquired, without the records in `ranges`, which no member may get. That is not stored."""
        out = {offset for first, last in ranges for offset in range(first, last + 1)}
        if not out:
            return list(acquired)
        for unit in list(self._units.values()):
            covered = sum(offset in out for offset in range(unit.first, unit.last + 1))
            if 0 < covered <= unit.last - unit.first:
                self._units[unit.first] = unit._replace(split=True)
        spans: list[Span] = []
        for span in acquired:
            offsets = range(span.first, span.last + 1)
            self._archive(offset for offset in offsets if offset in out)
            spans += joined((offset, span.state, span.deliveries) for offset in offsets if offset not in out)
        return spans

    def _archive(self, offsets: Iterable[Offset]) -> None:
        for offset in list(offsets):
            self.records[offset] = Out(Status.ARCHIVED, self.records[offset].deliveries)

    @property
    def size(self) -> int:
        """How many records are in flight."""
        return self.end - self.start + 1

    @property
    def last_lock(self) -> int:
        """Number of the last lock that was given out."""
        return self._locks

    # ---- coming back

    def answered(self, member: str, batches: Sequence[AckBatch], limit: int) -> Answer:
        """What a member's acknowledgements change, all or nothing, for `store`. `limit`: of deliveries. Raises
        `ApiError`.
        """
        changed: dict[Offset, Out] = {}
        for batch in batches:
            self._check(batch)
            self._split(batch, member)
            for offset in range(max(batch.first, self.start), batch.last + 1):
                word = Ack(batch.types[0] if len(batch.types) == 1 else batch.types[offset - batch.first])
                if offset in self.records:
                    out = changed.get(offset, self.records[offset])
                    split = self._unit_of(offset).split
                    changed[offset] = _answered(out, member, word, limit, split, self._rules.not_acquired)
        answer = self._answer(changed)
        if self._rules.reads_released:
            self._releasing = min(
                (o for o, out in answer.records.items() if out.status is Status.AVAILABLE), default=None
            )
        return answer

    def _unit_of(self, offset: Offset) -> Unit:
        return next(unit for unit in self._units.values() if unit.first <= offset <= unit.last)

    def _split(self, batch: AckBatch, member: str) -> None:
        """Split units that are acknowledged in parts."""
        for unit in list(self._units.values()):
            if unit.last < max(batch.first, self.start) or unit.first > batch.last or unit.split:
                continue
            covered = batch.first <= unit.first and unit.last <= batch.last and self.start <= unit.first
            out = self.records[unit.last]
            is_its = out.status is Status.ACQUIRED and out.member == member
            if is_its and (not covered or len(batch.types) > 1):
                self._units[unit.first] = unit._replace(split=True)

    def _check(self, batch: AckBatch) -> None:
        if batch.last < self.start:
            return
        if batch.first > self.end:
            raise ApiError(ErrorCode.INVALID_REQUEST, PAST_FIRST)
        if batch.last > self.end:
            raise ApiError(ErrorCode.INVALID_REQUEST, PAST_LAST)

    def release(self, member: str, limit: int, *, counts: bool) -> None:
        """Make a member's records available again. `counts`: whether they count as delivered. Raises `ApiError`."""
        mine = {o: out for o, out in self.records.items() if out.status is Status.ACQUIRED and out.member == member}
        back = _freed if counts else _untouched
        self.store(self._answer({offset: back(out, limit) for offset, out in mine.items()}))

    def expire(self, lock: int, limit: int) -> bool:
        """End a lock, and return whether anything was still under it. The records are free even if that cannot be
        stored.
        """
        late = {o: out for o, out in self.records.items() if out.status is Status.ACQUIRED and out.lock == lock}
        freed = {offset: _freed(out, limit) for offset, out in late.items()}
        try:
            self.store(self._answer(freed))
        except ApiError:
            self.records.update(freed)
            self._go_on()
        return bool(late)

    def renewed(self, member: str, batches: Sequence[AckBatch]) -> bool:
        """Whether the member has asked for more time. Its records are then under a new lock."""
        wanted = [b for b in batches if Ack.RENEW in b.types]
        if not wanted:
            return False
        self._locks += 1
        for batch in wanted:
            for offset in range(batch.first, batch.last + 1):
                out = self.records.get(offset)
                if out is not None and out.status is Status.ACQUIRED and out.member == member:
                    self.records[offset] = out._replace(lock=self._locks)
        return True

    def _answer(self, changed: dict[Offset, Out]) -> Answer:
        changed = {offset: out for offset, out in changed.items() if out != self.records.get(offset)}
        complete = sum(out.status in DONE for out in (self.records | changed).values())
        spans = joined((offset, changed[offset].status, changed[offset].deliveries) for offset in sorted(changed))
        return Answer(changed, Change(self.start, tuple(spans), complete))

    def store(self, answer: Answer) -> None:
        """Change records, store that, and move the start past finished ones. Raises `ApiError`, and changes nothing, if
        it cannot be stored.
        """
        self._releasing = None
        if answer.records:
            self._persist(answer.change)
            self.records.update(answer.records)
            self._go_on()

    def _go_on(self) -> None:
        """Move the start past finished records."""
        while (out := self.records.get(self.start)) is not None and out.status in DONE:
            del self.records[self.start]
            self.start += 1
        self._units = {first: unit for first, unit in self._units.items() if unit.last >= self.start}


def _answered(out: Out, member: str, word: Ack, limit: int, split: bool, offset_words: str) -> Out:
    """A record after its acknowledgement. Raises `ApiError` if it is not the member's."""
    if out.status is not Status.ACQUIRED:
        raise ApiError(ErrorCode.INVALID_RECORD_STATE, offset_words if split else NOT_ACQUIRED)
    if out.member != member:
        words = "Member is not the owner of offset" if split else "Member is not the owner of batch record"
        raise ApiError(ErrorCode.INVALID_RECORD_STATE, words)
    if word is Ack.RENEW:
        return out
    return _freed(out, limit) if word is Ack.RELEASE else Out(OUTCOMES[word], out.deliveries)


def _untouched(out: Out, _: int) -> Out:
    """A record that is available again, as if it had not been delivered this time."""
    return Out(Status.AVAILABLE, max(0, out.deliveries - 1))


def _freed(out: Out, limit: int) -> Out:
    """A record that is available again, unless it was delivered too often."""
    return Out(Status.AVAILABLE if out.deliveries < limit else Status.ARCHIVED, out.deliveries)
