"""Reading slices of partitions for a fetch: how far a reader may read, how many bytes it gets, and what prevents it.

The result is the stored buffers themselves, neither copied nor converted (`conversion`). Whether the reader must wait
for more is decided in `delayed_fetch`. One budget of bytes is spent on the partitions in the order in which they were
asked for, and the first one that has anything gives at least one whole unit (KIP-74).

Written for speed, because it is often called hundreds of times in vain: a partition without news costs one comparison.
ReplicaManager.readFromLocalLog, Partition.readRecords, Log.read.
"""

from collections.abc import Callable, Container, Iterable, Sequence
from typing import Final, NamedTuple, Protocol, TypeAlias, assert_never

from fakekafka.cluster.known_topics import Informed, known_partition, known_topic
from fakekafka.errors import ErrorCode
from fakekafka.ids import (
    NO_EPOCH,
    NO_OFFSET,
    ZERO_UUID,
    BrokerId,
    LeaderEpoch,
    Offset,
    PartitionIndex,
    TopicName,
    Uuid,
)
from fakekafka.log.leader_epochs import EpochEnd
from fakekafka.log.segment import Slice
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.pieces import Piece
from fakekafka.storage.hosted_partitions import HostedPartitions, Key
from fakekafka.storage.partition import Partition

NO_REPLICA: Final = -1


class Replicas(Informed, Protocol):
    """The broker whose partitions are read."""

    partitions: HostedPartitions

    @property
    def offline(self) -> Container[Key]: ...


class Asked(Protocol):
    """What a reader asks of one partition: `FetchPartition` of the request, or kept in a fetch session."""

    partition: PartitionIndex
    fetch_offset: Offset
    partition_max_bytes: int
    current_leader_epoch: LeaderEpoch
    last_fetched_epoch: LeaderEpoch


class Wanted(NamedTuple):
    """One partition that is to be read."""

    name: TopicName | None
    """None if the topic's id is unknown here."""
    topic_id: Uuid
    """All zero: the topic was asked for by its name."""
    asked: Asked


class Reader(NamedTuple):
    """A reader, and how it reads."""

    replica_id: BrokerId = NO_REPLICA
    """0 and above: a follower, which reads to the log's end. Any other value: a consumer."""
    read_committed: bool = False
    any_replica: bool = False
    """Whether it may read from a follower (KIP-392)."""
    whole_units: bool = True
    """Whether it gets whole units: the first one at any size, and no part of one that does not fit (KIP-74)."""
    prefer: Callable[[Partition, Offset], BrokerId | None] | None = None
    """The follower that it should ask for an offset instead of the leader; None: nobody has a preference (KIP-392)."""
    is_late: bool = False
    """Whether it was to wait for more before this read. Nobody checks then that it is a follower if it says so
    (DelayedFetch.onComplete)."""

    @property
    def is_follower(self) -> bool:
        return self.replica_id >= 0


class ReadData(NamedTuple):
    """What a read of one partition gives."""

    buffers: Sequence[Piece] = ()
    size: int = 0
    aborted: Sequence[AbortedTxn] | None = None
    """Transactions to skip, for readers of committed data."""
    diverging: EpochEnd | None = None
    """The reader's log differs from the end of this epoch on (KIP-595)."""
    preferred: BrokerId | None = None
    """Nothing was read: the reader should ask this replica (KIP-392)."""


NOTHING: Final = ReadData()
NOTHING_COMMITTED: Final = ReadData(aborted=())

Result: TypeAlias = ReadData | ErrorCode


class Read(NamedTuple):
    """One partition and what it gave. `partition` is None if the error is that it does not exist."""

    wanted: Wanted
    partition: Partition | None
    result: Result


class FetchFails(Exception):
    """The whole request fails: an exception that the real broker does not expect."""

    def __init__(self, error: ErrorCode = ErrorCode.UNKNOWN_SERVER_ERROR) -> None:
        super().__init__(error)
        self.error = error


def read_all(
    broker: Replicas, wanted: Iterable[Wanted], reader: Reader, max_bytes: int, *, has_some: bool = False
) -> list[Read]:
    """Read the partitions in order, `max_bytes` in all. `has_some`: whether the reader has got something already, and
    so need not get a unit that is larger than that. Raises `FetchFails`.
    """
    min_one = reader.whole_units and not has_some
    nothing = NOTHING_COMMITTED if reader.read_committed else NOTHING
    is_plain = not reader.is_follower and reader.prefer is None
    left = max_bytes
    reads: list[Read] = []
    hosted, node_id, make = broker.partitions, broker.node_id, tuple.__new__
    for want in wanted:
        name, topic_id, asked = want
        partition = None if name is None else hosted.get((name, asked.partition))
        result: Result
        if (
            is_plain
            and partition is not None
            and partition.state.leader == node_id
            and asked.current_leader_epoch in (NO_EPOCH, partition.state.leader_epoch)
            and topic_id in (ZERO_UUID, partition.topic.id)
        ):  # nothing can be wrong but the offset
            if asked.fetch_offset == partition.log.log_end_offset and asked.last_fetched_epoch == NO_EPOCH:
                result = nothing
            else:
                result = _read_log(broker, partition, asked, reader, min(asked.partition_max_bytes, left), min_one)
        else:
            result = _read(broker, want, partition, reader, min(asked.partition_max_bytes, left), min_one)
        if result is not nothing and isinstance(result, ReadData) and result.size:
            min_one = False
            left -= result.size
        left = left if left >= 0 else 0  # so a negative limit fails the first partition only
        reads.append(make(Read, (want, partition, result)))
    return reads


def _read(
    broker: Replicas, want: Wanted, partition: Partition | None, reader: Reader, max_bytes: int, min_one: bool
) -> Result:
    """What one partition gives."""
    if want.name is None:
        return ErrorCode.UNKNOWN_TOPIC_ID
    if partition is not None and want.topic_id not in (ZERO_UUID, partition.topic.id):
        return ErrorCode.INCONSISTENT_TOPIC_ID
    asked = want.asked
    if partition is None and is_unknown(broker, want.name, asked.partition):
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if asked.current_leader_epoch < NO_EPOCH and broker.profile.fetch.negative_epoch == "none":
        asked.current_leader_epoch = NO_EPOCH
    located = locate(broker, want.name, asked.partition, asked.current_leader_epoch, reader.any_replica)
    if isinstance(located, ErrorCode):
        return located
    is_stranger = reader.is_follower and not reader.is_late and not follows(broker, located, reader.replica_id)
    if is_stranger and (error := _stranger_error(broker, reader.replica_id, asked)) is not None:
        return error
    if reader.prefer is not None and located.state.leader == broker.node_id:
        preferred = reader.prefer(located, asked.fetch_offset)
        if preferred is not None:
            return ReadData(preferred=preferred)
    result = _read_log(broker, located, asked, reader, max_bytes, min_one)
    return ReadData(diverging=result.diverging) if is_stranger and isinstance(result, ReadData) else result


def is_unknown(broker: Replicas, name: TopicName, index: PartitionIndex) -> bool:
    """Whether the metadata have no such topic or partition, in releases whose Fetch checks them first."""
    match broker.profile.fetch.order:
        case "by topic":
            return False
        case "unknown topics last":
            return known_topic(broker, name) is None
        case "unknown last":
            return known_partition(broker, name, index) is None
        case order:
            assert_never(order)


def locate(
    broker: Replicas, name: TopicName, index: PartitionIndex, leader_epoch: LeaderEpoch, any_replica: bool = False
) -> Partition | ErrorCode:
    """The partition for a client that believes it is in `leader_epoch` (-1: any).

    `any_replica`: whether it is led here or not (KIP-392).
    """
    partition = broker.partitions.get((name, index))
    if partition is None:
        return _missing(broker, name, index, any_replica)
    refused = epoch_error(partition, leader_epoch)
    if refused is None and partition.state.leader != broker.node_id and not any_replica:
        refused = ErrorCode.NOT_LEADER_OR_FOLLOWER
    return partition if refused is None else refused


def _missing(broker: Replicas, name: TopicName, index: PartitionIndex, any_replica: bool) -> ErrorCode:
    """Why there is no such partition here: it does not exist, or other brokers host it."""
    behaviour = broker.profile.fetch
    if (name, index) in broker.offline:
        return ErrorCode.KAFKA_STORAGE_ERROR
    if known_partition(broker, name, index) is None:
        return behaviour.unknown_replica if any_replica else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return behaviour.replica_not_hosted if any_replica else behaviour.not_hosted


def epoch_error(partition: Partition, current: LeaderEpoch) -> ErrorCode | None:
    """The error for a client that believes in another leader epoch, or None (KIP-320)."""
    if current == NO_EPOCH or current == partition.leader_epoch:
        return None
    older = current < partition.leader_epoch
    return ErrorCode.FENCED_LEADER_EPOCH if older else ErrorCode.UNKNOWN_LEADER_EPOCH


def follows(broker: Replicas, partition: Partition, replica_id: BrokerId) -> bool:
    """Whether `replica_id` is another replica of the partition."""
    return replica_id in partition.state.replicas and replica_id != broker.node_id


def _stranger_error(broker: Replicas, replica_id: BrokerId, asked: Asked) -> ErrorCode | None:
    """The error for a reader that falsely claims to be a follower; None if it gets no error, but no records either.

    One that knows the leader's epoch may be a replica that this broker has yet to hear of
    (Partition.followerReplicaOrThrow).
    """
    behaviour = broker.profile.fetch
    error = behaviour.own_replica if replica_id == broker.node_id else behaviour.stranger_replica
    if error is ErrorCode.UNKNOWN_SERVER_ERROR:
        raise FetchFails
    knows_epoch = asked.current_leader_epoch != NO_EPOCH
    return ErrorCode.UNKNOWN_LEADER_EPOCH if error is ErrorCode.NOT_LEADER_OR_FOLLOWER and knows_epoch else error


def bound(partition: Partition, reader: Reader) -> Offset:
    """Where the log ends for a reader."""
    if reader.replica_id >= 0:  # `is_follower`, without a call
        return partition.log.log_end_offset
    return partition.last_stable_offset if reader.read_committed else partition.high_watermark


def _read_log(
    broker: Replicas, partition: Partition, asked: Asked, reader: Reader, max_bytes: int, min_one: bool
) -> Result:
    log, offset = partition.log, asked.fetch_offset
    if asked.last_fetched_epoch > NO_EPOCH:
        diverging = _diverging(partition, asked, broker.profile.fetch.diverging_before_start)
        if diverging is not None:
            return diverging
    end = bound(partition, reader)
    read_slice = log.read(offset, max(0, max_bytes), end, min_one)
    if isinstance(read_slice, ErrorCode):
        return read_slice
    if end < offset < log.log_end_offset and broker.profile.fetch.reads_past_high_watermark == "error":
        return ErrorCode.UNKNOWN_SERVER_ERROR
    if max_bytes < 0 and offset < end:
        return ErrorCode.UNKNOWN_SERVER_ERROR
    if offset == end < log.log_end_offset and _is_too_large(broker, partition, offset, max_bytes, min_one):
        return NOTHING
    aborted = _aborted(broker, partition, offset, end, read_slice) if reader.read_committed else None
    if read_slice.first_entry_incomplete and reader.whole_units:
        return ReadData((), 0, None)
    return ReadData(read_slice.buffers, read_slice.size, aborted)


def _diverging(partition: Partition, asked: Asked, before_start: bool) -> Result | None:
    """What is answered if the reader's last epoch ended elsewhere here, or cannot be found; None if the logs agree.
    `before_start`: whether that is said to a reader that is before the log's start.
    """
    log, offset = partition.log, asked.fetch_offset
    ended = log.end_of_epoch(asked.last_fetched_epoch)
    is_out_of_range = offset < log.log_start_offset and not before_start
    if ended.end_offset == NO_OFFSET or ended.epoch == NO_EPOCH or is_out_of_range:
        return ErrorCode.OFFSET_OUT_OF_RANGE
    if ended.epoch < asked.last_fetched_epoch or ended.end_offset < offset:
        return ReadData(diverging=ended)
    return None


def _aborted(
    broker: Replicas, partition: Partition, offset: Offset, end: Offset, read_slice: Slice
) -> Sequence[AbortedTxn] | None:
    """The aborted transactions that reach into a slice."""
    if offset < end:
        at_end = read_slice.first_unit_size == 0  # nothing is left of the records from the offset on
        return None if at_end else partition.log.aborted_transactions(offset, read_slice)
    match broker.profile.fetch.aborted_without_records:
        case "none":
            are_listed = False
        case "at the bound":
            are_listed = offset == end
        case "from the bound on":
            are_listed = True
        case rule:
            assert_never(rule)
    if not are_listed or offset == partition.log.log_end_offset:
        return ()
    return partition.log.aborted_transactions(offset, _place(partition, offset, read_slice))


def _is_too_large(broker: Replicas, partition: Partition, offset: Offset, max_bytes: int, min_one: bool) -> bool:
    """Whether the unit at the bound of a reader would not fit, in releases that look at it although nobody may have it
    (LogSegment.read).
    """
    if not broker.profile.fetch.reads_at_bound:
        return False
    beyond = partition.log.read(offset, max(0, max_bytes), partition.log.log_end_offset, min_one)
    return isinstance(beyond, Slice) and beyond.first_entry_incomplete


def _place(partition: Partition, offset: Offset, read_slice: Slice) -> Slice:
    """An empty slice where `offset` is."""
    place = partition.log.read(offset, 0, partition.log.log_end_offset, False)
    return read_slice if isinstance(place, ErrorCode) else place
