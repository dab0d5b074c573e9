"""What accompanies bytes that are to be appended, and what an append returns.

The bytes are final: offsets, leader epochs and timestamps are in them (`records.append` saw to that). `AppendInfo` says
what the log would otherwise have to find out by reading them again. Real brokers call it `LogAppendInfo`.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import NamedTuple

from fakekafka.errors import ErrorCode
from fakekafka.ids import NO_OFFSET, NO_TIMESTAMP, Offset, TimestampMs
from fakekafka.records.batch import Batch


class Origin(IntEnum):
    """The origin of an append (AppendOrigin), which decides how strictly producers are checked."""

    CLIENT = 0
    COORDINATOR = 1
    """The broker's own writes: group offsets, transaction markers. Epochs are checked, sequences are not."""
    REPLICATION = 2
    """A follower's copy, or what is read again after a start. Nothing is refused."""


class AppendInfo(NamedTuple):
    """One set of units that is appended as a whole."""

    first_offset: Offset
    last_offset: Offset
    max_timestamp: TimestampMs
    """-1 if no unit has one."""
    offset_of_max_timestamp: Offset
    """Which offset that is depends on release and path: see the table in `records.append.checks`."""
    batches: Sequence[Batch]
    origin: Origin = Origin.CLIENT


class Appended(NamedTuple):
    """The outcome of an append. With an error nothing was written, though the log may have rolled or noted a leader
    epoch.
    """

    error: ErrorCode = ErrorCode.NONE
    first_offset: Offset = NO_OFFSET
    last_offset: Offset = NO_OFFSET
    duplicate_timestamp: TimestampMs = NO_TIMESTAMP
    """The stored batch's largest timestamp, when the set was already in the log: the log append time of the answer."""
    is_duplicate: bool = False


def as_replica(batches: Sequence[Batch]) -> AppendInfo:
    """The info of units whose offsets a leader gave: the largest timestamp is noted with its unit's last offset."""
    max_timestamp, at = NO_TIMESTAMP, NO_OFFSET
    for batch in batches:
        if batch.max_timestamp > max_timestamp:
            max_timestamp, at = batch.max_timestamp, batch.last_offset
    return AppendInfo(batches[0].base_offset, batches[-1].last_offset, max_timestamp, at, batches, Origin.REPLICATION)
