"""What a check of a partition's files finds, and what it remembers about a log while it checks its indexes."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol

from fakekafka.ids import NO_TIMESTAMP, Buffer, Offset, Position, TimestampMs


class FindingKind(StrEnum):
    """What can be wrong with the files of a log directory."""

    BROKEN_UNIT = "broken unit"
    PREALLOCATED = "preallocated"
    CHECKSUM = "checksum"
    TORN = "torn"
    RECORDS = "records"
    """A unit whose records are not what its header says, although its checksum is right."""
    OFFSET_ORDER = "offset order"
    OVERLAP = "overlap"
    GAP = "gap"
    """Offsets are missing between two segments of a log that was not compacted, or after the newest one."""
    INDEX = "index"
    TIME_INDEX = "timeindex"
    TRANSACTION_INDEX = "txnindex"
    ORPHAN = "orphan"
    """An index without a log."""
    SNAPSHOT = "snapshot"
    EPOCHS = "epochs"
    LEFT_OVER_SWAP = "leftover .swap"
    LEFT_OVER_DELETED = "leftover .deleted"
    LEFT_OVER_CLEANED = "leftover .cleaned"
    LEFT_OVER_TMP = "leftover .tmp"
    LEFT_OVER_DELETE = "leftover -delete"
    LEFT_OVER_FUTURE = "leftover -future"
    LEFT_OVER_STRAY = "leftover -stray"
    UNKNOWN_DIRECTORY = "unknown directory"
    CHECKPOINT = "checkpoint"
    PARTITION_METADATA = "partition.metadata"
    TOPIC_ID = "topic id"
    """A partition was made for another topic of its name."""
    CLUSTER_FILE = "fakekafka-cluster.json"


class Finding(NamedTuple):
    """One thing that is wrong."""

    file: str
    position: Position | None
    """The position in the file, if there is one."""
    kind: FindingKind
    what: str
    """A description for people."""


class ReadableFile(Protocol):
    """What a check needs from a log file."""

    @property
    def size(self) -> int: ...

    def read(self, position: Position, size: int) -> Sequence[Buffer]:
        """Up to `size` bytes from `position` on, in pieces; fewer at the end of the file."""


class ReadableDirectory(Protocol):
    """What a check needs from a directory. Names of files that do not exist raise FileNotFoundError."""

    def names(self) -> list[str]:
        """The files in it, sorted."""

    def exists(self, name: str) -> bool: ...

    def last_modified_ms(self, name: str) -> TimestampMs: ...

    def open(self, name: str, now: TimestampMs) -> ReadableFile: ...

    def read_all(self, name: str) -> bytes: ...

    def directories(self) -> list[str]:
        """The directories in it, sorted."""

    def directory(self, name: str) -> "ReadableDirectory": ...


class Places:
    """The units of one segment's log: 24 bytes for each."""

    def __init__(self, base: Offset, *, is_newest: bool = True) -> None:
        """`is_newest`: whether a broker may append to it, so that its indexes may have room and are not finished."""
        self.base = base
        self.is_newest = is_newest
        self._positions = array("q")
        self._last_offsets = array("q")
        self._youngest = array("q")  # the largest timestamp of the unit and all before it

    @property
    def last_offset(self) -> Offset:
        """The last unit's last offset; one before the base offset if there is no unit."""
        return self._last_offsets[-1] if self._last_offsets else self.base - 1

    @property
    def youngest(self) -> TimestampMs:
        """The largest timestamp of all units."""
        return self._youngest[-1] if self._youngest else NO_TIMESTAMP

    def add(self, position: Position, last_offset: Offset, max_timestamp: TimestampMs) -> None:
        """The next unit."""
        self._youngest.append(max(self.youngest, max_timestamp))
        self._positions.append(position)
        self._last_offsets.append(last_offset)

    def before(self, position: Position) -> Offset | None:
        """The last offset before the unit that begins at `position`; None if none begins there."""
        at = bisect_left(self._positions, position)
        if at == len(self._positions) or self._positions[at] != position:
            return None
        return self._last_offsets[at - 1] if at else self.base - 1

    def youngest_up_to(self, offset: Offset) -> TimestampMs:
        """The largest timestamp of the units that end at `offset` or before it."""
        at = bisect_right(self._last_offsets, offset)
        return self._youngest[at - 1] if at else NO_TIMESTAMP

    def youngest_with(self, offset: Offset) -> TimestampMs:
        """The largest timestamp of the units that begin at `offset` or before it."""
        at = bisect_left(self._last_offsets, offset)
        return self._youngest[at] if at < len(self._youngest) else self.youngest

    def holds(self, offset: Offset) -> bool:
        """Whether a unit covers the offset."""
        return self.base <= offset <= self.last_offset
