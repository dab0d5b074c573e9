"""The aborted transactions of one segment, `.txnindex`, since 0.11 (KIP-98; TransactionIndex, AbortedTxn).

    at  size  meaning
    0   2     version, int16 = 0
    2   8     producer id, int64
    10  8     first offset of the transaction, int64
    18  8     last offset: that of its ABORT marker, int64
    26  8     last stable offset when the marker was written, int64

Entries of 34 bytes in the order of their markers, that is, by last offset. A fetch that reads committed data gets the
transactions that overlap with it. The file exists only where a segment holds such a marker. Worked example: `0000
0000000000000007 0000000000000003 0000000000000005 0000000000000006`: producer 7 aborted what it wrote from 3 on, its
marker is at 5, and everything up to 6 was decided then.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final, NamedTuple

from fakekafka.errors import MalformedBytes
from fakekafka.ids import Buffer, Offset, ProducerId

ENTRY_SIZE: Final = 34
VERSION: Final = 0
_ENTRY: Final = Struct(">hqqqq")


class AbortedTxn(NamedTuple):
    """One aborted transaction."""

    producer_id: ProducerId
    first_offset: Offset
    last_offset: Offset
    last_stable_offset: Offset


class TxnIndex:
    """The aborted transactions whose markers are in one segment."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: list[AbortedTxn] = []

    def load(self, data: Buffer) -> None:
        """Take the entries of a file; an incomplete last one is left out. Raises `MalformedBytes` (KafkaException)."""
        self.entries = list(_parsed(bytes(data)[: len(data) // ENTRY_SIZE * ENTRY_SIZE]))

    def append(self, entry: AbortedTxn) -> None:
        self.entries.append(entry)

    def truncate_to(self, offset: Offset) -> None:
        """Drop the transactions that ended at `offset` or later."""
        self.entries = [e for e in self.entries if e.last_offset < offset]

    def clear(self) -> None:
        self.entries = []

    def overlapping(self, start: Offset, upper: Offset) -> tuple[list[AbortedTxn], bool]:
        """Transactions that reach into [start, upper), and whether later segments need not be searched.

        They need not be if everything below `upper` was decided when a transaction ended.
        """
        aborted: list[AbortedTxn] = []
        for entry in self.entries:
            if entry.last_offset >= start and entry.first_offset < upper:
                aborted.append(entry)
            if entry.last_stable_offset >= upper:
                return aborted, True
        return aborted, False

    def content(self) -> bytes:
        """The entries as Kafka writes them."""
        return b"".join(_ENTRY.pack(VERSION, *entry) for entry in self.entries)


def _parsed(data: bytes) -> Iterator[AbortedTxn]:
    for version, *fields in _ENTRY.iter_unpack(data):
        if version > VERSION:
            raise MalformedBytes(f"a transaction index entry of version {version}")
        yield AbortedTxn(*fields)
