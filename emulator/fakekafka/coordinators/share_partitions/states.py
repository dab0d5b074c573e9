"""The share coordinator: how far each share partition was delivered, stored in `__share_group_state`
(ShareCoordinatorShard). `state_records` has the shapes of the records.

After `share.coordinator.snapshot.update.records.per.snapshot` updates comes another snapshot. A partition of the topic
is read when it is needed for the first time in a leader epoch. Leaders and group coordinators of this package write
straight to the leading broker's log, wherever they are; requests that real brokers send each other for this are
answered by `state_requests`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from fakekafka.cluster.internal_topics import NOBODY, Producer, append, ensure, partition_for
from fakekafka.coordinators.share_partitions.refusals import ANY_EPOCH, Refusal, refusal_of_write
from fakekafka.coordinators.share_partitions.state_records import (
    UNKNOWN_START,
    Change,
    SharePartitionKey,
    State,
    merged,
    replay,
    snapshot,
    tombstone,
    update,
    updated,
)
from fakekafka.errors import ErrorCode
from fakekafka.ids import LeaderEpoch, Offset, PartitionIndex, TimestampMs
from fakekafka.pieces import joined
from fakekafka.records.scan import batches
from fakekafka.state.topics import SHARE_GROUP_STATE
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker

READ_BYTES = 1 << 20


class ShareStates:
    """The states in the partitions of the topic that one broker leads; other partitions are left to their leaders."""

    def __init__(self, broker: "Broker", states_of: Callable[["Broker"], "ShareStates"]) -> None:
        """`states_of`: the states of another broker of the cluster."""
        self._broker = broker
        self._states_of = states_of
        self._known: dict[tuple[PartitionIndex, LeaderEpoch], dict[SharePartitionKey, State]] = {}

    def read(self, place: SharePartitionKey) -> State | None:
        """The state of a share partition, or None if it has none."""
        return self._states(place)[1].get(place)

    def claim(self, place: SharePartitionKey, leader_epoch: LeaderEpoch) -> State | None:
        """The state of a share partition, for a leader that begins to deliver: its epoch is stored."""
        state = self.read(place)
        if state is not None and leader_epoch not in (ANY_EPOCH, state.fence):
            self._update(place, state, Change(state.start, (), state.complete), leader_epoch)
        return state

    def initialize(self, place: SharePartitionKey, epoch: int, start: Offset) -> None:
        """Begin a state, or reset it to another offset."""
        old = self.read(place)
        counted = self._broker.profile.share_groups.counts_from_given_start and start != UNKNOWN_START
        complete = 0 if counted else -1
        snapshot_epoch = 0 if old is None else old.snapshot_epoch + 1
        fence = 0 if old is None else old.fence
        self._snapshot(place, State(snapshot_epoch, epoch, start, (), complete, self._now, fence=fence))

    def has_partition(self, place: SharePartitionKey) -> bool:
        """Whether there is such a partition."""
        topic = self._broker.cluster.topics_by_id.get(place.topic)
        return topic is not None and topic.partition(place.partition) is not None

    def write(self, place: SharePartitionKey, change: Change, leader_epoch: LeaderEpoch, epoch: int) -> Refusal | None:
        """Store a change of a state, as reported by a leader in these epochs, unless it is refused."""
        old = self.read(place)
        refusal = refusal_of_write(old, leader_epoch, epoch, exists=self.has_partition(place))
        if refusal is None and old is not None:
            self._write(place, old, change, leader_epoch, epoch)
        return refusal

    def _write(
        self, place: SharePartitionKey, old: State, change: Change, leader_epoch: LeaderEpoch, epoch: int
    ) -> None:
        if not self._keeps_count:
            change = change._replace(complete=-1)
        if self._broker.profile.share_groups.state_writers_epochs == "unheeded":
            leader_epoch, epoch = old.leader_epoch, old.epoch
        limit = self._broker.config.int("share.coordinator.snapshot.update.records.per.snapshot")
        if old.updates < limit and epoch <= old.epoch:
            self._update(place, old, change, leader_epoch)
            return
        leader_epoch = old.leader_epoch if leader_epoch == ANY_EPOCH else leader_epoch
        start = old.start if change.start == UNKNOWN_START else change.start
        spans = merged(old.spans, change.spans, start)
        epochs = old.snapshot_epoch + 1, max(epoch, old.epoch)
        leaders = leader_epoch, max(old.fence, leader_epoch)
        self._snapshot(place, State(*epochs, start, spans, change.complete, old.created, *leaders))

    def delete(self, place: SharePartitionKey) -> None:
        """Forget a state."""
        partition, states = self._states(place)
        if states.pop(place, None) is not None:
            self._append(partition, tombstone(place))

    def clear(self) -> None:
        """Forget everything."""
        self._known.clear()

    # ---- the log

    @property
    def _now(self) -> TimestampMs:
        return self._broker.cluster.clock.now_ms

    @property
    def _keeps_count(self) -> bool:
        return self._broker.profile.share_groups.complete_count

    @property
    def _producer(self) -> Producer:
        numbered = self._broker.profile.offsets.numbered_batches == "all"
        return NOBODY._replace(sequence=0) if numbered else NOBODY

    def _update(self, place: SharePartitionKey, old: State, change: Change, leader_epoch: LeaderEpoch) -> None:
        partition, states = self._states(place)
        states[place] = updated(old, change, leader_epoch)
        self._append(partition, update(place, old.snapshot_epoch, change, leader_epoch))

    def _snapshot(self, place: SharePartitionKey, state: State) -> None:
        partition, states = self._states(place)
        states[place] = state
        self._append(partition, snapshot(place, state, self._now))

    def _append(self, partition: Partition | None, record: tuple[bytes, bytes | None]) -> None:
        if partition is not None:
            append(self._broker.cluster.waiters, partition, [record], self._now, producer=self._producer)

    def _states(self, place: SharePartitionKey) -> tuple[Partition | None, dict[SharePartitionKey, State]]:
        """The partition that has a state, and the states in it."""
        topic = ensure(self._broker, SHARE_GROUP_STATE)
        if topic is None:
            return None, {}
        index = partition_for(place.key, len(topic.partitions))
        led = topic.partition(index)
        leader = None if led is None else self._broker.cluster.brokers.get(led.leader)
        partition = None if leader is None else leader.partition(SHARE_GROUP_STATE, index)
        if led is None or leader is None or partition is None:
            return None, {}
        known = self._states_of(leader)._known
        at = (index, led.leader_epoch)
        if at not in known:
            known[at] = loaded(partition)
        return partition, known[at]


def loaded(partition: Partition) -> dict[SharePartitionKey, State]:
    """All states that a partition of the topic has."""
    states: dict[SharePartitionKey, State] = {}
    log = partition.log
    at = log.log_start_offset
    while at < log.log_end_offset:
        read_slice = log.read(at, READ_BYTES, log.log_end_offset, min_one=True)
        assert not isinstance(read_slice, ErrorCode)
        for batch in batches(joined(read_slice.buffers)):
            at = batch.last_offset + 1
            for record in batch.records():
                if record.key is not None:
                    replay(states, record.key, record.value)
    return states
