"""The share coordinator: how far each share partition was delivered, written down in `__share_group_state`
(ShareCoordinatorShard).

A share partition is a partition of a topic as one group reads it. Its state begins with a snapshot; every change is an
update, and after `share.coordinator.snapshot.update.records.per.snapshot` of them comes another snapshot.

A partition of the topic is read when it is needed for the first time in a leader epoch. Writing goes straight to the
leading broker's log, whoever asks: the requests that brokers send each other for this do not show.
"""

import base64
import struct
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.broker.internal_topics import NOBODY, Producer, append, ensure, partition_for
from fakekafka.broker.partition import Partition
from fakekafka.broker.topics import SHARE_GROUP_STATE
from fakekafka.errors import ErrorCode
from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, TimestampMs, Uuid
from fakekafka.pieces import buffers
from fakekafka.records.scan import batches
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.share_group_state import (
    RECORDS,
    ShareSnapshotKey,
    ShareSnapshotValue,
    ShareUpdateKey,
    ShareUpdateValue,
    StateBatch,
)

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker

UNKNOWN_START: Final = -1
"""Start offset of a share partition that nobody has read from yet."""
_PREFIX = struct.Struct(">h")
READ_BYTES: Final = 1 << 20


class Place(NamedTuple):
    """A share partition."""

    group: str
    topic: Uuid
    partition: PartitionIndex

    @property
    def key(self) -> str:
        """By which it belongs to a partition of the topic."""
        topic = base64.urlsafe_b64encode(self.topic).decode().rstrip("=")
        return f"{self.group}:{topic}:{self.partition}"


class Span(NamedTuple):
    """Records next to each other in the same state."""

    first: Offset
    last: Offset
    state: int
    """0 available, 2 acknowledged, 4 archived."""
    deliveries: int
    """How often they were delivered."""


class State(NamedTuple):
    """What is written down of a share partition."""

    snapshot_epoch: int
    epoch: int
    """Group epoch in which it was initialized."""
    start: Offset
    spans: tuple[Span, ...]
    complete: int
    """Records behind the start offset that nobody will get again; -1 where the release does not count them."""
    created: TimestampMs
    leader_epoch: LeaderEpoch = 0
    """Of the leader that wrote last."""
    updates: int = 0
    """Since the last snapshot."""


class ShareStates:
    """The states of one broker's share of the topic; it asks others for theirs."""

    def __init__(self, broker: "Broker") -> None:
        self._broker = broker
        self._known: dict[tuple[PartitionIndex, LeaderEpoch], dict[Place, State]] = {}

    @property
    def _keeps_count(self) -> bool:
        return self._broker.profile.share_groups.complete_count

    def read(self, place: Place) -> State | None:
        """The state of a share partition; None: there is none."""
        return self._states(place)[1].get(place)

    def claim(self, place: Place) -> State | None:
        """The same for a leader that begins to deliver; it notes that it leads now."""
        state = self.read(place)
        if state is not None and self._leader_epoch(place) > state.leader_epoch:
            self.write(place, state.start, (), state.complete)
            return self.read(place)
        return state

    def initialize(self, place: Place, epoch: int, start: Offset) -> None:
        """Begin a state, or begin it anew at another offset."""
        partition, states = self._states(place)
        old = states.get(place)
        now = self._now
        complete = 0 if self._keeps_count and start != UNKNOWN_START else -1
        snapshot = 0 if old is None else old.snapshot_epoch + 1
        leader_epoch = 0 if old is None else old.leader_epoch
        self._snapshot(partition, states, place, State(snapshot, epoch, start, (), complete, now, leader_epoch))

    def write(self, place: Place, start: Offset, spans: Iterable[Span], complete: int) -> None:
        """Note a change: `spans` take the place of what was known of the same records."""
        partition, states = self._states(place)
        old = states.get(place) or State(0, 0, start, (), -1, self._now)
        complete = complete if self._keeps_count else -1
        changed = tuple(spans)
        merged = _merged(old.spans, changed, start)
        if old.updates >= self._broker.config.int("share.coordinator.snapshot.update.records.per.snapshot"):
            leads = self._leader_epoch(place)
            renewed = State(old.snapshot_epoch + 1, old.epoch, start, merged, complete, old.created, leads)
            self._snapshot(partition, states, place, renewed)
            return
        leads = self._leader_epoch(place)
        states[place] = old._replace(
            start=start, spans=merged, complete=complete, leader_epoch=leads, updates=old.updates + 1
        )
        value = ShareUpdateValue(
            snapshot_epoch=old.snapshot_epoch,
            leader_epoch=leads,
            start_offset=start,
            state_batches=_rows(changed),
            delivery_complete_count=complete,
        )
        key = ShareUpdateKey(group_id=place.group, topic_id=place.topic, partition=place.partition)
        self._append(partition, (_PREFIX.pack(1) + encode_bytes(key, 0), _PREFIX.pack(0) + encode_bytes(value, 0)))

    def delete(self, place: Place) -> None:
        """Forget a state."""
        partition, states = self._states(place)
        if states.pop(place, None) is not None:
            self._append(partition, (_snapshot_key(place), None))

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    # ---- the log

    @property
    def _now(self) -> TimestampMs:
        return self._broker.cluster.clock.now_ms

    @property
    def _producer(self) -> Producer:
        numbered = self._broker.profile.offsets.numbered_batches == "all"
        return NOBODY._replace(sequence=0) if numbered else NOBODY

    def _leader_epoch(self, place: Place) -> LeaderEpoch:
        topic = self._broker.cluster.topics_by_id.get(place.topic)
        state = None if topic is None else topic.partition(place.partition)
        return 0 if state is None else state.leader_epoch

    def _snapshot(self, partition: Partition | None, states: dict[Place, State], place: Place, state: State) -> None:
        states[place] = state
        value = ShareSnapshotValue(
            snapshot_epoch=state.snapshot_epoch,
            state_epoch=state.epoch,
            leader_epoch=state.leader_epoch,
            start_offset=state.start,
            create_timestamp=state.created,
            write_timestamp=self._now,
            state_batches=_rows(state.spans),
            delivery_complete_count=state.complete,
        )
        self._append(partition, (_snapshot_key(place), _PREFIX.pack(0) + encode_bytes(value, 0)))

    def _append(self, partition: Partition | None, record: tuple[bytes, bytes | None]) -> None:
        if partition is not None:
            append(self._broker.cluster.waiters, partition, [record], self._now, producer=self._producer)

    def _states(self, place: Place) -> tuple[Partition | None, dict[Place, State]]:
        """The partition that has a state, and the states in it."""
        topic = ensure(self._broker, SHARE_GROUP_STATE)
        if topic is None:
            return None, {}
        index = partition_for(place.key, len(topic.partitions))
        led = topic.partition(index)
        leader = None if led is None else self._broker.cluster.brokers.get(led.leader)
        if led is None or leader is None:
            return None, {}
        partition = leader.partition(SHARE_GROUP_STATE, index)
        known = leader.share_states._known
        if partition is None:
            return None, {}
        at = (index, led.leader_epoch)
        if at not in known:
            known[at] = loaded(partition)
        return partition, known[at]


def loaded(partition: Partition) -> dict[Place, State]:
    """All states that a partition of the topic has."""
    states: dict[Place, State] = {}
    log = partition.log
    at = log.log_start_offset
    while at < log.log_end_offset:
        found = log.read(at, READ_BYTES, log.log_end_offset, min_one=True)
        assert not isinstance(found, ErrorCode)
        for batch in batches(b"".join(buffers(found.buffers))):
            at = batch.last_offset + 1
            for record in batch.records():
                if record.key is not None:
                    _replay(states, record.key, record.value)
    return states


def _replay(states: dict[Place, State], key: bytes, value: bytes | None) -> None:
    shapes = RECORDS.get(_PREFIX.unpack_from(key)[0])
    if shapes is None:
        return
    found = decode(shapes[0], 0, key, _PREFIX.size)[0]
    assert isinstance(found, ShareSnapshotKey | ShareUpdateKey)
    place = Place(found.group_id, found.topic_id, found.partition)
    if value is None:
        states.pop(place, None)
        return
    told = decode(shapes[1], 0, value, _PREFIX.size)[0]
    assert isinstance(told, ShareSnapshotValue | ShareUpdateValue)
    spans = tuple(Span(b.first_offset, b.last_offset, b.delivery_state, b.delivery_count) for b in told.state_batches)
    complete = told.delivery_complete_count
    if isinstance(told, ShareSnapshotValue):
        created = told.create_timestamp
        numbers = told.snapshot_epoch, told.state_epoch, told.start_offset
        states[place] = State(*numbers, spans, complete, created, told.leader_epoch)
    elif place in states:
        old = states[place]
        start = old.start if told.start_offset == UNKNOWN_START else told.start_offset
        merged = _merged(old.spans, spans, start)
        states[place] = old._replace(
            start=start, spans=merged, complete=complete, leader_epoch=told.leader_epoch, updates=old.updates + 1
        )


def _merged(old: Iterable[Span], new: Iterable[Span], start: Offset) -> tuple[Span, ...]:
    """Spans with others over them, from `start` on (PersisterStateBatchCombiner)."""
    by_offset: dict[Offset, tuple[int, int]] = {}
    for span in [*old, *new]:
        for offset in range(max(span.first, start), span.last + 1):
            by_offset[offset] = (span.state, span.deliveries)
    return tuple(joined((offset, *by_offset[offset]) for offset in sorted(by_offset)))


def joined(rows: Iterable[tuple[Offset, int, int]]) -> list[Span]:
    """Records, one by one and in order, as spans."""
    spans: list[Span] = []
    for offset, state, count in rows:
        if spans and spans[-1][1:] == (offset - 1, state, count):
            spans[-1] = spans[-1]._replace(last=offset)
        else:
            spans.append(Span(offset, offset, state, count))
    return spans


def _rows(spans: Iterable[Span]) -> list[StateBatch]:
    return [
        StateBatch(first_offset=first, last_offset=last, delivery_state=state, delivery_count=count)
        for first, last, state, count in spans
    ]


def _snapshot_key(place: Place) -> bytes:
    key = ShareSnapshotKey(group_id=place.group, topic_id=place.topic, partition=place.partition)
    return _PREFIX.pack(0) + encode_bytes(key, 0)
