"""What a reader wants of a segment: values that are made once and handed down."""

from typing import Final, NamedTuple

from fakekafka.errors import FakeKafkaError
from fakekafka.ids import Offset, PartitionIndex, TimestampMs, TopicName

from fakekafka_spark.views import FAILFAST, PERMISSIVE, View

LOWEST: Final = -(1 << 63)
HIGHEST: Final = (1 << 63) - 1


class DamagedLog(FakeKafkaError):
    """A log holds what cannot be read, and the mode is FAILFAST."""


class SegmentFile(NamedTuple):
    """A segment's partition, and its place."""

    topic: TopicName
    partition: PartitionIndex
    segment: Offset
    """Its base offset."""
    file: str
    """The path of its log."""

    def __str__(self) -> str:
        return self.file


class Bounds(NamedTuple):
    """Which records are wanted."""

    offset_from: Offset = LOWEST
    offset_end: Offset = HIGHEST
    """The first offset that is not wanted any more."""
    timestamp_from: TimestampMs = LOWEST
    """Only saves opening units that are older; the offsets are exact."""


class Wanted(NamedTuple):
    """A view, some of its columns, and how to treat what is not plain data."""

    view: View
    columns: tuple[str, ...]
    mode: str
    check_crcs: bool = True
    control: bool = False
    """Whether the broker's own marks are wanted among the records."""
    bounds: Bounds = Bounds()
    committed: bool = False
    """Whether records of aborted transactions are left out."""
    streamed: bool = False
    """Whether units and damage that reach over a bound belong to one side of it only: units to that of their last
    offset, damage to that of the offset which it hides first."""

    def notes(self, place: SegmentFile, what: str) -> bool:
        """Whether damage is shown (PERMISSIVE) or left out (DROPMALFORMED). Raises `DamagedLog` (FAILFAST)."""
        if self.mode == FAILFAST:
            raise DamagedLog(f"{place}: {what}")
        return self.mode == PERMISSIVE
