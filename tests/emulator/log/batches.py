"""Units for log tests: sets with given offsets, and what an append needs to know about them."""

from collections.abc import Sequence as Pieces

from fakekafka.ids import LeaderEpoch, Magic, Offset, ProducerEpoch, ProducerId, Sequence, TimestampMs
from fakekafka.log.append_info import AppendInfo, Origin
from fakekafka.pieces import Piece, joined
from fakekafka.records import control, v0, v1, v2
from fakekafka.records.batch import Batch
from fakekafka.records.record import Record
from fakekafka.records.scan import batches
from fakekafka.releases.behaviours.behaviour import resolve
from fakekafka.releases.behaviours.log import LogBehaviour
from fakekafka.releases.release import Release

Set = tuple[bytes, AppendInfo]


def rules(release: str) -> LogBehaviour:
    """The rules of this release."""
    named = Release.parse(release)
    return resolve(LogBehaviour, named, named.default_mode)


def records(offset: Offset, timestamps: list[TimestampMs], value: bytes = b"v") -> list[Record]:
    return [Record(offset + n, timestamp, 0, b"k", value) for n, timestamp in enumerate(timestamps)]


def batch(
    offset: Offset,
    *timestamps: TimestampMs,
    value: bytes = b"v",
    codec: int = 0,
    epoch: LeaderEpoch = 0,
    producer: ProducerId = -1,
    producer_epoch: ProducerEpoch = 0,
    sequence: Sequence = 0,
    transactional: bool = False,
    origin: Origin = Origin.CLIENT,
) -> Set:
    """One format 2 batch, one record per timestamp, from `offset` on."""
    known = producer >= 0
    data = v2.build(
        records(offset, list(timestamps), value),
        codec=codec,
        leader_epoch=epoch,
        producer_id=producer,
        producer_epoch=producer_epoch if known else -1,
        base_sequence=sequence if known else -1,
        transactional=transactional,
    )
    return with_info(data, origin)


def messages(magic: Magic, offset: Offset, *timestamps: TimestampMs, value: bytes = b"v", codec: int = 0) -> Set:
    """A set of format 0 or 1, or one batch of format 2."""
    if magic == 2:
        return batch(offset, *timestamps, value=value, codec=codec)
    build = v0.build if magic == 0 else v1.build
    return with_info(build(records(offset, list(timestamps), value), codec=codec))


def marker(
    offset: Offset,
    producer: ProducerId,
    timestamp: TimestampMs = 1000,
    *,
    commit: bool,
    producer_epoch: ProducerEpoch = 0,
    coordinator_epoch: int = 0,
) -> Set:
    """A transaction marker as the coordinator writes it."""
    data = control.end_transaction(
        commit=commit,
        producer_id=producer,
        producer_epoch=producer_epoch,
        coordinator_epoch=coordinator_epoch,
        timestamp=timestamp,
        offset=offset,
        leader_epoch=0,
    )
    return with_info(data, Origin.COORDINATOR)


def with_info(data: bytes, origin: Origin = Origin.CLIENT) -> Set:
    """The set with the info for an append in place: the largest timestamp counts with the last offset of its unit."""
    units = list(batches(data))
    youngest = max(units, key=lambda unit: unit.max_timestamp)
    first = next(iter(units[0].records())).offset
    info = AppendInfo(first, units[-1].last_offset, youngest.max_timestamp, youngest.last_offset, units, origin)
    return data, info


def stored(pieces: Pieces[Piece]) -> list[Batch]:
    """The whole units of a slice."""
    return list(batches(joined(pieces)))
