"""Giving records to members of share groups (DelayedShareFetch, ShareFetchUtils): what is read, and what is locked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fakekafka.broker.partition import Partition
from fakekafka.broker.share_groups.delivery import Want
from fakekafka.broker.share_groups.states import Place, Span
from fakekafka.errors import ErrorCode
from fakekafka.ids import Buffer, Offset
from fakekafka.pieces import joined
from fakekafka.records.batch import Batch
from fakekafka.records.scan import batches

if TYPE_CHECKING:
    from fakekafka.broker.broker import Broker


class Limits(NamedTuple):
    """How much a member wants."""

    max_bytes: int
    want: Want


class Given(NamedTuple):
    """What a member gets of one share partition."""

    records: Buffer = b""
    acquired: Sequence[Span] = ()

    @property
    def size(self) -> int:
        """How many records."""
        return sum(span.last - span.first + 1 for span in self.acquired)


def give(broker: "Broker", place: Place, partition: Partition, member: str, limits: Limits) -> Given:
    """Read what a member can have now, and lock it."""
    shared = broker.share_partitions
    delivery = shared.delivery(place, partition)
    room = broker.groups.share_groups.limit(place.group, "partition.max.record.locks")
    start = delivery.next_offset
    if limits.want.most <= 0 or not delivery.has_room(room):
        return Given()
    units = _read(broker, place.group, partition, start, limits.max_bytes)
    if not units:
        return Given()
    places = [(unit.base_offset, unit.last_offset) for unit in units]
    most = shared.delivery_limit(place.group)
    acquired = delivery.acquire(member, places, limits.want._replace(room=room), most)
    if not acquired:
        return Given()
    shared.lock(place, partition, delivery)
    first, last = acquired[0].first, acquired[-1].last
    wanted = [unit for unit in units if unit.last_offset >= first and unit.base_offset <= last]
    data = b"".join(bytes(unit.data) for unit in wanted)
    return Given(data, acquired)


def _read(broker: "Broker", group_id: str, partition: Partition, start: Offset, max_bytes: int) -> list[Batch]:
    """Batches from the one with `start` on, as far as members of the group may read."""
    committed = broker.groups.share_groups.text(group_id, "isolation.level", "read_uncommitted") == "read_committed"
    end = partition.last_stable_offset if committed else partition.high_watermark
    if start >= end:
        return []
    found = partition.log.read(start, max_bytes, end, min_one=True)
    if isinstance(found, ErrorCode):
        return []
    return [unit for unit in batches(joined(found.buffers)) if unit.last_offset >= start]
