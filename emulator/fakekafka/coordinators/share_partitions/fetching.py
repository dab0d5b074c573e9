"""Giving records to members of share groups (DelayedShareFetch, ShareFetchUtils): what is read, and what is locked.

A fetch goes through the partitions of its session, each time starting with a different one. Each gets an equal part of
the bytes; the number of records is for all of them together.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka.cluster.delayed_fetch import segment_position
from fakekafka.coordinators.share_partitions.delivery import Delivery, Range, Want
from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.coordinators.share_partitions.requests import ShareClient
from fakekafka.coordinators.share_partitions.state_records import Span
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import Buffer, Offset, ProducerId, TopicIdPartition
from fakekafka.log.txn_index import AbortedTxn
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.control import marker
from fakekafka.records.scan import batches
from fakekafka.storage.partition import Partition


def aborted_ranges(units: Iterable[Batch], transactions: Sequence[AbortedTxn]) -> list[Range]:
    """First and last offset of each batch that was aborted, in order."""
    coming = sorted(transactions, key=lambda transaction: transaction.first_offset, reverse=True)
    aborting: set[ProducerId] = set()
    ranges: list[Range] = []
    for unit in units:
        while coming and coming[-1].first_offset <= unit.last_offset:
            aborting.add(coming.pop().producer_id)
        if unit.is_control:
            if _ends_aborted(unit):
                aborting.discard(unit.producer_id)
        elif unit.is_transactional and unit.producer_id in aborting:
            ranges.append((unit.base_offset, unit.last_offset))
    return ranges


def _ends_aborted(unit: Batch) -> bool:
    end_marker = next((marker(record) for record in unit.records()), None)
    return end_marker is not None and not end_marker.commit


class Limits(NamedTuple):
    """How much a member wants."""

    max_bytes: int
    min_bytes: int
    want: Want


class Acquired(NamedTuple):
    """What a member gets of one share partition."""

    records: Buffer = b""
    acquired: Sequence[Span] = ()

    @property
    def size(self) -> int:
        """How many records."""
        return sum(span.last - span.first + 1 for span in self.acquired)


class Acquisitions(NamedTuple):
    """What each partition gives, or why it gives nothing; `enough`: whether the request need not wait."""

    by_partition: Mapping[TopicIdPartition, Acquired | ErrorCode]
    enough: bool


NOTHING: Final = Acquired()
MANY: Final = 2**31


class _Source(NamedTuple):
    """A partition that may give something."""

    tp: TopicIdPartition
    partition: Partition
    delivery: Delivery


class _Read(NamedTuple):
    units: Sequence[Batch] = ()
    """The batches that may be given."""
    data: Buffer = b""
    """The bytes as read: with whole units before these, and the beginning of one after them."""
    is_one: bool = False
    """Whether there is only one whole unit in it."""
    aborted: Sequence[Range] = ()
    out_of_range: bool = False
    """Whether the log no longer has what comes next, or not yet."""

    @property
    def size(self) -> int:
        return len(self.data)


_Answered: TypeAlias = dict[TopicIdPartition, Acquired | ErrorCode]


def rotated(tps: Iterable[TopicIdPartition], epoch: int) -> list[TopicIdPartition]:
    """The partitions of a session in the order in which the request of that epoch goes through them, beginning with a
    different one each time (PartitionRotateStrategy).
    """
    order = list(tps)
    at = epoch % len(order) if order else 0
    return order[at:] + order[:at]


def give(
    client: ShareClient,
    tps: Iterable[TopicIdPartition],
    limits: Limits,
    *,
    waits: bool = True,
    waited: bool = False,
    at_last: bool = False,
) -> Acquisitions:
    """Read what a member can have now, and lock it, unless it is less than the member waits for.

    `waits`: whether it waits at all; if not, it gets nothing of partitions whose states have still to be read.
    `waited`: whether it has already waited; `at_last`: whether its time is over, so that it gets whatever there is.
    """
    rules = client.broker.profile.share_groups
    room = client.hosting.configs.setting(client.group, "partition.max.record.locks")
    results, sources = _sources(client, tps, waits=waits)
    if not sources or limits.want.most <= 0 or limits.max_bytes <= 0:
        return Acquisitions(results, enough=True)
    only_new = waited and not rules.released_while_waiting
    free = [source for source in sources if source.delivery.has_room(room, only_new=only_new)]
    level = client.hosting.configs.group_config(client.group, "isolation.level", "read_uncommitted")
    reading = _Reading(limits.max_bytes, limits.max_bytes // max(1, len(free)), level == "read_committed")
    first = [] if at_last else [s for s in free if s.delivery.last_fetched_at != s.delivery.read_offset]
    pieces = reading.of(first)
    for source in first:
        source.delivery.last_fetched_at = source.delivery.read_offset
    failed = any(piece.out_of_range for piece in pieces)
    if not at_last and not failed and not reading.is_enough(free, limits.min_bytes):
        return Acquisitions(results, enough=False)
    others = [source for source in free if source not in first]
    left = limits.want._replace(room=room if rules.locks_capped else MANY)
    for source, piece in [*zip(others, reading.of(others)), *zip(first, pieces)]:
        acquired = results[source.tp] = _acquired(client, source, piece, left)
        left = left._replace(most=left.most - acquired.size)
    return Acquisitions(results, enough=True)


def _sources(client: ShareClient, tps: Iterable[TopicIdPartition], *, waits: bool) -> tuple[_Answered, list[_Source]]:
    shared = client.hosting.partitions
    results: _Answered = {}
    sources: list[_Source] = []
    for tp in tps:
        partition = find(client.broker, tp)
        if isinstance(partition, ErrorCode):
            results[tp] = partition
            continue
        is_ready = waits or shared.known(client.share_partition(tp), partition) is not None
        try:
            if not client.group:
                raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
            delivery = shared.delivery(client.share_partition(tp), partition)
        except ApiError as refused:
            if is_ready:
                results[tp] = refused.code
            continue
        if is_ready:
            sources.append(_Source(tp, partition, delivery))
    return results, sources


class _Reading(NamedTuple):
    """How a fetch reads. Partitions of which it does not know where in the log they go on are read first, the others
    when there is enough in all of them (DelayedShareFetch).
    """

    max_bytes: int
    share: int
    """The most bytes of each partition."""
    committed: bool
    """Whether members read up to the last stable offset, and no aborted records."""

    def of(self, sources: Iterable[_Source]) -> list[_Read]:
        """What the partitions have; at least one batch together, if there is any."""
        read: list[_Read] = []
        left = self.max_bytes
        for source in sources:
            is_first = left == self.max_bytes
            read.append(self._read(source, min(left, self.share), min_one=is_first))
            left -= min(left, read[-1].size)
        return read

    def is_enough(self, sources: Sequence[_Source], min_bytes: int) -> bool:
        """Whether the partitions have as many bytes as the member waits for, or more than one segment has."""
        available = 0
        for partition, start in [(source.partition, source.delivery.read_offset) for source in sources]:
            end = self._end(partition)
            if end < start <= partition.log.log_end_offset:
                return True
            if start < end:
                (segment, first), (last_segment, last) = (segment_position(partition, at) for at in (start, end))
                if segment != last_segment:
                    return True
                available += min(last - first, self.share)
        return bool(sources) and available >= min(min_bytes, self.max_bytes)

    def _end(self, partition: Partition) -> Offset:
        """How far members of the group may read."""
        return partition.last_stable_offset if self.committed else partition.high_watermark

    def _read(self, source: _Source, max_bytes: int, *, min_one: bool) -> _Read:
        """Batches from the one with the next free offset on."""
        partition, start = source.partition, source.delivery.read_offset
        end = self._end(partition)
        if not partition.log.log_start_offset <= start <= partition.log.log_end_offset:
            return _Read(out_of_range=True)
        if start >= end:
            return _Read()
        read_slice = partition.log.read(start, max_bytes, end, min_one=min_one)
        if isinstance(read_slice, ErrorCode):
            return _Read()
        data = joined(read_slice.buffers)
        whole = list(batches(data))
        units = [unit for unit in whole if unit.last_offset >= start]
        if not self.committed or not units:
            return _Read(units, data, len(whole) == 1)
        aborted = aborted_ranges(units, partition.log.aborted_transactions(start, read_slice))
        return _Read(units, data, len(whole) == 1, aborted)


def _acquired(client: ShareClient, source: _Source, read: _Read, want: Want) -> Acquired:
    if read.out_of_range:  # the next request goes on where the log begins
        source.delivery.move_start(source.partition.log.log_start_offset)
    if not read.units or want.most <= 0:
        return NOTHING
    shared, delivery = client.hosting.partitions, source.delivery
    bounds = [(unit.base_offset, unit.last_offset) for unit in read.units]
    acquired = delivery.acquire(client.member, bounds, want, shared.delivery_limit(client.group))
    acquired = delivery.leave_out(read.aborted, acquired)
    if not acquired:
        return NOTHING
    shared.lock(client.share_partition(source.tp), source.partition, delivery)
    if read.is_one:
        return Acquired(read.data, acquired)
    first, last = acquired[0].first, acquired[-1].last
    wanted = [unit for unit in read.units if unit.last_offset >= first and unit.base_offset <= last]
    return Acquired(b"".join(bytes(unit.data) for unit in wanted), acquired)
