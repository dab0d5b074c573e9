"""Giving records to members of share groups (DelayedShareFetch, ShareFetchUtils): what is read, and what is locked.

A fetch goes through the partitions of its session, each time starting with a different one. Each gets an equal part of
the bytes; the number of records is for all of them together.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from fakekafka.coordinators.share_partitions.delivery import Delivery, Range, Want
from fakekafka.coordinators.share_partitions.partitions import find
from fakekafka.coordinators.share_partitions.requests import ShareClient
from fakekafka.coordinators.share_partitions.sessions import FIRST
from fakekafka.coordinators.share_partitions.state_records import Span
from fakekafka.errors import ApiError, ErrorCode
from fakekafka.ids import Buffer, ProducerId, TopicIdPartition
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

    @property
    def size(self) -> int:
        return len(self.data)


_Answered: TypeAlias = dict[TopicIdPartition, Acquired | ErrorCode]


def rotated(tps: Iterable[TopicIdPartition], epoch: int) -> list[TopicIdPartition]:
    """The partitions of a session in the order in which the request of that epoch goes through them: at first as asked,
    then from the last to the first, beginning with a different one each time.
    """
    order = list(tps)
    if epoch == FIRST or not order:
        return order
    order.reverse()
    at = epoch % len(order)
    return order[at:] + order[:at]


def give(
    client: ShareClient,
    tps: Iterable[TopicIdPartition],
    limits: Limits,
    *,
    waited: bool = False,
    at_last: bool = False,
) -> Acquisitions:
    """Read what a member can have now, and lock it, unless it is less than the member waits for.

    `waited`: whether it has already waited; `at_last`: whether its time is over, so that it gets whatever there is.
    Raises `ApiError` if a topic has no such partition.
    """
    rules = client.broker.profile.share_groups
    room = client.hosting.configs.setting(client.group, "partition.max.record.locks")
    results, sources = _sources(client, tps)
    if not sources or limits.want.most <= 0 or limits.max_bytes <= 0:
        return Acquisitions(results, enough=True)
    only_new = waited and not rules.released_while_waiting
    free = [source for source in sources if source.delivery.has_room(room, only_new=only_new)]
    free.sort(key=lambda source: source.delivery.last_fetched_at != source.delivery.next_offset)
    read = _read_all(client, free, limits.max_bytes)
    if not at_last and (not free or sum(piece.size for piece in read) < limits.min_bytes):
        return Acquisitions(results, enough=False)
    left = limits.want._replace(room=room if rules.locks_capped else MANY)
    for source, piece in zip(free, read):
        acquired = results[source.tp] = _acquired(client, source, piece, left)
        left = left._replace(most=left.most - acquired.size)
    return Acquisitions(results, enough=True)


def any_came_back(client: ShareClient, tps: Iterable[TopicIdPartition]) -> bool:
    """Whether there are records that were returned and are available again."""
    located = [(tp, find(client.broker, tp)) for tp in tps]
    shared = client.hosting.partitions
    known = [shared.known(client.share_partition(tp), at) for tp, at in located if isinstance(at, Partition)]
    return any(delivery is not None and delivery.next_offset <= delivery.end for delivery in known)


def _sources(client: ShareClient, tps: Iterable[TopicIdPartition]) -> tuple[_Answered, list[_Source]]:
    results: _Answered = {}
    sources: list[_Source] = []
    for tp in tps:
        partition = find(client.broker, tp)
        if partition is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
            raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
        if isinstance(partition, ErrorCode):
            results[tp] = partition
            continue
        try:
            if not client.group:
                raise ApiError(ErrorCode.UNKNOWN_SERVER_ERROR)
            delivery = client.hosting.partitions.delivery(client.share_partition(tp), partition)
            sources.append(_Source(tp, partition, delivery))
        except ApiError as refused:
            results[tp] = refused.code
    return results, sources


def _read_all(client: ShareClient, sources: Sequence[_Source], max_bytes: int) -> list[_Read]:
    level = client.hosting.configs.group_config(client.group, "isolation.level", "read_uncommitted")
    read: list[_Read] = []
    left = max_bytes
    for source in sources:
        source.delivery.last_fetched_at = source.delivery.next_offset
        is_first = left == max_bytes
        most = min(left, max_bytes // len(sources))
        read.append(_read(source, most, committed=level == "read_committed", min_one=is_first))
        left -= min(left, read[-1].size)
    return read


def _read(source: _Source, max_bytes: int, *, committed: bool, min_one: bool) -> _Read:
    """Batches from the one with the next free offset on, as far as members of the group may read."""
    partition, start = source.partition, source.delivery.next_offset
    end = partition.last_stable_offset if committed else partition.high_watermark
    if start >= end:
        return _Read()
    read_slice = partition.log.read(start, max_bytes, end, min_one=min_one)
    if isinstance(read_slice, ErrorCode):
        return _Read()
    data = joined(read_slice.buffers)
    whole = list(batches(data))
    units = [unit for unit in whole if unit.last_offset >= start]
    aborted = (
        aborted_ranges(units, partition.log.aborted_transactions(start, read_slice)) if committed and units else ()
    )
    return _Read(units, data, len(whole) == 1, aborted)


def _acquired(client: ShareClient, source: _Source, read: _Read, want: Want) -> Acquired:
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
