"""The state of a share partition, and the records of `__share_group_state` that hold it
(ShareCoordinatorRecordHelpers, ShareGroupOffset).

A share partition is a partition of a topic as one group reads it. Its state begins with a snapshot; every change is an
update, which holds what changed. All values are of version 0.
"""

import base64
import struct
from collections.abc import Iterable
from typing import Final, NamedTuple

from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, TimestampMs, Uuid
from fakekafka.wire.codec import decode, encode_bytes
from fakekafka.wire.internal.share_group_state import (
    RECORDS,
    ShareSnapshotKey,
    ShareSnapshotValue,
    ShareUpdateKey,
    ShareUpdateValue,
    StateBatch,
)

UNKNOWN_START: Final = -1
"""Start offset of a share partition that was never read."""
UNCHANGED: Final = -1
"""Start offset in an update that does not change it."""
_PREFIX = struct.Struct(">h")


class SharePartitionKey(NamedTuple):
    """A share partition."""

    group: str
    topic: Uuid
    partition: PartitionIndex

    @property
    def key(self) -> str:
        """The key that decides to which partition of the topic it belongs."""
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
    """The stored state of a share partition."""

    snapshot_epoch: int
    epoch: int
    """Group epoch in which it was initialized."""
    start: Offset
    spans: tuple[Span, ...]
    complete: int
    """The number of finished records after the start offset; -1 if the release does not count them."""
    created: TimestampMs
    leader_epoch: LeaderEpoch = 0
    """As in the last record."""
    fence: LeaderEpoch = 0
    """The newest leader epoch of all records."""
    updates: int = 0
    """The number of updates since the last snapshot."""


class Change(NamedTuple):
    """A change reported by a leader: `spans` replace what was known about the same records."""

    start: Offset
    spans: tuple[Span, ...] = ()
    complete: int = -1


def updated(state: State, change: Change, leader_epoch: LeaderEpoch) -> State:
    """A state after an update."""
    start = state.start if change.start == UNCHANGED else change.start
    return state._replace(
        start=start,
        spans=merged(state.spans, change.spans, start),
        complete=change.complete,
        leader_epoch=leader_epoch,
        fence=max(state.fence, leader_epoch),
        updates=state.updates + 1,
    )


# ---- records


def snapshot(place: SharePartitionKey, state: State, now: TimestampMs) -> tuple[bytes, bytes]:
    """A record with a whole state."""
    value = ShareSnapshotValue(
        snapshot_epoch=state.snapshot_epoch,
        state_epoch=state.epoch,
        leader_epoch=state.leader_epoch,
        start_offset=state.start,
        create_timestamp=state.created,
        write_timestamp=now,
        state_batches=_rows(state.spans),
        delivery_complete_count=state.complete,
    )
    return tombstone(place)[0], _PREFIX.pack(0) + encode_bytes(value, 0)


def update(
    place: SharePartitionKey, snapshot_epoch: int, change: Change, leader_epoch: LeaderEpoch
) -> tuple[bytes, bytes]:
    """A record with what changed."""
    key = ShareUpdateKey(group_id=place.group, topic_id=place.topic, partition=place.partition)
    value = ShareUpdateValue(
        snapshot_epoch=snapshot_epoch,
        leader_epoch=leader_epoch,
        start_offset=change.start,
        state_batches=_rows(merged((), change.spans, change.start)),
        delivery_complete_count=change.complete,
    )
    return _PREFIX.pack(1) + encode_bytes(key, 0), _PREFIX.pack(0) + encode_bytes(value, 0)


def tombstone(place: SharePartitionKey) -> tuple[bytes, None]:
    """A record that deletes the state."""
    key = ShareSnapshotKey(group_id=place.group, topic_id=place.topic, partition=place.partition)
    return _PREFIX.pack(0) + encode_bytes(key, 0), None


def _rows(spans: Iterable[Span]) -> list[StateBatch]:
    return [
        StateBatch(first_offset=first, last_offset=last, delivery_state=state, delivery_count=count)
        for first, last, state, count in spans
    ]


def replay(states: dict[SharePartitionKey, State], key: bytes, value: bytes | None) -> None:
    """Apply a record. Raises `MalformedBytes`."""
    shapes = RECORDS.get(_PREFIX.unpack_from(key)[0])
    if shapes is None:
        return
    typed_key = decode(shapes[0], 0, key, _PREFIX.size)[0]
    assert isinstance(typed_key, ShareSnapshotKey | ShareUpdateKey)
    place = SharePartitionKey(typed_key.group_id, typed_key.topic_id, typed_key.partition)
    if value is None:
        states.pop(place, None)
        return
    content = decode(shapes[1], 0, value, _PREFIX.size)[0]
    assert isinstance(content, ShareSnapshotValue | ShareUpdateValue)
    spans = tuple(
        Span(b.first_offset, b.last_offset, b.delivery_state, b.delivery_count) for b in content.state_batches
    )
    old = states.get(place)
    if isinstance(content, ShareSnapshotValue):
        fence = content.leader_epoch if old is None else max(old.fence, content.leader_epoch)
        numbers = content.snapshot_epoch, content.state_epoch, content.start_offset
        kept = content.delivery_complete_count, content.create_timestamp
        states[place] = State(*numbers, spans, *kept, content.leader_epoch, fence)
    elif old is not None:
        change = Change(content.start_offset, spans, content.delivery_complete_count)
        states[place] = updated(old, change, content.leader_epoch)


# ---- spans


def merged(old: Iterable[Span], new: Iterable[Span], start: Offset) -> tuple[Span, ...]:
    """Spans of both, from `start` on: for each record the span that was delivered more often, or is in a later state
    (PersisterStateBatchCombiner).
    """
    by_offset: dict[Offset, tuple[int, int]] = {}
    for span in [*old, *new]:
        rank = span.deliveries, span.state
        for offset in range(max(span.first, start), span.last + 1):
            by_offset[offset] = max(rank, by_offset.get(offset, rank))
    return tuple(joined((offset, state, count) for offset, (count, state) in sorted(by_offset.items())))


def joined(rows: Iterable[tuple[Offset, int, int]]) -> list[Span]:
    """Records, one by one and in order, as spans."""
    spans: list[Span] = []
    for offset, state, count in rows:
        if spans and spans[-1][1:] == (offset - 1, state, count):
            spans[-1] = spans[-1]._replace(last=offset)
        else:
            spans.append(Span(offset, offset, state, count))
    return spans
