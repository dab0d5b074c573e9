"""Control records: the broker's own marks among the data, in format 2 batches whose attributes have the control bit.

    key     at 0  2  version, 0               value of an end-transaction marker    at 0  2  version, 0
            at 2  2  type                                                           at 2  4  coordinator epoch

A marker ends a producer's open transaction in one partition. It is a batch with one record, the transactional and
control bits (0x30), the transaction's producer id and epoch, and no sequence: 78 bytes. Consumers skip control records.

Types 2 to 6 occur in the metadata log only (KIP-595, KIP-630, KIP-853).
"""

from enum import IntEnum
from struct import Struct
from typing import NamedTuple

from fakekafka.ids import NO_EPOCH, LeaderEpoch, Offset, ProducerEpoch, ProducerId, TimestampMs
from fakekafka.records import v2
from fakekafka.records.attributes import CREATE_TIME_TYPE
from fakekafka.records.malformed import InvalidRecord
from fakekafka.records.record import Record

KEY = Struct(">hh")
MARKER_VALUE = Struct(">hi")


class ControlType(IntEnum):
    """ControlRecordType. The draft of KIP-98 had 0 and 1 swapped."""

    UNKNOWN = -1
    ABORT = 0
    COMMIT = 1
    LEADER_CHANGE = 2
    SNAPSHOT_HEADER = 3
    SNAPSHOT_FOOTER = 4
    KRAFT_VERSION = 5
    KRAFT_VOTERS = 6


class Marker(NamedTuple):
    """The content of an end-transaction marker."""

    commit: bool
    coordinator_epoch: int


def control_type(key: bytes | None) -> ControlType:
    """The type that a control record's key names; `UNKNOWN` for a newer one. A newer version is read as version 0.

    Raises `InvalidRecord` for a key that is too short, and for a negative version.
    """
    if key is None or len(key) < KEY.size:
        raise InvalidRecord("a control record needs a key of 4 bytes")
    version, kind = KEY.unpack_from(key)
    if version < 0:
        raise InvalidRecord(f"control record of version {version}")
    return ControlType(kind) if kind in range(len(ControlType) - 1) else ControlType.UNKNOWN


def marker(record: Record) -> Marker | None:
    """The marker in a control record, or None for other types. Raises `InvalidRecord`."""
    kind = control_type(record.key)
    if kind not in (ControlType.ABORT, ControlType.COMMIT):
        return None
    if record.value is None or len(record.value) < MARKER_VALUE.size:
        raise InvalidRecord("an end-transaction marker needs a value of 6 bytes")
    version, coordinator_epoch = MARKER_VALUE.unpack_from(record.value)
    if version < 0:
        raise InvalidRecord(f"end-transaction marker of version {version}")
    return Marker(kind == ControlType.COMMIT, coordinator_epoch)


def end_transaction(
    *,
    commit: bool,
    producer_id: ProducerId,
    producer_epoch: ProducerEpoch,
    coordinator_epoch: int,
    timestamp: TimestampMs,
    offset: Offset = 0,
    leader_epoch: LeaderEpoch = NO_EPOCH,
) -> bytes:
    """The batch of a marker. `timestamp` is the coordinator's time of writing it."""
    key = KEY.pack(0, ControlType.COMMIT if commit else ControlType.ABORT)
    record = Record(offset, timestamp, CREATE_TIME_TYPE, key, MARKER_VALUE.pack(0, coordinator_epoch))
    return v2.build([record], leader_epoch=leader_epoch, producer_id=producer_id, producer_epoch=producer_epoch,
                    transactional=True, control=True)  # fmt: skip
