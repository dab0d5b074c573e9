"""The bytes of a producer snapshot, `<offset>.snapshot`, since 0.11 (KIP-98; ProducerStateManager).

    at  size  meaning
    0   2     version, int16 = 1
    2   4     CRC-32C of everything from byte 6 on, uint32
    6   4     number of entries, int32
    10  46 each: producer id int64, producer epoch int16, last sequence int32, last offset int64, offset delta int32,
              timestamp int64, coordinator epoch int32, first offset of the open transaction int64

The offset in the name is the end of the log up to which the entries are true. -1 stands for "none": sequence and offset
of a producer without a batch, epoch of a coordinator that was never heard of, a transaction that is not open. Only the
last batch of each producer is kept, so a restart forgets the older ones. An empty snapshot is `0001 48674bc7 00000000`.
"""

from collections.abc import Collection, Iterable
from struct import Struct
from typing import Final, NamedTuple

from fakekafka.binary import crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer, Offset, ProducerEpoch, ProducerId, Sequence, TimestampMs

VERSION: Final = 1
_HEADER: Final = Struct(">hIi")
_ENTRY: Final = Struct(">qhiqiqiq")
_CRC_FROM: Final = 6
_SMALLEST_JAVA_TABLE: Final = 16


class SnapshotEntry(NamedTuple):
    """What a snapshot says of one producer."""

    producer_id: ProducerId
    epoch: ProducerEpoch
    last_sequence: Sequence
    last_offset: Offset
    offset_delta: int
    timestamp: TimestampMs
    coordinator_epoch: int
    transaction_first_offset: Offset


def snapshot_bytes(entries: Collection[SnapshotEntry]) -> bytes:
    """The file. Entries stand in the order of Java's HashMap, which brokers have used from 3.5 on (Scala's before)."""
    body = b"".join(_ENTRY.pack(*entry) for entry in _in_java_order(entries))
    counted = len(entries).to_bytes(4, "big") + body
    return _HEADER.pack(VERSION, crc32c(counted), len(entries)) + body


def read_snapshot(data: Buffer) -> list[SnapshotEntry]:
    """The entries. Raises `MalformedBytes` (CorruptSnapshotException) for a wrong version, checksum or length."""
    if len(data) < _HEADER.size:
        raise MalformedBytes(f"a producer snapshot of {len(data)} bytes")
    version, crc, count = _HEADER.unpack_from(data)
    if version != VERSION:
        raise MalformedBytes(f"a producer snapshot of version {version}")
    if crc != crc32c(bytes(data[_CRC_FROM:])):
        raise MalformedBytes("the checksum of a producer snapshot is wrong")
    if len(data) != _HEADER.size + count * _ENTRY.size:
        raise MalformedBytes(f"a producer snapshot of {count} entries with {len(data)} bytes")
    return [SnapshotEntry(*fields) for fields in _ENTRY.iter_unpack(bytes(data[_HEADER.size :]))]


def _in_java_order(entries: Collection[SnapshotEntry]) -> Iterable[SnapshotEntry]:
    """By bucket of a table that doubles when it is over three quarters full; within a bucket as they were added."""
    table = _SMALLEST_JAVA_TABLE
    while len(entries) > table * 3 // 4:
        table *= 2
    return sorted(entries, key=lambda entry: _java_hash(entry.producer_id) & (table - 1))


def _java_hash(number: int) -> int:
    """HashMap's spread of Long.hashCode: both fold the upper half onto the lower one."""
    folded = (number ^ number >> 32) & 0xFFFFFFFF
    return folded ^ folded >> 16
