"""When a fetch that found too little is answered (DelayedFetch): bytes are counted, nothing is read.

A fetch waits until enough bytes lie between its offsets and the bounds up to which it may read, or until something
happens that the client must hear of: another leader or epoch, a partition that is gone, a new segment. Each check costs
one comparison for every partition whose bound has not moved.
"""

from collections.abc import Iterable
from typing import assert_never

from fakekafka.cluster.broker import Broker
from fakekafka.cluster.reading import Asked, Read, Reader, bound
from fakekafka.cluster.untried_read import LostRead
from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_EPOCH, Offset, Position
from fakekafka.storage.partition import Partition

SegmentPosition = tuple[Offset, Position]
"""Base offset of a segment, and a position in it."""


class _Status:
    """One partition of the fetch, as it was when the fetch began to wait."""

    __slots__ = ("asked", "available", "bound", "partition", "start")

    def __init__(self, asked: Asked, partition: Partition) -> None:
        self.asked = asked
        self.look_at(partition)

    def look_at(self, partition: Partition) -> None:
        """Begin with this partition, the first or a new one of its name."""
        self.partition = partition
        self.start = segment_position(partition, self.asked.fetch_offset)
        self.bound: Offset = self.asked.fetch_offset  # at the last check
        self.available = 0  # bytes up to it


class DelayedFetch:
    """A fetch that waits for `min_bytes`."""

    def __init__(self, broker: Broker, reads: Iterable[Read], reader: Reader, min_bytes: int) -> None:
        self._broker = broker
        self._reader = reader
        self._min_bytes = min_bytes
        self.has_lost = False
        """Whether a partition has gone meanwhile."""
        self._statuses = [_Status(r.wanted.asked, r.partition) for r in reads if r.partition is not None]

    @property
    def keys(self) -> tuple[tuple[str, str, int, int], ...]:
        """The keys that the fetch waits for."""
        return tuple([status.partition.key for status in self._statuses])  # a generator costs more

    def noting_lost(self, reads: list[Read]) -> list[Read]:
        """What is read once the fetch is complete, with `LostRead` for each partition that has gone meanwhile."""
        tried = {id(status.asked) for status in self._statuses}
        return [LostRead(*r) if r.partition is None and id(r.wanted.asked) in tried else r for r in reads]

    def is_complete(self) -> bool:
        """Whether it can be answered now."""
        available = 0
        for status in self._statuses:
            if self._has_changed(status):
                return True
            end = bound(status.partition, self._reader)
            if end != status.bound and self._is_due(status, end):
                return True
            available += status.available
        return available >= self._min_bytes

    def _has_changed(self, status: _Status) -> bool:
        """Whether the partition is gone, or led by another broker or in another epoch. One that is there again is
        looked at from then on.
        """
        partition, broker, asked = status.partition, self._broker, status.asked
        state = partition.state
        now = broker.partitions.get((partition.topic.name, state.index))
        if now is None:
            self.has_lost = True
            return True
        if now is not partition:
            status.look_at(now)
            state = now.state
        return (
            (state.leader != broker.node_id and not self._reader.any_replica)
            or asked.current_leader_epoch not in (NO_EPOCH, state.leader_epoch)
            or (asked.last_fetched_epoch > NO_EPOCH and self._has_diverged(status))
        )

    def _has_diverged(self, status: _Status) -> bool:
        epoch = status.asked.last_fetched_epoch
        ended = status.partition.log.end_of_epoch(epoch)
        return ended.epoch < epoch or ended.end_offset < status.asked.fetch_offset

    def _is_due(self, status: _Status, end: Offset) -> bool:
        """Note how many bytes there are up to `end`. True if that lies in another segment."""
        status.bound, status.available = end, 0
        offset = status.asked.fetch_offset
        if end < offset:
            beyond = self._broker.profile.fetch.offset_beyond_bound
            return beyond == "answered" or segment_position(status.partition, end)[0] < status.start[0]
        segment, position = segment_position(status.partition, end)
        if segment != status.start[0]:
            return True
        available = position - status.start[1]
        match self._broker.profile.fetch.waiting_bytes:
            case "all":
                status.available = available
            case "up to the limit":
                status.available = min(available, status.asked.partition_max_bytes)
            case rule:
                assert_never(rule)
        return False


def segment_position(partition: Partition, offset: Offset) -> SegmentPosition:
    """Where the unit with `offset` is, or will be."""
    log = partition.log
    if offset == log.log_end_offset:
        return log.segments[-1].base_offset, log.segments[-1].size
    read_slice = log.read(offset, 0, log.log_end_offset, False)
    if isinstance(read_slice, ErrorCode):  # truncated away, or deleted
        return log.segments[-1].base_offset, log.segments[-1].size
    return read_slice.segment.base_offset, read_slice.position
