"""Markers: what ends a transaction in each of its partitions (KIP-98; TransactionMarkerChannelManager).

A marker is a control batch in the partition's log; there, the last stable offset moves, and an abort gets its entry in
the transaction index. In `__consumer_offsets` it also decides whether the producer's commits count. The leaders of all
partitions are in this process, so markers are written in place instead of being sent. When all are written, that is
recorded, too (COMPLETE_COMMIT, COMPLETE_ABORT).
"""

from typing import TYPE_CHECKING, Final, NamedTuple

from fakekafka.coordinators.transactions.map_order import marked_order
from fakekafka.coordinators.transactions.state_manager import TransactionStateManager
from fakekafka.coordinators.transactions.transaction import PREPARING, State, Transaction
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_OFFSET, NO_PRODUCER_ID, DurationMs, ProducerEpoch, ProducerId, TopicPartition
from fakekafka.log.append_info import Origin
from fakekafka.records.control import end_transaction
from fakekafka.storage.partition import Partition

if TYPE_CHECKING:
    from fakekafka.cluster.broker import Broker
    from fakekafka.cluster.cluster import Cluster

RETRY_MS: Final[DurationMs] = 100
"""The delay before retrying markers whose partition has no leader, or too few replicas in sync."""
GIVE_UP: Final = frozenset({ErrorCode.INVALID_PRODUCER_EPOCH, ErrorCode.TRANSACTION_COORDINATOR_FENCED})
"""The errors of a transaction that was ended there under a later epoch: it is left as it is."""
NOT_NEEDED: Final = frozenset({ErrorCode.NONE, ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT})


class Marker(NamedTuple):
    """The end of a producer's transaction."""

    producer_id: ProducerId
    epoch: ProducerEpoch
    commit: bool
    coordinator_epoch: int
    epoch_has_risen: bool = False
    """Whether the epoch must be higher than that of the open transaction (KIP-1228). Otherwise it may be the same."""


class Markers:
    """Writes the markers of decided transactions (TransactionMarkerChannelManager)."""

    def __init__(self, states: TransactionStateManager) -> None:
        self._states = states

    def write_soon(self, decided: Transaction) -> None:
        """Write the markers after the answer to EndTxn in a lifelike cluster, and before it in an instant one."""
        broker = self._states.broker
        if broker.cluster.pace is None:
            self.write(decided)
        else:
            delay_ms = broker.cluster.pace.delay_ms("markers", broker.profile)
            self._states.timers.after(delay_ms, lambda: self.go_on(decided))

    def write_later(self, decided: Transaction) -> None:
        """Write the markers once everything else that is due now has happened."""
        self._states.timers.after(0, lambda: self.go_on(decided))

    def write(self, decided: Transaction) -> None:
        """Write the markers of a decided transaction, then its completion. Failed markers are retried."""
        commit = decided.state is State.PREPARE_COMMIT
        marker = Marker(decided.producer_id, decided.epoch, commit, self._states.coordinator_epoch(decided.id))
        places = marked_order(decided.partitions, self._states.broker.profile.transactions.logged_order)
        errors = {place: _write_to_leader(self._states.cluster, place, marker) for place in places}
        left = tuple(place for place, error in errors.items() if error not in NOT_NEEDED)
        decided = self._states.transactions[decided.id] = decided._replace(partitions=left)
        if any(errors[place] in GIVE_UP for place in left):
            return
        if left or self._states.write(self._completed(decided)) is not ErrorCode.NONE:
            self._states.timers.after(RETRY_MS, lambda: self.go_on(decided))

    def go_on(self, decided: Transaction) -> None:
        """Try again, unless the transaction has changed meanwhile."""
        if decided.state in PREPARING and self._states.transactions.get(decided.id) == decided:
            self.write(decided)

    def _completed(self, decided: Transaction) -> Transaction:
        commit = decided.state is State.PREPARE_COMMIT
        done = decided._replace(
            state=decided.to(State.COMPLETE_COMMIT if commit else State.COMPLETE_ABORT),
            updated_at=self._states.now,
            previous_producer_id=self._states.previous_producer_id(decided),
        )
        if decided.next_producer_id == NO_PRODUCER_ID:
            return done
        return done._replace(
            producer_id=decided.next_producer_id,
            epoch=0,
            previous_producer_id=decided.producer_id,
            next_producer_id=NO_PRODUCER_ID,
        )


def _write_to_leader(cluster: "Cluster", place: TopicPartition, marker: Marker) -> ErrorCode:
    """Write one marker. NONE also for a missing partition: it was deleted, and needs no marker."""
    topic = cluster.topics.get(place[0])
    state = None if topic is None else topic.partition(place[1])
    if state is None:
        return ErrorCode.NONE
    leader = cluster.brokers.get(state.leader)
    return ErrorCode.NOT_LEADER_OR_FOLLOWER if leader is None else write_marker(leader, place, marker)


def write_marker(broker: "Broker", place: TopicPartition, marker: Marker) -> ErrorCode:
    """Append a marker to a partition that `broker` leads; its pending offsets are settled."""
    hosted, partition = broker.partitions.get(place), broker.partition(*place)
    if hosted is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if hosted.log.config.message_format < 2:
        return ErrorCode.UNSUPPORTED_FOR_MESSAGE_FORMAT
    if partition is None:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if partition.lacks_replicas:
        return ErrorCode.NOT_ENOUGH_REPLICAS
    if marker.epoch_has_risen and _has_not_risen(partition, marker):
        return ErrorCode.INVALID_PRODUCER_EPOCH
    now = broker.cluster.clock.now_ms
    batch = end_transaction(
        commit=marker.commit,
        producer_id=marker.producer_id,
        producer_epoch=marker.epoch,
        coordinator_epoch=marker.coordinator_epoch,
        timestamp=now,
        leader_epoch=partition.leader_epoch,
    )
    error = partition.append_from(Origin.COORDINATOR, bytearray(batch), now).error
    if error is ErrorCode.NONE:
        waiters = broker.waiters
        (waiters.wake_now if broker.profile.fetch.woken_early else waiters.wake)(partition.key)
        broker.coordinators.on_marker(*place, marker.producer_id, commit=marker.commit)
    return error


def _has_not_risen(partition: Partition, marker: Marker) -> bool:
    known = partition.log.producers.producers.get(marker.producer_id)
    return known is not None and known.transaction_first_offset != NO_OFFSET and marker.epoch <= known.epoch
