"""The bytes of a producer snapshot, `<offset>.snapshot`, since 0.11 (KIP-98; ProducerStateManager).

    at  size  meaning
    0   2     version, int16 = 1
    2   4     CRC-32C of everything from byte 6 on, uint32
    6   4     number of entries, int32
    10  46 each: producer id int64, producer epoch int16, last sequence int32, last offset int64, offset delta int32,
              timestamp int64, coordinator epoch int32, first offset of the open transaction int64

The offset in the name is the log end up to which the entries are valid. -1 stands for "none": sequence and offset
of a producer without a batch, epoch of an unknown coordinator, a transaction that is not open. Only the
last batch of each producer is kept, so a restart forgets the older ones. An empty snapshot is `0001 48674bc7 00000000`.
"""

from collections.abc import Collection
from struct import Struct
from typing import Final, NamedTuple

from fakekafka.binary import crc32c
from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer, Offset, ProducerEpoch, ProducerId, Sequence, TimestampMs

VERSION: Final = 1
_HEADER: Final = Struct(">hIi")
_ENTRY: Final = Struct(">qhiqiqiq")
_CRC_FROM: Final = 6


class SnapshotEntry(NamedTuple):
    """What a snapshot says about one producer."""

    producer_id: ProducerId
    epoch: ProducerEpoch
    last_sequence: Sequence
    last_offset: Offset
    offset_delta: int
    timestamp: TimestampMs
    coordinator_epoch: int
    transaction_first_offset: Offset


def snapshot_bytes(entries: Collection[SnapshotEntry]) -> bytes:
    """The file, with its entries in this order."""
    body = b"".join(_ENTRY.pack(*entry) for entry in entries)
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
